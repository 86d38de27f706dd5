/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands: see console.h. */
#include "commands.h"

#include <string.h>

/* In the order in which `help` shows them; of several that begin alike the first one is meant. */
const struct sched_console_command sched_console_commands[] = {
    {"ranks", "ranks", "where each rank stands; equal ones together", sched_do_ranks},
    {"focus", "focus R", "commands are about rank R from now on", sched_do_focus},
    {"where", "where", "where the focus stands", sched_do_where},
    {"bt", "bt", "the stack of a rank, in the program's own functions", sched_do_backtrace},
    {"backtrace", "backtrace", "the same as bt", sched_do_backtrace},
    {"up", "up", "look at the caller's frame", sched_do_up},
    {"down", "down", "look at the frame that it has called", sched_do_down},
    {"frame", "frame N", "look at frame N of bt", sched_do_frame},
    {"list", "list [LINE]", "lines of source around the place, or around LINE", sched_do_list},
    {"print", "print [-a] EXPR", "a value; -a: of all ranks, those that differ marked", sched_do_print},
    {"display", "display [EXPR]", "show EXPR at each stop; alone: show all", sched_do_display},
    {"undisplay", "undisplay N", "no longer show the N-th", sched_do_undisplay},
    {"queue", "queue", "operations that are not complete, and messages that nobody has received",
     sched_do_queue},
    {"calls", "calls [N]", "N events around the present one, with their partners", sched_do_calls},
    {"finding", "finding", "what isp found", sched_do_finding},
    {"step", "step", "to the next line, into functions", sched_do_step},
    {"next", "next", "to the next line of this function", sched_do_next},
    {"finish", "finish", "until this function returns", sched_do_finish},
    {"until", "until [LINE]", "to a later line, past loops; or to LINE", sched_do_until},
    {"continue", "continue", "until something stops it", sched_do_continue},
    {"reverse-step", "reverse-step", "to the line before, back into functions", sched_do_reverse_step},
    {"reverse-next", "reverse-next", "to the line before, of this function", sched_do_reverse_next},
    {"reverse-finish", "reverse-finish", "to where this function was called", sched_do_reverse_finish},
    {"reverse-continue", "reverse-continue", "back to what stops it, or to the start",
     sched_do_reverse_continue},
    {"goto", "goto R:CALL|start|end|choice", "a causal stop there: the others where they must be",
     sched_do_goto},
    {"follow", "follow", "to the receive of this send", sched_do_follow},
    {"sender", "sender", "to the send of this receive", sched_do_sender},
    {"cause", "cause", "to the last receive before that send, on the sender", sched_do_cause},
    {"next-match", "next-match", "to the next event that matched another rank's", sched_do_next_match},
    {"prev-match", "prev-match", "to the one before", sched_do_prev_match},
    {"back", "back", "to where one was before", sched_do_back},
    {"forward", "forward", "to where `back` came from", sched_do_forward},
    {"why", "why [EXPR|RANK]",
     "where the value came from: the line, or the ranks that gave it; again: on from there", sched_do_why},
    {"break", "break PLACE [if COND]", "stop at FILE:LINE, a function, or each call of MPI_X",
     sched_do_break},
    {"break", "break send|recv|collective|choice",
     "stop at messages: send to=1 tag=0, recv from=any, collective MPI_Bcast comm=0,2", sched_do_break},
    {"tbreak", "tbreak PLACE", "the same, once", sched_do_tbreak},
    {"watch", "watch EXPR", "stop when it changes", sched_do_watch},
    {"delete", "delete [N]", "breakpoint N, or all", sched_do_delete},
    {"info", "info breakpoints", "what stops ranks", sched_do_info},
    {"choices", "choices", "what could be taken at this wildcard, wait or poll", sched_do_choices},
    {"choose", "choose K", "the run goes on with that alternative instead", sched_do_choose},
    {"set", "set others run|causal", "how far ranks go that are not asked to move", sched_do_set},
    {"gdb", "gdb COMMAND", "anything that gdb can do, in the focus", sched_do_gdb},
    {"help", "help [COMMAND]", "this list, or how to use one", sched_do_help},
    {"quit", "quit", "leave", sched_do_quit},
    {0},
};

/* Of gdb's. */
static const struct {
    const char *name, *means;
} short_names[] = {{"b", "break"},
                   {"c", "continue"},
                   {"d", "delete"},
                   {"f", "frame"},
                   {"i", "info"},
                   {"s", "step"},
                   {"u", "until"},
                   {"rank", "focus"},
                   {"rs", "reverse-step"},
                   {"rn", "reverse-next"},
                   {"rc", "reverse-continue"}};

const struct sched_console_command *sched_console_find(struct sched_console *c, const char *name)
{
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
        if (strcmp(name, short_names[i].name) == 0)
            name = short_names[i].means;
    size_t n = strlen(name);
    if (!n) {
        sched_session_fail(c->session, "which command is it for these ranks? help lists them");
        return NULL;
    }
    for (int whole = 1; whole >= 0; whole--) /* "back" is no short "backtrace" */
        for (const struct sched_console_command *k = sched_console_commands; k->name; k++)
            if (whole ? strcmp(k->name, name) == 0 : strncmp(k->name, name, n) == 0)
                return k;
    sched_session_fail(c->session, "no command \"%s\": help lists them", name);
    return NULL;
}

bool sched_console_moves(const struct sched_console_command *command)
{
    static sched_command *const moving[] = {
        sched_do_step,         sched_do_next,           sched_do_finish,
        sched_do_until,        sched_do_continue,       sched_do_reverse_step,
        sched_do_reverse_next, sched_do_reverse_finish, sched_do_reverse_continue,
        sched_do_cause,        sched_do_next_match,     sched_do_prev_match,
        sched_do_back,         sched_do_forward};
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (command->run == moving[i])
            return true;
    return false;
}

bool sched_do_help(struct sched_console *c, const char *args)
{
    if (*args) {
        const struct sched_console_command *k = sched_console_find(c, args);
        for (const struct sched_console_command *row = k; row && row->name; row++)
            if (strcmp(row->name, k->name) == 0)
                printf("%s: %s\n", row->usage, row->help);
        return k;
    }
    for (const struct sched_console_command *k = sched_console_commands; k->name; k++)
        printf("%-32s %s\n", k->usage, k->help);
    puts("[0,2] COMMAND is about these ranks, [all] COMMAND about all. A name may be cut short.");
    return true;
}

bool sched_do_quit(struct sched_console *c, const char *args)
{
    c->quit = true;
    return true;
}

bool sched_do_set(struct sched_console *c, const char *args)
{
    bool run = strcmp(args, "others run") == 0;
    if (!run && strcmp(args, "others causal") != 0)
        return sched_session_fail(c->session, "set what? set others run, or set others causal");
    c->session->others_run = run;
    return true;
}
