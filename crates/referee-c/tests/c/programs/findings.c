/* Findings: by callback and by asking, with bindings, messages, reasons and times; statuses before and after the end. */
#include "check.h"

static const char AJAR[] = "prop ajar: Forall f . open(f) -> ! @ (!close(f) S open(f))";
static const char TWICE[] =
    "input file: Int\noutput before := file.offset(by: -1).defaults(to: 0)\ntrigger file = before \"twice\"";

struct heard {
  referee_session *session;
  int count;
  int refused;
  char line[200];
};

static void hear(void *context, const referee_finding *finding) {
  struct heard *heard = context;
  heard->count++;
  snprintf(heard->line, sizeof heard->line, "%s", finding->line);
  /* A session takes no calls below its callback. */
  heard->refused += referee_end(heard->session) == REFEREE_ERROR_BUSY;
  heard->refused += referee_session_free(heard->session) == REFEREE_ERROR_BUSY;
}

static void by_asking(void) {
  const referee_finding *finding;
  referee_session *session = session_of("ajar.qtl", AJAR, REFEREE_ALL);
  referee_kind open = unary(session, "open", "file");
  check(referee_rule_count(session) == 1 && strcmp(referee_rule_name(session, 0), "ajar") == 0);
  check(referee_rule_name(session, 1) == NULL);
  check(referee_event1(session, open, referee_text("a")) == REFEREE_OK);
  check(referee_status(session) == REFEREE_UNDECIDED && referee_next_finding(session) == NULL);
  check(referee_event1(session, open, referee_text("b")) == REFEREE_OK);
  check(referee_event1(session, open, referee_text("a")) == REFEREE_FOUND);
  check(referee_event1(session, open, referee_text("b")) == REFEREE_FOUND);
  check(referee_status(session) == REFEREE_VIOLATED);
  finding = referee_next_finding(session);
  check(finding->rule == 0 && finding->point == 3 && finding->decided == 3 && finding->opened == 0);
  check(finding->time == NULL && finding->message == NULL && finding->witness_count == 0);
  check(finding->binding_count == 1 && strcmp(finding->bindings[0].name, "f") == 0);
  check(strcmp(finding->bindings[0].value, "a") == 0 && strcmp(finding->name, "ajar") == 0);
  expect(session, "VIOLATION ajar: point 4, f = b");
  expect(session, NULL);
  check(referee_end(session) == REFEREE_OK && referee_status(session) == REFEREE_VIOLATED);
  check(referee_violation_count(session, 0) == 2 && referee_point_count(session) == 4);
  check(referee_session_free(session) == REFEREE_OK);
}

static void by_callback(void) {
  struct heard heard;
  referee_session *session = session_of("ajar.qtl", AJAR, 0);
  referee_kind open = unary(session, "open", "file");
  memset(&heard, 0, sizeof heard);
  heard.session = session;
  check(referee_on_finding(session, hear, &heard) == REFEREE_OK);
  check(referee_event1(session, open, referee_integer(7)) == REFEREE_OK);
  check(referee_event1(session, open, referee_integer(7)) == REFEREE_FOUND);
  check(heard.count == 1 && heard.refused == 2);
  check(strcmp(heard.line, "VIOLATION ajar: point 2, f = 7") == 0);
  /* Only the first violation of a rule is wanted. */
  check(referee_event1(session, open, referee_integer(7)) == REFEREE_OK && heard.count == 1);
  check(referee_next_finding(session) == NULL);
  check(referee_on_finding(session, NULL, NULL) == REFEREE_OK);
  referee_session_free(session);
}

static void with_messages(uint32_t flags, int expected) {
  int event, found = 0;
  const referee_finding *finding;
  referee_session *session = session_of("twice.lola", TWICE, flags);
  referee_kind open = unary(session, "open", "file");
  for (event = 0; event < 4; event++) {
    found += referee_event1(session, open, referee_integer(7)) == REFEREE_FOUND;
  }
  check(found == expected);
  finding = referee_next_finding(session);
  check(finding != NULL && strcmp(finding->message, "twice") == 0);
  referee_session_free(session);
}

static void with_reasons(void) {
  const referee_finding *finding;
  referee_session *session = session_of("ajar.qtl", AJAR, REFEREE_WITNESS);
  referee_kind open = unary(session, "open", "file");
  referee_event1(session, open, referee_text("a"));
  check(referee_event1(session, open, referee_text("a")) == REFEREE_FOUND);
  finding = referee_next_finding(session);
  check(finding->witness_count > 0 && strlen(finding->witness[0]) > 0);
  referee_session_free(session);
}

static void at_the_end(void) {
  referee_session *session = session_of("closed.foltl", "(forall f)(always (open(f) => eventually close(f)))", REFEREE_ALL);
  referee_kind open = unary(session, "open", "file"), close = unary(session, "close", "file");
  referee_event1(session, open, referee_text("a"));
  referee_event1(session, open, referee_text("b"));
  referee_event1(session, close, referee_text("a"));
  check(referee_end(session) == REFEREE_FOUND && referee_status(session) == REFEREE_VIOLATED);
  expect(session, "VIOLATION closed: point 3, f = b");
  expect(session, NULL);
  check(referee_event1(session, open, referee_text("a")) == REFEREE_ERROR_ENDED);
  check(referee_end(session) == REFEREE_ERROR_ENDED);
  /* Another trace of the same session. */
  check(referee_begin(session) == REFEREE_OK && referee_begin(session) == REFEREE_ERROR_ENDED);
  referee_event1(session, open, referee_text("c"));
  referee_event1(session, close, referee_text("c"));
  check(referee_point_count(session) == 2 && referee_end(session) == REFEREE_OK);
  check(referee_violation_count(session, 0) == 1 && referee_status(session) == REFEREE_VIOLATED);
  referee_session_free(session);
}

static void of_a_prefix(void) {
  referee_session *session =
      session_of("closed.foltl", "(forall f)(always (open(f) => eventually close(f)))", REFEREE_ALL | REFEREE_PREFIX);
  referee_event1(session, unary(session, "open", "file"), referee_text("a"));
  check(referee_end(session) == REFEREE_OK && referee_status(session) == REFEREE_SATISFIED);
  check(referee_pending_count(session, 0) > 0);
  referee_session_free(session);
}

static void of_rules_that_give_up(void) {
  referee_session *session = session_of("low.stl", "eventually speed < 10", 0);
  referee_kind other = unary(session, "sample", "heat");
  referee_value heat = referee_integer(3);
  check(referee_event_at(session, referee_integer(1), other, &heat, 1) == REFEREE_OK);
  check(referee_end(session) == REFEREE_OK && referee_status(session) == REFEREE_GAVE_UP);
  check(strstr(referee_reason(session, 0), "speed") != NULL);
  referee_session_free(session);
}

int main(void) {
  by_asking();
  by_callback();
  with_messages(0, 3);
  with_messages(REFEREE_ALL, 3);
  with_messages(REFEREE_FIRST, 1);
  with_reasons();
  at_the_end();
  of_a_prefix();
  of_rules_that_give_up();
  return 0;
}
