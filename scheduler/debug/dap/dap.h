/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One session of the Debug Adapter Protocol. Ranks are its threads: thread r + 1 is rank r, and all have
 * stopped or none has.
 *
 * A request is a row of a table (conversation.c). One that moves ranks only says what is to be done
 * (sched_dap_then): it is answered at once, then ranks move, then `stopped` tells where they are.
 */
#ifndef SCHED_DEBUG_DAP_H
#define SCHED_DEBUG_DAP_H

#include <jansson.h>

#include "debug/console/console.h"
#include "debug/reverse.h"
#include "debug/session.h"
#include "debug/subject.h"
#include "debug/why.h"
#include "explore/result.h"
#include "gdb/gdb.h"
#include "talk.h"

struct sched_dap;
struct sched_dap_breakpoints;
struct sched_dap_values;

/* What is to be done when a request has been answered. */
struct sched_dap_move {
    /* False: session->why; ranks may be elsewhere then. */
    bool (*make)(struct sched_dap *dap, const struct sched_dap_move *move);
    int rank;
    bool all; /* ranks move, and not only this one */
    enum sched_gdb_move how;
    enum sched_reverse reverse;
    struct sched_record_name event;
    char *place;       /* or NULL; goes with the move */
    unsigned *choices; /* likewise */
    unsigned n_choices;
    const char *reason; /* of `stopped`, if nothing else has stopped it */
    const char *doing;  /* "going back": for a client that shows progress; NULL: it is quick */
};

struct sched_dap {
    struct sched_dap_talk talk;
    const char *token; /* that `launch` or `attach` must have; NULL: none */
    bool over;         /* a disconnect was answered */
    bool refused;      /* it had the wrong token */

    /* the client */
    bool greeted, shows_progress;
    int first_line; /* how it numbers lines: from 0 or 1 */

    /* what is debugged */
    struct sched_subject subject;
    struct sched_options *options;
    struct sched_result *result;
    struct sched_session *session;
    struct sched_session_user user;
    struct sched_console console; /* for commands that are typed into an editor */
    int shown;                    /* the file that those print to */
    bool is_launch, stop_on_entry, step_all, plain_run, configured;
    bool stops_at_finding, stops_at_end; /* filters of exceptions */
    bool at_end, was_at_end;             /* the last stop was the end of the interleaving; the one before */
    bool ready;                          /* `initialized` is to be told */
    bool terminated;                     /* so much was told, and there is no session any more */

    struct sched_dap_move then;
    const char *reason; /* of the present move's `stopped` */
    char *stop_text;    /* why the ranks have stopped, beside what is seen of them; or NULL */
    struct sched_dap_breakpoints *breakpoints;
    struct sched_dap_values *values;
    struct sched_record_name *targets; /* of gotoTargets, by their numbers - 1; then the line */
    size_t n_targets;
    char *target_line;      /* "FILE:LINE", the target behind the last one; or NULL */
    struct sched_bytes why; /* that isp/why goes on with */
    char *problem;          /* why the present request failed */
};

/* Fills the body. False: dap->problem. */
typedef bool sched_dap_request(struct sched_dap *dap, const json_t *arguments, json_t *body);

bool sched_dap_fail(struct sched_dap *dap, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The session's own reason. */
bool sched_dap_failed(struct sched_dap *dap);
/* A text of the program, or of gdb, as JSON may have it. */
json_t *sched_dap_text(const char *text);
/* A text of the arguments; NULL: there is none. */
const char *sched_dap_string(const json_t *arguments, const char *name);
/* The rank of a threadId; false: there is none. */
bool sched_dap_rank(struct sched_dap *dap, const json_t *arguments, int *rank);
/* The same, and the focus is that; without a threadId it stays. */
bool sched_dap_focus(struct sched_dap *dap, const json_t *arguments);
/* When the present request has been answered. */
void sched_dap_then(struct sched_dap *dap, const struct sched_dap_move *move);
/* Makes the move that was asked for, and tells where the ranks are then: moves.c. */
void sched_dap_make(struct sched_dap *dap);
/* Tells where they are. */
void sched_dap_tell_stopped(struct sched_dap *dap, const char *reason);
/* An `output` event of isp's own. */
void sched_dap_say(struct sched_dap *dap, const char *category, const char *text);
/* Answers what breaks off moves: conversation.c. */
void sched_dap_answer_urgent(struct sched_dap *dap);
/* One session, until the client has gone. */
void sched_dap_converse(struct sched_dap *dap);

/* start.c */
sched_dap_request sched_dap_initialize, sched_dap_launch, sched_dap_attach, sched_dap_configuration_done,
    sched_dap_disconnect, sched_dap_terminate, sched_dap_pause, sched_dap_cancel;
/* The debugged program is over; the client is told once. */
void sched_dap_tell_end(struct sched_dap *dap);
void sched_dap_end_session(struct sched_dap *dap);
/* looking.c */
sched_dap_request sched_dap_threads, sched_dap_stack_trace, sched_dap_exception_info;
bool sched_dap_frame(struct sched_dap *dap, const json_t *arguments, int *rank, int *index);
/* values.c */
sched_dap_request sched_dap_scopes, sched_dap_variables, sched_dap_evaluate, sched_dap_set_variable;
void sched_dap_forget_values(struct sched_dap *dap);
/* The expression for a part of what a reference is of, and its frame; caller frees. NULL: problem. */
char *sched_dap_expression(struct sched_dap *dap, json_int_t reference, const char *name, int *rank,
                           int *index);
/* breakpoints.c */
sched_dap_request sched_dap_set_breakpoints, sched_dap_set_function_breakpoints,
    sched_dap_set_exception_breakpoints;
/* breakpoints.c, of data */
sched_dap_request sched_dap_data_breakpoint_info, sched_dap_set_data_breakpoints;
/* moves.c */
sched_dap_request sched_dap_next, sched_dap_step_in, sched_dap_step_out, sched_dap_continue,
    sched_dap_step_back, sched_dap_reverse_continue;
/* travel.c */
sched_dap_request sched_dap_follow, sched_dap_sender, sched_dap_cause, sched_dap_isp_goto, sched_dap_why,
    sched_dap_choose, sched_dap_goto_targets, sched_dap_goto;
bool sched_dap_go_to_start(struct sched_dap *dap, const struct sched_dap_move *move);
/* telling.c */
sched_dap_request sched_dap_ranks, sched_dap_queue, sched_dap_choices, sched_dap_finding;

#endif
