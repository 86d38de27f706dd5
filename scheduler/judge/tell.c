/* SPDX-License-Identifier: BSD-3-Clause */
/* See tell.h. */
#include "tell.h"

#include <string.h>

#include "isp/functions.h"
#include "sites/sites.h"
#include "words/words.h"

void sched_judge_end(struct sched_draft *d, const char *about)
{
    sched_draft_about(d, about);
    sched_draft_end(d);
}

static void tell_rank(struct sched_draft *d, struct sched_world *w, int rank)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    const char *fn = isp_fn_name((enum isp_fn)r->fn), *place = sched_draft_place(d, r->site);
    const char *state = r->finalized           ? "has finalized"
                        : r->gone || r->exited ? "has left"
                        : r->still             ? "waits"
                                               : "runs";
    if (!r->initialized)
        sched_draft_line(d, "rank %d %s", rank, r->gone ? "has left" : "has not reached MPI_Init");
    else if (r->polls || r->accesses)
        sched_draft_line(d, "rank %d accesses windows, now with %s at %s", rank, fn, place);
    else if (r->still)
        sched_draft_line(d, "rank %d waits in %s at %s", rank, fn, place);
    else if (r->finalized || !r->fn)
        sched_draft_line(d, "rank %d %s", rank, state);
    else
        sched_draft_line(d, "rank %d %s; its last call was %s at %s", rank, state, fn, place);
}

void sched_tell_state(struct sched_draft *d, struct sched_world *w)
{
    for (int rank = 0; rank < w->n; rank++)
        tell_rank(d, w, rank);
}

size_t sched_frames_down_to_main(struct sched_world *w, const uint32_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *function = sched_sites_find(w->run->sites, frames[i])->function;
        if (function && (strcmp(function, "main") == 0 || strcmp(function, "MAIN__") == 0))
            return i + 1;
    }
    return n;
}

char *sched_tell_frames(struct sched_world *w, const uint32_t *frames, size_t n)
{
    char *text = NULL;
    n = sched_frames_down_to_main(w, frames, n);
    for (size_t i = 0; i < n; i++) {
        char *place = sched_words_place(w->run, frames[i]);
        sched_words_add(&text, "#%zu %s\n", i, place);
        free(place);
    }
    return text;
}

const char *sched_last_call(const struct sched_rank_view *r)
{
    return r->fn ? isp_fn_name((enum isp_fn)r->fn) : "none";
}

const struct sched_told *sched_told_find(const struct sched_world *w, uint8_t type)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == type)
            return &w->told[i];
    return NULL;
}
