/* SPDX-License-Identifier: BSD-3-Clause */
/* See session.h. */
#include "session.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/now.h"
#include "check/signatures.h"
#include "history.h"
#include "inferior.h"
#include "isp/times.h"
#include "printing.h"
#include "world/hold.h"

bool sched_session_fail(struct sched_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *why = sched_format_list(format, args);
    va_end(args);
    free(s->why);
    s->why = why;
    return false;
}

/* ---- the recording ---- */

static void forget_recording(struct sched_session *s)
{
    cuts_destroy(s->cuts);
    sched_record_destroy(s->record);
    sched_decisions_destroy(s->guide);
    free(s->choices);
    s->cuts = NULL;
    s->record = NULL;
    s->stands.record = NULL;
    s->guide = NULL;
    s->stands.guide = NULL;
    s->choices = NULL;
}

/* A run that stands at its end has not ended, as far as the world knows. */
static const char *ending_of(const struct sched_world *w)
{
    bool all = true;
    if (w->ending != SCHED_END_NONE)
        return sched_ending_name(w->ending);
    for (int r = 0; r < w->n; r++) {
        struct sched_held_view view = sched_hold_view(w, r);
        if (view.stopped && !view.held)
            return sched_ending_name(SCHED_END_DIED);
        all &= view.held;
    }
    return all ? "finished" : "deadlock";
}

static void keep_recording(struct sched_session *s)
{
    struct sched_run_state *state = &s->now->s;
    s->guide = state->decisions;
    state->decisions = NULL;
    s->n_choices = state->made;
    s->choices = state->choices;
    state->choices = NULL;
    state->made = 0;
    s->stands.record = s->record;
    s->stands.guide = s->guide;
    s->ending = ending_of(state->world);
    s->cuts = sched_recorded_cuts(s->record, s->stands.buffered);
    for (int r = 0; r < s->n; r++)
        s->limits[r] = s->last[r] = s->record->of[r].n;
    sched_stand_recorded(s->now);
}

static bool record(struct sched_session *s, const unsigned *choices, unsigned n)
{
    forget_recording(s);
    s->record = sched_record_create(s->n);
    s->broken_off = s->wanted = s->closing;
    s->now = sched_stand_create_first(&s->stands, s->record, choices, n);
    enum sched_arrival arrival = sched_stand_go(s->now);
    if (arrival == SCHED_ARRIVED) { /* all are in MPI_Init */
        sched_marks_make(&s->now->marks, &s->now->s);
        for (int r = 0; r < s->n; r++)
            sched_hold_at(s->now->s.world, r, ISP_HOLD_AT_END);
        sched_printing_mute(s->printing, s->tells_later);
        arrival = sched_stand_go(s->now);
        sched_printing_mute(s->printing, false);
    }
    if (arrival == SCHED_ATTENTION)
        return sched_session_fail(s, "interrupted before the interleaving had come to its end");
    if (arrival != SCHED_ARRIVED)
        return sched_session_fail(s, "%s", s->now->why);
    keep_recording(s);
    return true;
}

/* ---- start and end ---- */

void sched_session_break_off(struct sched_session *s, bool for_good)
{
    s->wanted = s->broken_off = true;
    s->closing |= for_good;
}

static void on_interrupt(int signal, short what, void *context) { sched_session_break_off(context, false); }

static void on_pulse(int fd, short what, void *context) { ((struct sched_session *)context)->wanted = true; }

/* By a name that goes with this process. Without it a rank that asks for the time goes another way each
 * time. */
static int open_times(int ranks)
{
    int fd = memfd_create("isp-times", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)ranks * (off_t)ISP_TIMES_BYTES) < 0)
        return fd;
    char *name = sched_format("/proc/%d/fd/%d", (int)getpid(), fd);
    setenv(ISP_ENV_TIMES, name, 1);
    free(name);
    return fd;
}

static void init(struct sched_session *s, const struct sched_options *options, struct sched_result *result)
{
    *s =
        (struct sched_session){.options = options, .n = options->ranks, .base = sched_must(event_base_new())};
    s->engine = (struct sched_engine){.options = options,
                                      .result = result,
                                      .source = sched_source_create(s->base, 0),
                                      .signatures = sched_signatures_create(),
                                      .started_s = sched_now_s()};
    s->stands =
        (struct sched_stands){.engine = &s->engine,
                              .buffered = options->mixed || options->buffering == ISP_BUFFERING_INFINITE,
                              .wanted = &s->wanted};
    s->limits = sched_alloc((size_t)s->n, sizeof *s->limits);
    s->last = sched_alloc((size_t)s->n, sizeof *s->last);
    s->why = sched_strdup("");
    s->times = open_times(s->n);
    s->history = sched_history_create(s->n);
    s->sigint = sched_must(evsignal_new(s->base, SIGINT, on_interrupt, s));
    event_add(s->sigint, NULL);
    s->pulse = sched_must(event_new(s->base, -1, EV_PERSIST, on_pulse, s));
    sched_inferiors_create(s);
    setenv("ISP_FORK_ONLY", "1",
           1); /* to go back may be to kill one that computes, or that gdb has changed */
}

struct sched_session *sched_session_create(const struct sched_session_user *user,
                                           const struct sched_options *options, struct sched_result *result,
                                           char **why)
{
    struct sched_session *s = sched_alloc(1, sizeof *s);
    init(s, options, result);
    s->user = user;
    s->printing = sched_printing_create((struct sched_printing_user){user->printed, user->context}, s->n);
    s->stands.printed = sched_printing_hook(s->printing);
    if (user->begin)
        user->begin(user->context, s);
    if (record(s, options->choices, (unsigned)options->n_choices))
        return s;
    *why = sched_strdup(s->why);
    sched_session_destroy(s);
    return NULL;
}

void sched_session_leave(struct sched_session *s)
{
    sched_inferiors_leave(s);
    sched_stand_destroy(s->now);
    s->now = NULL;
}

void sched_session_destroy(struct sched_session *s)
{
    if (!s)
        return;
    s->closing = s->broken_off = false; /* gdb must let go of what it holds */
    sched_session_leave(s);
    sched_inferiors_destroy(s);
    forget_recording(s);
    sched_history_destroy(s->history);
    sched_source_destroy(s->engine.source);
    sched_signatures_destroy(s->engine.signatures);
    if (s->user->end)
        s->user->end(s->user->context);
    event_free(s->sigint);
    event_free(s->pulse);
    event_base_free(s->base);
    sched_printing_destroy(s->printing);
    free(s->limits);
    free(s->last);
    free(s->why);
    unsetenv(ISP_ENV_TIMES);
    if (s->times >= 0)
        close(s->times);
    free(s);
}

/* ---- another interleaving ---- */

bool sched_session_choose(struct sched_session *s, const unsigned *choices, unsigned n)
{
    unsigned *wanted = sched_alloc(n + 1u, sizeof *wanted);
    memcpy(wanted, choices, n * sizeof *wanted);
    sched_history_clear(s->history);
    sched_session_leave(s);
    sched_printing_anew(s->printing);
    s->tells_later = true;
    bool ok = record(s, wanted, n);
    free(wanted);
    return ok;
}

void sched_session_catch_up(struct sched_session *s)
{
    event_base_loop(s->base, EVLOOP_NONBLOCK);
    s->broken_off = s->closing;
}

struct sched_run *sched_session_run(const struct sched_session *s) { return s->now ? &s->now->s.run : NULL; }

struct sched_record_name sched_session_event(const struct sched_session *s, int rank, bool *in)
{
    struct sched_held_view view = sched_hold_view(s->now->s.world, rank);
    *in = view.in_call;
    return (struct sched_record_name){rank, (uint32_t)(view.in_call ? view.at - 1 : view.at)};
}
