/* SPDX-License-Identifier: BSD-3-Clause */
/* See marks.h. */
#include "marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/checkpoints.h"
#include "launch/launch.h"
#include "rma/rma.h"
#include "world/hold.h"

enum { LEVELS_MOST = 96 }; /* processes of a rank */

static const double LEAST_S = 0.1, LEAST_AT_REST_S = 0.03;
static const double SHARE = 0.25; /* of what was run since one went back */

void sched_marks_init(struct sched_marks *m, int ranks) { *m = (struct sched_marks){.ranks = ranks}; }

static void drop(struct sched_marks *m, unsigned i)
{
    free(m->all[i].at);
    free(m->all[i].printed);
    memmove(&m->all[i], &m->all[i + 1], (--m->n - i) * sizeof *m->all);
}

void sched_marks_finish(struct sched_marks *m)
{
    while (m->n)
        drop(m, m->n - 1);
}

void sched_marks_run(struct sched_marks *m, double seconds) { m->run_s += seconds; }

bool sched_marks_is_due(const struct sched_marks *m, double seconds, bool at_rest)
{
    double now_s = m->run_s + seconds, least_s = at_rest ? LEAST_AT_REST_S : LEAST_S;
    if (!m->n)
        return true;
    double share_s = at_rest ? 0 : SHARE * (now_s - m->from_s);
    return now_s - m->all[m->n - 1].run_s >= (share_s > least_s ? share_s : least_s);
}

static double gap_without(const struct sched_marks *m, unsigned i)
{
    return m->all[i + 1].run_s - m->all[i - 1].run_s;
}

/* The one whose neighbours are closest; never the first or the last. */
static unsigned most_dispensable(const struct sched_marks *m)
{
    unsigned least = 1;
    for (unsigned i = 2; i + 1 < m->n; i++)
        if (gap_without(m, i) < gap_without(m, least))
            least = i;
    return least;
}

static uint64_t *take_at(const struct sched_world *w)
{
    uint64_t *at = sched_alloc((size_t)w->n, sizeof *at);
    for (int r = 0; r < w->n; r++) {
        struct sched_held_view view = sched_hold_view(w, r);
        at[r] = view.in_init ? ISP_HOLD_IN_INIT : view.at;
    }
    return at;
}

static uint64_t *take_printed(const struct sched_world *w)
{
    uint64_t *printed = sched_alloc(2 * (size_t)w->n, sizeof *printed);
    sched_launch_catch_up(sched_world_launch(w), printed);
    return printed;
}

void sched_marks_make(struct sched_marks *m, struct sched_run_state *state)
{
    struct sched_world *w = state->world;
    if (w->ending != SCHED_END_NONE || !sched_checkpoints_are_wanted(w) || sched_marks_refused(w) ||
        m->levels == LEVELS_MOST)
        return;
    if (m->n == SCHED_MARKS_MOST) {
        unsigned i = most_dispensable(m);
        sched_checkpoints_drop(w, m->all[i].number);
        drop(m, i);
    }
    size_t before = sched_checkpoints_count(w);
    sched_checkpoints_make(state, ++m->last);
    if (sched_checkpoints_count(w) == before || !sched_checkpoints_stay(w))
        return;
    m->all[m->n++] = (struct sched_mark){.number = m->last,
                                         .run_s = m->run_s,
                                         .levels = ++m->levels,
                                         .at = take_at(w),
                                         .printed = take_printed(w)};
}

/* Windows are not saved: one cannot go back to a mark from before them either. */
const char *sched_marks_refused(const struct sched_world *w)
{
    return sched_rma_is_on(w->rma) ? "the program has windows" : sched_checkpoints_refused(w);
}

/* Nobody has done more there. */
static bool is_before(const struct sched_mark *mark, const uint64_t *limits, int n)
{
    for (int r = 0; r < n; r++)
        if (mark->at[r] != ISP_HOLD_IN_INIT && (limits[r] == ISP_HOLD_IN_INIT || mark->at[r] > limits[r]))
            return false;
    return true;
}

/* A rank that has left, or that died by itself, has taken its processes with it. */
static bool are_all_there(const struct sched_world *w)
{
    for (int r = 0; r < w->n; r++)
        if (!sched_hold_process(w, r))
            return false;
    return true;
}

bool sched_marks_go_back(struct sched_marks *m, struct sched_run_state *state, const uint64_t *limits)
{
    struct sched_world *w = state->world;
    unsigned i = m->n;
    while (i > 0 && !is_before(&m->all[i - 1], limits, m->ranks))
        i--;
    if (!i || sched_marks_refused(w) || !sched_checkpoints_count(w) || !are_all_there(w))
        return false;
    const struct sched_mark *to = &m->all[i - 1];
    if (!sched_checkpoints_rewind(state, to->number) || !sched_checkpoints_stay(w))
        return false;
    sched_launch_go_back(sched_world_launch(w), to->printed);
    m->run_s = m->from_s = to->run_s;
    m->levels = to->levels;
    while (m->n > i)
        drop(m, m->n - 1);
    return true;
}
