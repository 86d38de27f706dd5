/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands about what stops ranks: see stops.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "commands.h"
#include "debug/message_break.h"
#include "stops.h"

/* Without brackets a breakpoint is for all ranks. */
static const bool *ranks_of(struct sched_console *c)
{
    if (!c->set_given)
        memset(c->set, 1, (size_t)c->session->n * sizeof *c->set);
    return c->set;
}

bool sched_do_break(struct sched_console *c, const char *args)
{
    if (!*args)
        return sched_session_fail(c->session, "break where? FILE:LINE, or a function; or send, recv, "
                                              "collective, choice");
    if (sched_message_break_is(args))
        return sched_stops_add_message(c->stops, args, ranks_of(c));
    return sched_stops_add_place(c->stops, args, ranks_of(c), false);
}

bool sched_do_tbreak(struct sched_console *c, const char *args)
{
    if (!*args)
        return sched_session_fail(c->session, "tbreak where? FILE:LINE, or a function");
    if (sched_message_break_is(args))
        return sched_session_fail(c->session,
                                  "tbreak is for places: break %s stops there, and delete ends it", args);
    return sched_stops_add_place(c->stops, args, ranks_of(c), true);
}

bool sched_do_watch(struct sched_console *c, const char *args)
{
    return *args ? sched_stops_add_watch(c->stops, args, c->set, c->level)
                 : sched_session_fail(c->session, "watch what?");
}

bool sched_do_delete(struct sched_console *c, const char *args)
{
    char *end;
    long number = strtol(args, &end, 10);
    if (*end || number < 0)
        return sched_session_fail(c->session, "delete which? info breakpoints lists their numbers");
    return sched_stops_delete(c->stops, number);
}

bool sched_do_info(struct sched_console *c, const char *args)
{
    if (strncmp(args, "b", 1) != 0)
        return sched_session_fail(c->session, "info what? info breakpoints; for gdb's own: gdb info %s",
                                  *args ? args : "...");
    sched_stops_put(c->stops);
    return true;
}
