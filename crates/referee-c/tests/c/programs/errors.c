/* Errors: null pointers, sessions that were freed, kinds of others, specifications that cannot be read. */
#include "check.h"

static const char AJAR[] = "prop ajar: Forall f . open(f) -> ! @ (!close(f) S open(f))";

static void of_pointers(void) {
  const uint8_t *bytes;
  size_t size;
  referee_value value = referee_integer(1);
  referee_session *none = NULL;
  check(referee_last_error()->code == REFEREE_OK);
  check(referee_event0(none, 1) == REFEREE_ERROR_NULL && referee_event1(none, 1, value) == REFEREE_ERROR_NULL);
  check(referee_event2(none, 1, value, value) == REFEREE_ERROR_NULL);
  check(referee_event3(none, 1, value, value, value) == REFEREE_ERROR_NULL);
  check(referee_event4(none, 1, value, value, value, value) == REFEREE_ERROR_NULL);
  check(referee_event(none, 1, NULL, 0) == REFEREE_ERROR_NULL);
  check(referee_event_at(none, value, 1, NULL, 0) == REFEREE_ERROR_NULL);
  check(referee_point(none, NULL, NULL, 0) == REFEREE_ERROR_NULL && referee_advance(none, value) == REFEREE_ERROR_NULL);
  check(referee_keep(none, value, &value) == REFEREE_ERROR_NULL && referee_forget(none, value) == REFEREE_ERROR_NULL);
  check(referee_on_finding(none, NULL, NULL) == REFEREE_ERROR_NULL && referee_next_finding(none) == NULL);
  check(referee_end(none) == REFEREE_ERROR_NULL && referee_begin(none) == REFEREE_ERROR_NULL);
  check(referee_status(none) == REFEREE_ERROR_NULL && referee_rule_status(none, 0) == REFEREE_ERROR_NULL);
  check(referee_reason(none, 0) == NULL && referee_rule_count(none) == 0 && referee_rule_name(none, 0) == NULL);
  check(referee_violation_count(none, 0) == 0 && referee_pending_count(none, 0) == 0 && referee_point_count(none) == 0);
  check(referee_warning_count(none) == 0 && referee_warning(none, 0) == NULL);
  check(referee_save(none, &bytes, &size) == REFEREE_ERROR_NULL && referee_save_file(none, "x") == REFEREE_ERROR_NULL);
  check(referee_load(none, bytes, 0) == REFEREE_ERROR_NULL && referee_load_file(none, "x") == REFEREE_ERROR_NULL);
  check(referee_kind_of(none, "open", NULL, 0) == 0 && referee_last_error()->code == REFEREE_ERROR_NULL);
  check(referee_session_new(NULL, 1, NULL) == NULL && referee_last_error()->code == REFEREE_ERROR_NULL);
  check(strcmp(referee_last_error()->message, "`specifications` is a null pointer") == 0);
  check(referee_session_free(none) == REFEREE_OK);
}

static void of_handles(void) {
  /* What looks like nothing that the library has given. */
  static uint64_t other[8];
  referee_session *session = session_of("ajar.qtl", AJAR, 0), *next;
  referee_kind open = unary(session, "open", "file");
  check(referee_session_free(session) == REFEREE_OK && referee_session_free(session) == REFEREE_ERROR_HANDLE);
  check(referee_event1(session, open, referee_integer(1)) == REFEREE_ERROR_HANDLE);
  check(strcmp(referee_last_error()->message, "the session was freed") == 0);
  next = session_of("ajar.qtl", AJAR, 0);
  check(next != session && referee_end(session) == REFEREE_ERROR_HANDLE);
  /* The kind is one of the session that is gone. */
  check(referee_event1(next, open, referee_integer(1)) == REFEREE_ERROR_KIND);
  check(referee_event1(next, 0, referee_integer(1)) == REFEREE_ERROR_KIND);
  check(referee_event1(next, unary(next, "open", "file") + 1, referee_integer(1)) == REFEREE_ERROR_KIND);
  check(referee_rule_status(next, 1) == REFEREE_ERROR_KIND);
  check(referee_end((referee_session *)(void *)other) == REFEREE_ERROR_HANDLE);
  check(referee_end((referee_session *)(void *)((char *)other + 1)) == REFEREE_ERROR_HANDLE);
  check(referee_kind_of(next, NULL, NULL, 0) == 0 && referee_kind_of(next, "open", NULL, 1) == 0);
  check(referee_kind_of(next, "\xff", NULL, 0) == 0 && referee_last_error()->code == REFEREE_ERROR_VALUE);
  referee_session_free(next);
}

static void fails(const char *file, const char *language, const char *text, int32_t code, const char *message) {
  referee_specification specification;
  specification.file = file, specification.language = language, specification.text = text;
  check(referee_session_new(&specification, 1, NULL) == NULL);
  if (referee_last_error()->code != code || strstr(referee_last_error()->message, message) == NULL) {
    fprintf(stderr, "expected %d: %s\nfound %d: %s\n", code, message, referee_last_error()->code, referee_last_error()->message);
    exit(1);
  }
}

static void of_specifications(void) {
  const referee_error *error;
  fails("a.qtl", NULL, "prop a:\n  Forall f . open(f) ->", REFEREE_ERROR_SPECIFICATION, "expected");
  error = referee_last_error();
  check(strcmp(error->file, "a.qtl") == 0 && error->line == 2 && error->column > 10);
  check(strstr(error->details, "a.qtl:2:") != NULL && strchr(error->message, '\n') == NULL);
  fails("a.txt", NULL, "x", REFEREE_ERROR_SPECIFICATION, "a.txt: the name does not tell the language");
  fails("a.txt", "QTL", "prop", REFEREE_ERROR_SPECIFICATION, "expected");
  fails(NULL, NULL, "x", REFEREE_ERROR_SPECIFICATION, "specification 1: the name does not tell the language");
  fails(NULL, "qtl", NULL, REFEREE_ERROR_SPECIFICATION, "neither a file nor a text");
  fails("missing.qtl", NULL, NULL, REFEREE_ERROR_FILE, "missing.qtl: the specification cannot be read");
  fails("\xff", NULL, "x", REFEREE_ERROR_OPTION, "`file` is no text in UTF-8");
}

static void of_options(void) {
  referee_specification specification;
  referee_options options;
  specification.file = "ajar.qtl", specification.language = NULL, specification.text = AJAR;
  memset(&options, 0, sizeof options);
  options.flags = 1u << 31;
  check(referee_session_new(&specification, 1, &options) == NULL && referee_last_error()->code == REFEREE_ERROR_OPTION);
  options.flags = REFEREE_ALL | REFEREE_FIRST;
  check(referee_session_new(&specification, 1, &options) == NULL && referee_last_error()->code == REFEREE_ERROR_OPTION);
  options.flags = 0, options.reserved = 1;
  check(referee_session_new(&specification, 1, &options) == NULL && referee_last_error()->code == REFEREE_ERROR_OPTION);
  options.reserved = 0, options.unit = "weeks";
  check(referee_session_new(&specification, 1, &options) == NULL && referee_last_error()->code == REFEREE_ERROR_OPTION);
  check(strcmp(referee_version(), "0.1.0") == 0);
}

/* A specification may come from a file, and a session may have many. */
static void of_nothing(void) {
  referee_specification specification;
  referee_session *session;
  FILE *file = fopen("ajar.qtl", "w");
  check(file != NULL && fputs(AJAR, file) >= 0 && fclose(file) == 0);
  specification.file = "ajar.qtl", specification.language = NULL, specification.text = NULL;
  session = referee_session_new(&specification, 1, NULL);
  check(session != NULL && referee_rule_count(session) == 1);
  referee_session_free(session);
  session = referee_session_new(NULL, 0, NULL);
  check(session != NULL && referee_rule_count(session) == 0 && referee_status(session) == REFEREE_SATISFIED);
  referee_session_free(session);
}

int main(void) {
  of_pointers();
  of_handles();
  of_specifications();
  of_options();
  of_nothing();
  return 0;
}
