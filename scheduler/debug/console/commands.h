/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions behind the table of commands.c, by the file that has them. */
#ifndef SCHED_DEBUG_COMMANDS_H
#define SCHED_DEBUG_COMMANDS_H

#include "console.h"

/* looking.c */
sched_command sched_do_ranks, sched_do_focus, sched_do_where, sched_do_backtrace, sched_do_up, sched_do_down,
    sched_do_frame, sched_do_list, sched_do_print, sched_do_display, sched_do_undisplay, sched_do_gdb;
/* events.c */
sched_command sched_do_queue, sched_do_calls, sched_do_finding, sched_do_choices;
/* The choice of the present event, and its number; NULL: session->why. */
const struct sched_record_choice *sched_console_choice(struct sched_console *console, uint32_t *number);
/* "the message of 1:0 MPI_Send(to 0, tag 1)"; caller frees. */
char *sched_console_alternative(struct sched_console *console, const struct poe_alternative *alternative);
/* moving.c */
sched_command sched_do_step, sched_do_next, sched_do_finish, sched_do_until, sched_do_continue,
    sched_do_reverse_step, sched_do_reverse_next, sched_do_reverse_finish, sched_do_reverse_continue;
/* travelling.c */
sched_command sched_do_goto, sched_do_follow, sched_do_sender, sched_do_cause, sched_do_next_match,
    sched_do_prev_match, sched_do_back, sched_do_forward, sched_do_choose, sched_do_why;
/* stopping.c */
sched_command sched_do_break, sched_do_tbreak, sched_do_watch, sched_do_delete, sched_do_info;
/* commands.c */
sched_command sched_do_help, sched_do_quit, sched_do_set;

#endif
