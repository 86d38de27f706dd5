/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that move ranks, forward and back by lines, and what the client is told when they have stopped. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "breakpoints.h"
#include "dap.h"
#include "debug/history.h"
#include "debug/inferior.h"
#include "debug/printing.h"
#include "debug/motion.h"
#include "debug/view.h"

/* ---- what is told ---- */

/* Why the focus has stopped, beside its place. NULL: nothing to say. Caller frees. */
static char *words_of(const struct sched_dap *dap, const struct sched_dap_breakpoint *b, const char *what)
{
    const struct sched_inferior_stop *stop = &dap->session->inferiors[dap->session->focus].stop;
    if (dap->stop_text)
        return sched_strdup(dap->stop_text);
    if (b && b->kind == SCHED_DAP_DATA)
        return sched_format("%s: %s -> %s", b->path, stop->before ? stop->before : "?",
                            stop->now ? stop->now : "?");
    return what ? sched_strdup(what) : NULL;
}

void sched_dap_tell_stopped(struct sched_dap *dap, const char *reason)
{
    struct sched_session *s = dap->session;
    struct sched_view_row row = sched_view_rank(s, s->focus);
    const struct sched_inferior *i = &s->inferiors[s->focus];
    json_t *body =
        json_pack("{s:s,s:i,s:b}", "reason", reason, "threadId", s->focus + 1, "allThreadsStopped", 1);
    const struct sched_dap_breakpoint *b =
        i->at_line ? sched_dap_breakpoint_find(dap, s->focus, i->stop.breakpoint) : NULL;
    char *text = words_of(dap, b, row.what);
    if (row.call) {
        char *words = sched_format("in %s", row.call);
        json_object_set_new(body, "description", sched_dap_text(words));
        free(words);
    }
    if (text)
        json_object_set_new(body, "text", sched_dap_text(text));
    if (b)
        json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", b->id));
    free(text);
    sched_view_finish(&row);
    sched_history_add(s->history, s->limits, s->focus);
    sched_dap_send_event(&dap->talk, "stopped", body);
}

static void tell_progress(struct sched_dap *dap, const char *event, const char *title)
{
    if (!dap->shows_progress || !title)
        return;
    json_t *body = json_pack("{s:s}", "progressId", "isp");
    if (strcmp(event, "progressStart") == 0) {
        json_object_set_new(body, "title", json_string(title));
        json_object_set_new(body, "cancellable", json_true());
    }
    sched_dap_send_event(&dap->talk, event, body);
}

/* The world may be lost for good: then nothing can be shown any more. */
static bool is_usable(const struct sched_session *s) { return s->now && s->cuts; }

static void tell_outcome(struct sched_dap *dap, bool ok)
{
    if (dap->terminated || dap->session->closing)
        return;
    if (!ok && strcmp(dap->reason, "pause") != 0)
        sched_dap_say(dap, "important", dap->session->why);
    if (is_usable(dap->session))
        sched_dap_tell_stopped(dap, dap->reason);
    else
        sched_dap_tell_end(dap);
}

void sched_dap_make(struct sched_dap *dap)
{
    struct sched_dap_move move = dap->then;
    dap->then = (struct sched_dap_move){0};
    dap->reason = move.reason;
    dap->was_at_end = dap->at_end;
    dap->at_end = false;
    free(dap->stop_text);
    dap->stop_text = NULL;
    sched_dap_forget_values(dap);
    tell_progress(dap, "progressStart", move.doing);
    dap->talk.moving = true;
    bool ok = move.make(dap, &move);
    dap->talk.moving = false;
    tell_progress(dap, "progressEnd", move.doing);
    if (!ok && dap->talk.n_urgent > 0) { /* it was broken off before it had begun */
        dap->reason = "pause";
        if (is_usable(dap->session))
            sched_inferiors_interrupt(dap->session);
    }
    sched_dap_answer_urgent(dap);
    tell_outcome(dap, ok);
    if (dap->terminated)
        sched_dap_end_session(dap);
    free(move.place);
    free(move.choices);
}

/* ---- forward ---- */

static const char *reason_of(const struct sched_dap *dap, int rank)
{
    const struct sched_inferior *i = &dap->session->inferiors[rank];
    if (!i->at_line)
        return NULL;
    switch (i->stop.reason) {
    case SCHED_GDB_BREAKPOINT: return "breakpoint";
    case SCHED_GDB_WATCHPOINT: return "data breakpoint";
    case SCHED_GDB_SIGNAL: return "exception";
    default: return NULL;
    }
}

/* A rank that something has stopped is what one wants to see. */
static void take_focus(struct sched_dap *dap, const bool *set)
{
    struct sched_session *s = dap->session;
    if (reason_of(dap, s->focus))
        return;
    for (int r = 0; r < s->n; r++)
        if (set[r] && reason_of(dap, r)) {
            s->focus = r;
            return;
        }
}

/* Nothing can go on any more. Who goes on once more has seen it, and the session ends. */
static void be_at_end(struct sched_dap *dap)
{
    const char *ending = dap->session->ending;
    bool finished = strcmp(ending, "finished") == 0;
    if (dap->was_at_end || !(finished ? dap->stops_at_end : dap->stops_at_finding)) {
        sched_dap_tell_end(dap);
        return;
    }
    dap->at_end = true;
    sched_printing_flush(dap->session->printing);
    dap->reason = finished ? "end" : "exception";
    dap->stop_text = finished ? sched_strdup("the interleaving has ended")
                              : sched_format("the interleaving ends here: %s",
                                             strcmp(ending, "died") == 0 ? "a rank has died" : ending);
}

static bool make_motion(struct sched_dap *dap, const struct sched_dap_move *move)
{
    struct sched_session *s = dap->session;
    bool *set = sched_alloc((size_t)s->n, sizeof *set);
    for (int r = 0; r < s->n; r++)
        set[r] = move->all || r == move->rank;
    s->focus = move->rank;
    struct sched_motion motion = {.set = set, .move = move->how, .place = move->place};
    enum sched_motion_end end = sched_motion_make(s, &motion);
    take_focus(dap, set);
    free(set);
    if (end == SCHED_MOTION_BROKEN_OFF)
        dap->reason = "pause";
    else if (reason_of(dap, s->focus))
        dap->reason = reason_of(dap, s->focus);
    else if (end == SCHED_MOTION_DONE && move->how == SCHED_GDB_CONTINUE && move->all)
        be_at_end(dap);
    return end != SCHED_MOTION_FAILED;
}

static bool by_instruction(const json_t *arguments)
{
    const char *granularity = sched_dap_string(arguments, "granularity");
    return granularity && strcmp(granularity, "instruction") == 0;
}

static bool move(struct sched_dap *dap, const json_t *arguments, enum sched_gdb_move how, bool all)
{
    const json_t *single = json_object_get(arguments, "singleThread");
    struct sched_dap_move m = {.make = make_motion,
                               .how = how,
                               .reason = "step",
                               .all = json_is_boolean(single) ? !json_is_true(single) : all};
    if (!sched_dap_rank(dap, arguments, &m.rank))
        return false;
    sched_dap_then(dap, &m);
    return true;
}

bool sched_dap_next(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return move(dap, arguments, by_instruction(arguments) ? SCHED_GDB_INSTRUCTION : SCHED_GDB_NEXT,
                dap->step_all);
}

bool sched_dap_step_in(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return move(dap, arguments, by_instruction(arguments) ? SCHED_GDB_INSTRUCTION : SCHED_GDB_STEP,
                dap->step_all);
}

bool sched_dap_step_out(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return move(dap, arguments, SCHED_GDB_FINISH, dap->step_all);
}

bool sched_dap_continue(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    bool ok = move(dap, arguments, SCHED_GDB_CONTINUE, true);
    json_object_set_new(body, "allThreadsContinued", json_boolean(dap->then.all));
    return ok;
}

/* ---- back ---- */

static bool make_reverse(struct sched_dap *dap, const struct sched_dap_move *move)
{
    dap->session->focus = move->rank;
    return sched_reverse(dap->session, move->reverse);
}

static bool make_reverse_continue(struct sched_dap *dap, const struct sched_dap_move *move)
{
    bool stopped = false;
    dap->session->focus = move->rank;
    bool ok = sched_reverse_continue(dap->session, &stopped);
    const char *reason = stopped ? reason_of(dap, move->rank) : NULL;
    dap->reason = reason ? reason : "entry";
    return ok;
}

static bool back(struct sched_dap *dap, const json_t *arguments, struct sched_dap_move m)
{
    m.reason = "step";
    m.doing = "isp: going back";
    if (!sched_dap_rank(dap, arguments, &m.rank))
        return false;
    sched_dap_then(dap, &m);
    return true;
}

bool sched_dap_step_back(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    bool into = by_instruction(arguments) || json_is_true(json_object_get(arguments, "into"));
    return back(dap, arguments,
                (struct sched_dap_move){.make = make_reverse,
                                        .reverse = into ? SCHED_REVERSE_STEP : SCHED_REVERSE_NEXT});
}

bool sched_dap_reverse_continue(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return back(dap, arguments, (struct sched_dap_move){.make = make_reverse_continue});
}
