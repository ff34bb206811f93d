/* What instrumented code calls. The driver puts this text in front of every file that it edits, so it is C89 with GNU
   keywords, has no directives, and every name begins with `referee_`. The run time defines what is declared here. */

__extension__ typedef unsigned long long referee_word;

/* A place in the program at which an event happens: one static object for each, initialised by constants. */
struct referee_site {
    const char *event;    /* the name of the event, as the specification has it */
    const char *file;     /* where the place is */
    const char *function;
    unsigned line;
    unsigned kind;        /* 0 at first; the run time writes what it resolved, in one piece, always the same */
};

/* Tags say what a word is: four bits an argument, the first argument in the lowest.
     1 signed integer   2 unsigned integer   3 double, its bits   4 pointer, an identity
     5 text: a `const char *` or null, read up to its NUL or the bound of the mapping   6 boolean */
extern void referee_ev0(struct referee_site *);
extern void referee_ev1(struct referee_site *, unsigned, referee_word);
extern void referee_ev2(struct referee_site *, unsigned, referee_word, referee_word);
extern void referee_ev3(struct referee_site *, unsigned, referee_word, referee_word, referee_word);
extern void referee_ev4(struct referee_site *, unsigned, referee_word, referee_word, referee_word, referee_word);
extern void referee_evn(struct referee_site *, unsigned count, const unsigned char *tags, const referee_word *words);

/* 1 when nobody judges any more, or from the start when judging is off: a call may then be left out. */
extern unsigned char referee_off;

/* The configuration is another object, made when the program is linked:
     const char referee_configuration[];  const unsigned long referee_configuration_size;
   An event of the program that the configuration does not list is judged as well: its arguments have no names. Destructors
   of the program may make events, so the run time says its verdict in a destructor of priority 101 or behind it. */
