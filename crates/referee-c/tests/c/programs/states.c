/* Saving and loading: a session goes on where another has stopped, from a buffer and from a file, with other rules, too. */
#include "check.h"

static const char AJAR[] = "prop ajar: Forall f . open(f) -> ! @ (!close(f) S open(f))";
static const char LATE[] = "(ask(x) IMPLIES EVENTUALLY[0,10] reply(x))";

static void in_buffers_and_files(void) {
  const uint8_t *bytes;
  uint8_t *copy;
  size_t size;
  referee_session *session = session_of("ajar.qtl", AJAR, REFEREE_ALL | REFEREE_PREFIX), *next;
  referee_event1(session, unary(session, "open", "file"), referee_text("ledger"));
  check(referee_save(session, &bytes, &size) == REFEREE_OK && size > 0);
  check(referee_save(session, NULL, &size) == REFEREE_ERROR_NULL);
  check(referee_save_file(session, "ajar.state") == REFEREE_OK);
  check(referee_save_file(session, "nowhere/ajar.state") == REFEREE_ERROR_FILE);
  copy = malloc(size);
  check(copy != NULL);
  memcpy(copy, bytes, size);
  check(referee_session_free(session) == REFEREE_OK);

  next = session_of("ajar.qtl", AJAR, REFEREE_ALL | REFEREE_PREFIX);
  check(referee_load(next, copy, size) == REFEREE_OK && referee_point_count(next) == 1);
  check(referee_warning_count(next) == 0 && referee_warning(next, 0) == NULL);
  check(referee_event1(next, unary(next, "open", "file"), referee_text("ledger")) == REFEREE_FOUND);
  expect(next, "VIOLATION ajar: point 2, f = ledger");
  check(referee_load(next, copy, size) == REFEREE_ERROR_STATE);
  referee_session_free(next);

  next = session_of("ajar.qtl", AJAR, REFEREE_ALL | REFEREE_PREFIX);
  check(referee_load_file(next, "missing.state") == REFEREE_ERROR_FILE);
  check(strcmp(referee_last_error()->file, "missing.state") == 0);
  check(referee_load_file(next, "ajar.state") == REFEREE_OK);
  check(referee_event1(next, unary(next, "open", "file"), referee_text("ledger")) == REFEREE_FOUND);
  referee_session_free(next);

  /* What was damaged is not loaded. */
  next = session_of("ajar.qtl", AJAR, REFEREE_ALL | REFEREE_PREFIX);
  copy[size / 2] ^= 1;
  check(referee_load(next, copy, size) == REFEREE_ERROR_STATE && referee_load(next, copy, 3) == REFEREE_ERROR_STATE);
  check(referee_load(next, NULL, 3) == REFEREE_ERROR_NULL && referee_load(next, NULL, 0) == REFEREE_ERROR_STATE);
  check(referee_event1(next, unary(next, "open", "file"), referee_text("ledger")) == REFEREE_OK);
  referee_session_free(next);
  free(copy);
}

static void with_other_rules(void) {
  referee_specification both[2];
  referee_options options;
  referee_session *session;
  referee_value who = referee_text("a");
  memset(both, 0, sizeof both);
  memset(&options, 0, sizeof options);
  both[0].file = "late.mfotl", both[0].text = LATE;
  both[1].file = "ajar.qtl", both[1].text = AJAR;
  options.flags = REFEREE_ALL | REFEREE_PREFIX | REFEREE_SEPARATE;
  session = referee_session_new(both, 1, &options);
  check(session != NULL);
  check(referee_event_at(session, referee_integer(3), unary(session, "ask", "x"), &who, 1) == REFEREE_OK);
  check(referee_save_file(session, "late.state") == REFEREE_OK);
  referee_session_free(session);

  session = referee_session_new(both, 2, &options);
  check(session != NULL && referee_load_file(session, "late.state") == REFEREE_OK);
  check(referee_warning_count(session) == 1 && strstr(referee_warning(session, 0), "`ajar`") != NULL);
  /* The time of a point that was open then is known now. */
  check(referee_advance(session, referee_integer(14)) == REFEREE_FOUND);
  expect(session, "VIOLATION late: point 1, time 3, x = a");
  referee_session_free(session);

  session = referee_session_new(both + 1, 1, &options);
  check(session != NULL && referee_load_file(session, "late.state") == REFEREE_ERROR_STATE);
  referee_session_free(session);
}

static void that_cannot_be(void) {
  const uint8_t *bytes;
  size_t size;
  referee_session *session = session_of("ajar.qtl", AJAR, REFEREE_WITNESS);
  check(referee_save(session, &bytes, &size) == REFEREE_ERROR_STATE);
  referee_session_free(session);
}

int main(void) {
  in_buffers_and_files();
  with_other_rules();
  that_cannot_be();
  return 0;
}
