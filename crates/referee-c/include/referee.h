/* referee.h: sessions of Referee, which judge events against rules while a program runs.
 *
 *   specifications ─> referee_session_new ─> session <- referee_kind_of, referee_keep   resolved once
 *                                               │    <- referee_event0…4, referee_point, referee_advance, referee_forget
 *                                               ├─> findings                            by callback, or one by one
 *                                               ├─> referee_save ─> bytes ─> referee_load   another process, later
 *                                               └─> referee_end ─> referee_status
 *
 * Functions that return int32_t give REFEREE_OK, REFEREE_FOUND or a negative REFEREE_ERROR_…; those that return a pointer
 * or a number give null or 0 where they fail. referee_last_error says what went wrong. A call that fails has done nothing.
 *
 * Threads: a session belongs to one thread at a time and may be handed on; different sessions may be in calls on different
 * threads at once. There are no locks inside. What else a function needs of its caller stands beside it.
 *
 * Made of the sources of crates/referee-c by cbindgen; do not edit it. */
#ifndef REFEREE_H
#define REFEREE_H


#include <stddef.h>
#include <stdint.h>

/**
 * The call has done what it says.
 */
#define REFEREE_OK 0

/**
 * The same, and something was found: the callback has heard of it, or `referee_next_finding` hands it out.
 */
#define REFEREE_FOUND 1

/**
 * A pointer is null where none may be.
 */
#define REFEREE_ERROR_NULL -1

/**
 * The pointer is that of no session: it was freed, or never was one.
 */
#define REFEREE_ERROR_HANDLE -2

/**
 * The session is in another call: on another thread, or below a callback.
 */
#define REFEREE_ERROR_BUSY -3

/**
 * A fault of Referee has stopped a call. That session takes no more calls but `referee_session_free`.
 */
#define REFEREE_ERROR_FAULT -4

/**
 * An option that this version does not know.
 */
#define REFEREE_ERROR_OPTION -5

/**
 * A specification that cannot be read or compiled; the error says where.
 */
#define REFEREE_ERROR_SPECIFICATION -6

/**
 * A file that cannot be read or written.
 */
#define REFEREE_ERROR_FILE -7

/**
 * A kind of events, or the number of a rule, that the session does not have.
 */
#define REFEREE_ERROR_KIND -8

/**
 * An event with too few or too many arguments.
 */
#define REFEREE_ERROR_ARGUMENTS -9

/**
 * A value that no trace can have: not a number, no UTF-8, or kept for another session.
 */
#define REFEREE_ERROR_VALUE -10

/**
 * A time that goes back, is missing, or is one too many.
 */
#define REFEREE_ERROR_TIME -11

/**
 * The trace has ended, or has not.
 */
#define REFEREE_ERROR_ENDED -12

/**
 * A state that cannot be saved or loaded.
 */
#define REFEREE_ERROR_STATE -13

/**
 * Nothing decides the rule yet.
 */
#define REFEREE_UNDECIDED 0

/**
 * The trace has ended and obeys the rule.
 */
#define REFEREE_SATISFIED 1

/**
 * It does not.
 */
#define REFEREE_VIOLATED 2

/**
 * It could not be judged; `referee_reason` says why.
 */
#define REFEREE_GAVE_UP 3

/**
 * All violations are findings. Without it the first of each rule is, and of streams all.
 */
#define REFEREE_ALL 1

/**
 * The first violation of each rule is a finding, also of streams.
 */
#define REFEREE_FIRST 2

/**
 * The trace may go on after the end: what is open there is pending and not violated.
 */
#define REFEREE_PREFIX 4

/**
 * Every point must have a time.
 */
#define REFEREE_TIMED 8

/**
 * Findings have witness lines, which say why. All that the rules can see of the trace is then kept.
 */
#define REFEREE_WITNESS 16

/**
 * Every rule has a judge of its own, so that a saved state can be loaded with other rules beside it.
 */
#define REFEREE_SEPARATE 32

/**
 * FO-LTL: binary operators may be mixed without parentheses.
 */
#define REFEREE_LENIENT 64

/**
 * DejaVu: quantifiers range over the values seen so far.
 */
#define REFEREE_SEEN 128

/**
 * SOLOIST: a modality is false as long as less than its window has passed.
 */
#define REFEREE_FULL_WINDOW 256

/**
 * SOLOIST: a distance without a pair is true.
 */
#define REFEREE_VACUOUS 512

/**
 * A signed integer.
 */
#define REFEREE_INTEGER 1

/**
 * An unsigned integer.
 */
#define REFEREE_UNSIGNED 2

/**
 * A number with a fraction. It stands for the shortest decimal that is read back as the same double.
 */
#define REFEREE_DOUBLE 3

/**
 * The identity of an object: compared for equality only, shown as a number.
 */
#define REFEREE_POINTER 4

/**
 * A text in UTF-8, read as a trace is: `7` is a number and `true` a truth value.
 */
#define REFEREE_TEXT 5

/**
 * A truth value.
 */
#define REFEREE_BOOLEAN 6

/**
 * A value that `referee_keep` has given.
 */
#define REFEREE_KEPT 7

/**
 * The length of a text that ends with its first NUL.
 */
#define REFEREE_TO_NUL UINT32_MAX

/**
 * A session, as C holds it. It belongs to one thread at a time; different sessions may be in calls on different threads at once.
 */
typedef struct referee_session referee_session;

/**
 * A kind of events of a session; 0 is none.
 */
typedef uint64_t referee_kind;

/**
 * What a value has, by its type.
 */
typedef union referee_content {
  /**
   * A signed integer, or a truth value: anything but 0 is true.
   */
  int64_t integer;
  /**
   * An unsigned integer, or what `referee_keep` has written.
   */
  uint64_t word;
  /**
   * A number with a fraction.
   */
  double number;
  /**
   * An object.
   */
  const void *pointer;
  /**
   * A text.
   */
  const char *text;
} referee_content;

/**
 * An argument of an event, or a time. Make one with `referee_integer`, `referee_text` and their like.
 */
typedef struct referee_value {
  /**
   * One of `REFEREE_INTEGER`, `REFEREE_TEXT`, …
   */
  uint32_t kind;
  /**
   * Of a text its length in bytes, or `REFEREE_TO_NUL`; of a kept value the number of its session.
   */
  uint32_t length;
  /**
   * What it has.
   */
  union referee_content content;
} referee_value;

/**
 * An event of a point.
 */
typedef struct referee_point_event {
  /**
   * Its kind.
   */
  referee_kind kind;
  /**
   * Its arguments.
   */
  const struct referee_value *values;
  /**
   * How many it has.
   */
  size_t count;
} referee_point_event;

/**
 * A variable of a rule and its value.
 */
typedef struct referee_binding {
  /**
   * The variable.
   */
  const char *name;
  /**
   * Its value; null stands for every value that nobody has named.
   */
  const char *value;
} referee_binding;

/**
 * A violation of a rule.
 */
typedef struct referee_finding {
  /**
   * The rule, from 0, in the order of the specifications.
   */
  size_t rule;
  /**
   * Its name.
   */
  const char *name;
  /**
   * The point that violates it, from 1; 0 on a trace without points.
   */
  uint64_t point;
  /**
   * The point after which that was certain; 0 if the end of the trace has decided it.
   */
  uint64_t decided;
  /**
   * Where the obligation began that was still open at the end; 0 if none was.
   */
  uint64_t opened;
  /**
   * The time of the point, or null.
   */
  const char *time;
  /**
   * What the specification says of it, in the languages with messages, or null.
   */
  const char *message;
  /**
   * How many variables have values.
   */
  size_t binding_count;
  /**
   * They.
   */
  const struct referee_binding *bindings;
  /**
   * How many lines say why it is a violation; none without `REFEREE_WITNESS`.
   */
  size_t witness_count;
  /**
   * They.
   */
  const char *const *witness;
  /**
   * All this in the line that `referee check` prints of it, but for the event.
   */
  const char *line;
} referee_finding;

/**
 * Why a call did nothing.
 */
typedef struct referee_error {
  /**
   * One of `REFEREE_ERROR_…`; `REFEREE_OK` as long as no call on this thread has failed.
   */
  int32_t code;
  /**
   * What went wrong and what to do, in one line.
   */
  const char *message;
  /**
   * The same as a text of several lines that shows the place; of most errors it is the message.
   */
  const char *details;
  /**
   * The file, or null.
   */
  const char *file;
  /**
   * The line in it, from 1, or 0.
   */
  uint64_t line;
  /**
   * The column in characters, from 1, or 0.
   */
  uint64_t column;
} referee_error;

/**
 * A specification: a text, or a file where the text is null.
 */
typedef struct referee_specification {
  /**
   * The name of the file. Errors name it, and its extension is the language where none is given. Null for a text without a file.
   */
  const char *file;
  /**
   * `foltl`, `qtl`, `mfotl`, `soloist`, `qea`, `mop`, `gcl`, `ruler`, `logfire`, `larva`, `lola` or `stl`; null to take the file's extension.
   */
  const char *language;
  /**
   * The text, which ends with NUL; null to read the file.
   */
  const char *text;
} referee_specification;

/**
 * What a session is to do. All zero is what is usual.
 */
typedef struct referee_options {
  /**
   * `REFEREE_ALL`, `REFEREE_PREFIX` and their like, joined with `|`.
   */
  uint32_t flags;
  /**
   * Must be 0.
   */
  uint32_t reserved;
  /**
   * The unit of the times that are handed over: `ns`, `us`, `ms`, `s`, `m`, `h` or `d`, null for `s`. Lengths such as `30s` in rules are
   * counted in it.
   */
  const char *unit;
} referee_options;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Judges a point with one event that has no arguments, and no time. For threads and the result see `referee_event`.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_event0(struct referee_session *session,
                       referee_kind kind);

/**
 * The same with one argument.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_event1(struct referee_session *session, referee_kind kind, struct referee_value first);

/**
 * The same with two arguments.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_event2(struct referee_session *session,
                       referee_kind kind,
                       struct referee_value first,
                       struct referee_value second);

/**
 * The same with three arguments.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_event3(struct referee_session *session,
                       referee_kind kind,
                       struct referee_value first,
                       struct referee_value second,
                       struct referee_value third);

/**
 * The same with four arguments.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_event4(struct referee_session *session,
                       referee_kind kind,
                       struct referee_value first,
                       struct referee_value second,
                       struct referee_value third,
                       struct referee_value fourth);

/**
 * Judges a point with one event and no time. `REFEREE_FOUND` says that this has decided a violation, `REFEREE_OK` that it has not; a
 * negative code is an error, and then nothing has happened.
 *
 * A session belongs to one thread at a time; below a callback it takes no calls.
 *
 * What the caller sees to:
 *
 * `session` is null or what `referee_session_new` has given, and no other thread is in a call with it. `values` has `count`
 * members. Texts end with NUL or are as long as they say; nothing of them is needed when the call is over.
 */
int32_t referee_event(struct referee_session *session,
                      referee_kind kind,
                      const struct referee_value *values,
                      size_t count);

/**
 * The same at a time, which is not before that of the point before. All points have times, or none has.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_event_at(struct referee_session *session,
                         struct referee_value time,
                         referee_kind kind,
                         const struct referee_value *values,
                         size_t count);

/**
 * Judges a point with any number of events, which happen at once. `time` is null for a point without a time.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `events` has `count` members, and `time` is null or a value.
 */
int32_t referee_point(struct referee_session *session,
                      const struct referee_value *time,
                      const struct referee_point_event *events,
                      size_t count);

/**
 * Time passes without an event: no point will come before this time. It decides what follows from that, such as a deadline that is
 * over. The result is that of `referee_event`.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_advance(struct referee_session *session,
                        struct referee_value time);

/**
 * Looks a value up once. What is written to `kept` stands for it in this session from now on, which saves the look-up of texts and of
 * doubles.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `kept` points to a value that may be written.
 */
int32_t referee_keep(struct referee_session *session,
                     struct referee_value value,
                     struct referee_value *kept);

/**
 * A value, such as an object that was destroyed, never comes again: what only it could reach may go. If it does come again, it is judged as a value
 * without a past, or with a part of it.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_forget(struct referee_session *session,
                       struct referee_value value);

/**
 * From now on `callback` hears of every finding, before the call that decides it returns. With null, findings wait until
 * `referee_next_finding` asks for them, as they do at first.
 *
 * The callback runs on the thread of that call. It must return (no `longjmp`, no exception), and this session takes no calls below it.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `callback` may be called with `context` until it is replaced or the session is freed.
 */
int32_t referee_on_finding(struct referee_session *session,
                           void (*callback)(void *context, const struct referee_finding *finding),
                           void *context);

/**
 * The next finding that waits, in the order in which they were decided, or null. It is valid until the next one is asked for. Findings
 * that nobody asks for are kept until the session is freed.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
const struct referee_finding *referee_next_finding(struct referee_session *session);

/**
 * Ends the trace, which decides the rest. The result is that of `referee_event`.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_end(struct referee_session *session);

/**
 * Begins another trace when one has ended. Kinds, kept values and findings that wait stay; without `REFEREE_ALL`, rules with a violation
 * are judged no more.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_begin(struct referee_session *session);

/**
 * The status of all rules on all traces so far: violated if any rule is, else undecided if any is, else given up if any is, else satisfied. A
 * negative code is an error.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_status(const struct referee_session *session);

/**
 * The status of one rule on all traces so far: `REFEREE_UNDECIDED`, `REFEREE_SATISFIED`, `REFEREE_VIOLATED` or `REFEREE_GAVE_UP`. A negative code is an error.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
int32_t referee_rule_status(const struct referee_session *session,
                            size_t rule);

/**
 * Why a rule could not be judged, or null. It is valid until the session is freed.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
const char *referee_reason(const struct referee_session *session, size_t rule);

/**
 * How many rules there are, in the order of the specifications.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
size_t referee_rule_count(const struct referee_session *session);

/**
 * The name of a rule, or null if there is none of this number. It is valid until the session is freed.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
const char *referee_rule_name(const struct referee_session *session, size_t rule);

/**
 * How many violations of a rule were told, on all traces so far.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
uint64_t referee_violation_count(const struct referee_session *session, size_t rule);

/**
 * How many possible violations of a rule were neither decided nor excluded when the trace ended, with `REFEREE_PREFIX`.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
uint64_t referee_pending_count(const struct referee_session *session,
                               size_t rule);

/**
 * How many points there were in this trace.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
uint64_t referee_point_count(const struct referee_session *session);

/**
 * How many warnings there are: of doubtful specifications, and of states that were saved with other rules.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
size_t referee_warning_count(const struct referee_session *session);

/**
 * A warning, or null if there is none of this number. It is valid until the session is freed.
 *
 * What the caller sees to:
 *
 * As for `referee_event`.
 */
const char *referee_warning(const struct referee_session *session, size_t warning);

/**
 * The version of the library, such as `0.1.0`. Any thread may ask at any time.
 */
const char *referee_version(void);

/**
 * The last error of a call on this thread; never null. It is valid until the next call on this thread fails.
 */
const struct referee_error *referee_last_error(void);

/**
 * A session that judges all rules of some specifications, before its first point; null if that fails, and `referee_last_error` says why.
 * `options` may be null.
 *
 * Any thread may call it at any time. A session belongs to one thread at a time, and may be handed on to another;
 * different sessions may be in calls on different threads at once.
 *
 * What the caller sees to:
 *
 * `specifications` has `count` members, and all texts end with NUL. None of them is needed when the call is over.
 */
struct referee_session *referee_session_new(const struct referee_specification *specifications,
                                            size_t count,
                                            const struct referee_options *options);

/**
 * Frees a session; null is no error. A later call with it is refused.
 *
 * What the caller sees to:
 *
 * `session` is null or what `referee_session_new` has given, and no other thread is in a call with it.
 */
int32_t referee_session_free(struct referee_session *session);

/**
 * A kind of events: a name, and the names of its arguments in their order. The same kind has the same number whenever it is asked for; 0 says that
 * the call has failed. Ask once and keep the number.
 *
 * What the caller sees to:
 *
 * `session` is null or what `referee_session_new` has given, and no other thread is in a call with it. `arguments` has
 * `count` members, and all texts end with NUL.
 */
referee_kind referee_kind_of(struct referee_session *session,
                             const char *event,
                             const char *const *arguments,
                             size_t count);

/**
 * Writes the state of the session, between two points, into a buffer of the session. It is valid until the state is saved again, or the
 * session is freed. Sessions of other processes and machines go on from it. A session with `REFEREE_WITNESS` cannot be saved.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `bytes` and `size` may be written.
 */
int32_t referee_save(struct referee_session *session,
                     const uint8_t **bytes,
                     size_t *size);

/**
 * Writes the state into a file. Under its name there is the old state or the new one, whatever happens meanwhile.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `file` ends with NUL.
 */
int32_t referee_save_file(struct referee_session *session,
                          const char *file);

/**
 * Goes on from a state, before the first point. A rule of the state that the session does not have is dropped, and one that the state
 * does not have begins there: both are warnings.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `bytes` has `size` members.
 */
int32_t referee_load(struct referee_session *session,
                     const uint8_t *bytes,
                     size_t size);

/**
 * The same from a file.
 *
 * What the caller sees to:
 *
 * As for `referee_event`; `file` ends with NUL.
 */
int32_t referee_load_file(struct referee_session *session, const char *file);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/* Values. Their types travel with them, so that none is taken for another. */

/** A signed integer. */
static inline referee_value referee_integer(int64_t integer) {
  referee_value value;
  value.kind = REFEREE_INTEGER;
  value.length = 0;
  value.content.integer = integer;
  return value;
}

/** An unsigned integer. */
static inline referee_value referee_unsigned(uint64_t integer) {
  referee_value value;
  value.kind = REFEREE_UNSIGNED;
  value.length = 0;
  value.content.word = integer;
  return value;
}

/** A number with a fraction. */
static inline referee_value referee_double(double number) {
  referee_value value;
  value.kind = REFEREE_DOUBLE;
  value.length = 0;
  value.content.number = number;
  return value;
}

/** The identity of an object, which is compared for equality only. */
static inline referee_value referee_pointer(const void *object) {
  referee_value value;
  value.kind = REFEREE_POINTER;
  value.length = 0;
  value.content.word = (uint64_t)(uintptr_t)object;
  return value;
}

/** A text in UTF-8 that ends with NUL, read as a trace is: `7` is a number and `true` a truth value. */
static inline referee_value referee_text(const char *text) {
  referee_value value;
  value.kind = REFEREE_TEXT;
  value.length = REFEREE_TO_NUL;
  value.content.text = text;
  return value;
}

/** A text in UTF-8 of a length in bytes. */
static inline referee_value referee_text_of(const char *text, uint32_t length) {
  referee_value value;
  value.kind = REFEREE_TEXT;
  value.length = length;
  value.content.text = text;
  return value;
}

/** A truth value. */
static inline referee_value referee_boolean(int truth) {
  referee_value value;
  value.kind = REFEREE_BOOLEAN;
  value.length = 0;
  value.content.word = truth != 0;
  return value;
}

#endif /* REFEREE_H */
