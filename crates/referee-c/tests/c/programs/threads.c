/* Threads: a session each at once, errors of one thread unseen by another, and one session that goes from hand to hand. */
#include "check.h"

#include <pthread.h>

static const char AJAR[] = "prop ajar: Forall f . open(f) -> ! @ (!close(f) S open(f))";

enum { EVENTS = 2000 };

static void *judge_alone(void *context) {
  referee_session *session = session_of("ajar.qtl", AJAR, REFEREE_ALL);
  referee_kind open = unary(session, "open", "file");
  int event, found = 0;
  check(referee_last_error()->code == REFEREE_OK);
  for (event = 0; event < EVENTS; event++) {
    found += referee_event1(session, open, referee_integer(event / 2)) == REFEREE_FOUND;
  }
  check(found == EVENTS / 2);
  referee_session_free(session);
  return context;
}

static void *open_once_more(void *context) {
  referee_session *session = context;
  check(referee_event1(session, unary(session, "open", "file"), referee_text("a")) == REFEREE_FOUND);
  expect(session, "VIOLATION ajar: point 2, f = a");
  return NULL;
}

int main(void) {
  pthread_t threads[4], other;
  referee_session *session = session_of("ajar.qtl", AJAR, 0);
  int thread;
  check(referee_end(NULL) == REFEREE_ERROR_NULL);
  for (thread = 0; thread < 4; thread++) {
    check(pthread_create(&threads[thread], NULL, judge_alone, NULL) == 0);
  }
  for (thread = 0; thread < 4; thread++) {
    check(pthread_join(threads[thread], NULL) == 0);
  }
  check(referee_last_error()->code == REFEREE_ERROR_NULL);
  check(referee_event1(session, unary(session, "open", "file"), referee_text("a")) == REFEREE_OK);
  check(pthread_create(&other, NULL, open_once_more, session) == 0 && pthread_join(other, NULL) == 0);
  check(referee_status(session) == REFEREE_VIOLATED);
  referee_session_free(session);
  return 0;
}
