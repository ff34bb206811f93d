/* REFEREE_EVENT(name, values…) tells Referee of an event. Without `referee cc` it is nothing, and its values are not worked out.

       REFEREE_EVENT(open, pid, fd);

   Put this file beside your program. */
#ifndef REFEREE_EVENT_H
#define REFEREE_EVENT_H

/* Macros of this kind are younger than C90, whatever the warnings that are asked for. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

#ifdef __REFEREE__
#define REFEREE_EVENT(...) referee_manual_event(__VA_ARGS__)
#else
#define REFEREE_EVENT(...) ((void)0)
#endif

#endif
