/* Times: points with several events, a clock that moves by itself, and what a session refuses of times. */
#include "check.h"

static const char ANSWERED[] = "(ask(x) IMPLIES EVENTUALLY[0,10] reply(x))";

static int32_t at(referee_session *session, int64_t time, referee_kind kind, referee_value value) {
  return referee_event_at(session, referee_integer(time), kind, &value, 1);
}

static void that_pass(void) {
  const referee_finding *finding;
  referee_session *session = session_of("answered.mfotl", ANSWERED, REFEREE_ALL);
  referee_kind ask = unary(session, "ask", "x"), reply = unary(session, "reply", "x");
  check(at(session, 100, ask, referee_text("a")) == REFEREE_OK);
  check(at(session, 101, ask, referee_text("b")) == REFEREE_OK);
  check(at(session, 105, reply, referee_text("a")) == REFEREE_OK);
  check(referee_advance(session, referee_integer(111)) == REFEREE_OK);
  check(referee_advance(session, referee_double(111.5)) == REFEREE_FOUND);
  finding = referee_next_finding(session);
  check(finding->point == 2 && finding->decided == 3 && strcmp(finding->time, "101") == 0);
  check(strcmp(finding->line, "VIOLATION answered: point 2, time 101, x = b") == 0);
  check(at(session, 111, ask, referee_text("c")) == REFEREE_ERROR_TIME);
  check(referee_advance(session, referee_boolean(1)) == REFEREE_ERROR_VALUE);
  check(referee_advance(session, referee_text("soon")) == REFEREE_ERROR_VALUE);
  check(at(session, 112, ask, referee_text("c")) == REFEREE_OK);
  check(referee_event1(session, ask, referee_text("c")) == REFEREE_ERROR_TIME);
  check(referee_end(session) == REFEREE_FOUND);
  expect(session, "VIOLATION answered: point 4, time 112, x = c");
  referee_session_free(session);
}

/* The times of points that stay open are known however many points come between. */
static void of_long_ago(void) {
  int event;
  referee_session *session = session_of("answered.mfotl", "(ask(x) IMPLIES EVENTUALLY[0,100000] reply(x))", REFEREE_ALL);
  referee_kind ask = unary(session, "ask", "x"), reply = unary(session, "reply", "x");
  check(at(session, 7, ask, referee_text("late")) == REFEREE_OK);
  for (event = 0; event < 5000; event++) {
    check(at(session, 10 + event, ask, referee_integer(event)) == REFEREE_OK);
    check(at(session, 10 + event, reply, referee_integer(event)) == REFEREE_OK);
  }
  check(referee_advance(session, referee_integer(200000)) == REFEREE_FOUND);
  expect(session, "VIOLATION answered: point 1, time 7, x = late");
  expect(session, NULL);
  referee_session_free(session);
}

static void of_points(void) {
  referee_session *session = session_of("together.foltl", "(forall x)(always (a(x) => b(x)))", REFEREE_ALL);
  referee_kind a = unary(session, "a", "x"), b = unary(session, "b", "x");
  referee_value one = referee_integer(1), two = referee_integer(2), time = referee_text("12.5");
  referee_point_event events[3];
  events[0].kind = a, events[0].values = &one, events[0].count = 1;
  events[1].kind = b, events[1].values = &one, events[1].count = 1;
  events[2].kind = a, events[2].values = &two, events[2].count = 1;
  check(referee_point(session, &time, events, 2) == REFEREE_OK);
  check(referee_point(session, &time, NULL, 0) == REFEREE_OK);
  check(referee_point(session, &time, NULL, 1) == REFEREE_ERROR_NULL);
  check(referee_point(session, NULL, events, 1) == REFEREE_ERROR_TIME);
  check(referee_point(session, &time, events, 3) == REFEREE_FOUND);
  check(referee_point_count(session) == 3);
  expect(session, "VIOLATION together: point 3, time 12.5, x = 2");
  referee_session_free(session);
}

static void that_are_needed(void) {
  referee_session *session;
  /* Such a rule says nothing of points without times. */
  session = session_of("often.soloist", "G C[600] <= 3 (a)", 0);
  check(referee_event0(session, referee_kind_of(session, "a", NULL, 0)) == REFEREE_ERROR_TIME);
  check(strstr(referee_last_error()->message, "often.soloist:1:") != NULL);
  referee_session_free(session);
  session = session_of("any.foltl", "always not a", REFEREE_TIMED);
  check(referee_event0(session, referee_kind_of(session, "a", NULL, 0)) == REFEREE_ERROR_TIME);
  check(referee_point_count(session) == 0);
  referee_session_free(session);
}

/* A length of time is that much whatever unit the program counts in. */
static void in_units(void) {
  referee_specification specification;
  referee_options options;
  referee_session *session;
  referee_kind ask;
  referee_value who = referee_text("a");
  memset(&specification, 0, sizeof specification);
  memset(&options, 0, sizeof options);
  specification.language = "mfotl";
  specification.text = "(ask(x) IMPLIES EVENTUALLY[0,2s] reply(x))";
  options.unit = "ms";
  session = referee_session_new(&specification, 1, &options);
  check(session != NULL);
  ask = unary(session, "ask", "x");
  check(referee_event_at(session, referee_integer(0), ask, &who, 1) == REFEREE_OK);
  check(referee_advance(session, referee_integer(2000)) == REFEREE_OK);
  check(referee_advance(session, referee_integer(2001)) == REFEREE_FOUND);
  referee_session_free(session);
}

int main(void) {
  that_pass();
  of_long_ago();
  of_points();
  that_are_needed();
  in_units();
  return 0;
}
