/* REFEREE_EVENT(name, values…) tells Referee of an event. Without `referee cc` it is nothing, and its values are not worked out.

       REFEREE_EVENT(open, pid, fd);

   Put this file beside your program. */
#ifndef REFEREE_EVENT_H
#define REFEREE_EVENT_H

#ifndef REFEREE_EVENT
#define REFEREE_EVENT(...) ((void)0)
#endif

#endif
