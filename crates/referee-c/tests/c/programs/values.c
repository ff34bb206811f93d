/* Values: the same value is the same whatever C type it comes in, and what no trace can have is refused. */
#include "check.h"

static const char SAME[] = "prop ajar: Forall f . open(f) -> ! @ (!close(f) S open(f))";

/* Whether two values are one to the rules. */
static int are_same(referee_value one, referee_value other) {
  referee_session *session = session_of("same.qtl", SAME, 0);
  referee_kind open = unary(session, "open", "file");
  int32_t found;
  check(referee_event1(session, open, one) == REFEREE_OK);
  found = referee_event1(session, open, other);
  check(found >= 0);
  referee_session_free(session);
  return found == REFEREE_FOUND;
}

static void of_all_types(void) {
  int here, there;
  check(are_same(referee_integer(-7), referee_text("-7")));
  check(are_same(referee_unsigned(UINT64_MAX), referee_text("18446744073709551615")));
  check(are_same(referee_integer(INT64_MIN), referee_text("-9223372036854775808")));
  check(are_same(referee_double(2.0), referee_integer(2)));
  check(are_same(referee_double(0.1), referee_text("0.1")));
  check(are_same(referee_double(-0.0), referee_integer(0)));
  check(are_same(referee_double(1e300), referee_double(1e300)));
  check(!are_same(referee_double(0.1), referee_double(0.2)));
  check(are_same(referee_boolean(2), referee_text("true")));
  check(are_same(referee_pointer(&here), referee_pointer(&here)));
  check(!are_same(referee_pointer(&here), referee_pointer(&there)));
  check(are_same(referee_pointer(NULL), referee_integer(0)));
  check(are_same(referee_text("gr\xc3\xbc\xc3\x9f"), referee_text_of("gr\xc3\xbc\xc3\x9f!", 6)));
  check(!are_same(referee_text("a"), referee_text("b")));
  check(are_same(referee_text(""), referee_text_of("x", 0)));
}

static void that_are_refused(void) {
  referee_session *session = session_of("same.qtl", SAME, 0);
  referee_kind open = unary(session, "open", "file");
  referee_value unknown = referee_integer(1);
  unknown.kind = 99;
  check(referee_event1(session, open, unknown) == REFEREE_ERROR_VALUE);
  check(referee_event1(session, open, referee_text("\xff")) == REFEREE_ERROR_VALUE);
  check(strstr(referee_last_error()->message, "UTF-8") != NULL);
  check(referee_event1(session, open, referee_text_of("a\0b", 3)) == REFEREE_ERROR_VALUE);
  check(referee_event1(session, open, referee_text(NULL)) == REFEREE_ERROR_NULL);
  check(referee_event1(session, open, referee_text("1e99999")) == REFEREE_ERROR_VALUE);
  check(referee_event1(session, open, referee_double(1.0 / 0.0)) == REFEREE_ERROR_VALUE);
  check(referee_event1(session, open, referee_double(0.0 / 0.0)) == REFEREE_ERROR_VALUE);
  check(referee_point_count(session) == 0);
  referee_session_free(session);
}

static void that_are_kept(void) {
  referee_session *session = session_of("same.qtl", SAME, 0), *other = session_of("same.qtl", SAME, 0);
  referee_kind open = unary(session, "open", "file"), close = unary(session, "close", "file");
  referee_value name, number;
  check(referee_keep(session, referee_text("ledger"), &name) == REFEREE_OK);
  check(referee_keep(session, referee_double(0.5), &number) == REFEREE_OK);
  check(referee_event1(session, open, name) == REFEREE_OK);
  check(referee_event1(session, open, number) == REFEREE_OK);
  check(referee_event1(other, unary(other, "open", "file"), name) == REFEREE_ERROR_VALUE);
  check(referee_event1(session, open, referee_text("ledger")) == REFEREE_FOUND);
  check(referee_keep(session, referee_text("x"), NULL) == REFEREE_ERROR_NULL);
  /* A value that never comes again may be forgotten. */
  check(referee_event1(session, close, name) == REFEREE_OK && referee_forget(session, name) == REFEREE_OK);
  check(referee_forget(session, referee_text("\xff")) == REFEREE_ERROR_VALUE);
  referee_session_free(session);
  referee_session_free(other);
}

static void of_four_arguments(void) {
  const char *names[] = {"a", "b", "c", "d"};
  referee_session *session =
      session_of("four.qtl", "prop four: Forall a . Forall b . Forall c . Forall d . e(a,b,c,d) -> ! @ P e(a,b,c,d)", 0);
  referee_kind none = referee_kind_of(session, "n", NULL, 0), two = referee_kind_of(session, "e", names, 2);
  referee_kind three = referee_kind_of(session, "e", names, 3), four = referee_kind_of(session, "e", names, 4);
  referee_value values[4];
  int at;
  values[0] = referee_integer(1), values[1] = referee_text("t"), values[2] = referee_double(2.5), values[3] = referee_boolean(0);
  check(referee_event0(session, none) == REFEREE_OK && referee_event0(session, four) == REFEREE_ERROR_ARGUMENTS);
  check(referee_event2(session, two, values[0], values[1]) == REFEREE_OK);
  check(referee_event3(session, three, values[0], values[1], values[2]) == REFEREE_OK);
  check(referee_event3(session, four, values[0], values[1], values[2]) == REFEREE_ERROR_ARGUMENTS);
  check(referee_event4(session, four, values[0], values[1], values[2], values[3]) == REFEREE_OK);
  for (at = 0; at < 4; at++) {
    referee_value changed[4];
    memcpy(changed, values, sizeof values);
    changed[at] = referee_text("other");
    check(referee_event(session, four, changed, 4) == REFEREE_OK);
  }
  check(referee_event(session, four, values, 3) == REFEREE_ERROR_ARGUMENTS);
  check(referee_event(session, four, NULL, 4) == REFEREE_ERROR_NULL);
  check(referee_event(session, four, values, 4) == REFEREE_FOUND);
  check(four == referee_kind_of(session, "e", names, 4));
  referee_session_free(session);
}

int main(void) {
  of_all_types();
  that_are_refused();
  that_are_kept();
  of_four_arguments();
  return 0;
}
