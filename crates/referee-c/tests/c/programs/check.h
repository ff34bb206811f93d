/* What the programs of the tests share: `check` ends a program that is not as it says. */
#ifndef CHECK_H
#define CHECK_H

#include "referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define check(what)                                                                                                    \
  do {                                                                                                                 \
    if (!(what)) {                                                                                                     \
      fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #what, referee_last_error()->details);       \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* A session of one specification. */
static inline referee_session *session_of(const char *file, const char *text, uint32_t flags) {
  referee_specification specification;
  referee_options options;
  referee_session *session;
  memset(&specification, 0, sizeof specification);
  memset(&options, 0, sizeof options);
  specification.file = file;
  specification.text = text;
  options.flags = flags;
  session = referee_session_new(&specification, 1, &options);
  check(session != NULL);
  return session;
}

/* A kind with one argument. */
static inline referee_kind unary(referee_session *session, const char *name, const char *argument) {
  referee_kind kind = referee_kind_of(session, name, &argument, 1);
  check(kind != 0);
  return kind;
}

/* The next finding is this line. */
static inline void expect(referee_session *session, const char *line) {
  const referee_finding *finding = referee_next_finding(session);
  if (line == NULL) {
    check(finding == NULL);
    return;
  }
  check(finding != NULL);
  if (strcmp(finding->line, line) != 0) {
    fprintf(stderr, "expected: %s\nfound:    %s\n", line, finding->line);
    exit(1);
  }
}

#endif
