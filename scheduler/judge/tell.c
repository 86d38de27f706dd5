/* SPDX-License-Identifier: BSD-3-Clause */
/* See tell.h. */
#include "tell.h"

#include <string.h>

#include "base/begins.h"
#include "isp/functions.h"
#include "sites/sites.h"
#include "sites/stack.h"
#include "words/words.h"

void sched_judge_end(struct sched_draft *d, const char *about)
{
    sched_draft_about(d, about);
    sched_draft_end(d);
}

/* What a rank does that has not come out of MPI_Init. */
static const char *start_of(const struct sched_world *w, int rank, const struct sched_rank_view *r)
{
    enum sched_start start = r->greets   ? SCHED_START_WITHIN
                             : w->starts ? w->starts[rank]
                                         : SCHED_START_UNKNOWN;
    return r->gone || r->exited           ? "has left"
           : start == SCHED_START_WITHIN  ? "is in MPI_Init"
           : start == SCHED_START_BEFORE  ? "has not called MPI_Init"
           : start == SCHED_START_NOWHERE ? "has no process on this host"
                                          : "has not come out of MPI_Init";
}

static void tell_rank(struct sched_draft *d, struct sched_world *w, int rank)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    const char *fn = isp_fn_name((enum isp_fn)r->fn), *place = sched_draft_place(d, r->site);
    const char *state = r->finalized           ? "has finalized"
                        : r->gone || r->exited ? "has left"
                        : r->still             ? "waits"
                                               : "runs";
    if (!r->initialized || r->greets)
        sched_draft_line(d, "rank %d %s", rank, start_of(w, rank, r));
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

static bool is_of_library(struct sched_world *w, uint32_t frame, const char *const *begins)
{
    const char *module = sched_sites_find(w->run->sites, frame)->module;
    const char *slash = module ? strrchr(module, '/') : NULL, *name = slash ? slash + 1 : module;
    return name && sched_begins(name, begins);
}

bool sched_frame_is_own(struct sched_world *w, uint32_t frame)
{
    return sched_module_is_isps(sched_sites_find(w->run->sites, frame)->module);
}

/* MPICH, and what carries its messages. */
static bool is_of_mpi(struct sched_world *w, uint32_t frame)
{
    static const char *const mpi[] = {"libmpi",    "libpmpi",   "libucp.so", "libuct.so",
                                      "libucs.so", "libucm.so", "libfabric", NULL};
    return is_of_library(w, frame, mpi);
}

static bool is_sanitizers(struct sched_world *w, uint32_t frame)
{
    static const char *const c_library[] = {"libc.so", "libc-", NULL}, *const functions[] = {
                                                                           "__asan",        "__tsan",
                                                                           "__lsan",        "__ubsan",
                                                                           "__hwasan",      "__sanitizer",
                                                                           "__interceptor", NULL};
    const struct sched_location *l = sched_sites_find(w->run->sites, frame);
    return sched_module_is_sanitizers(l->module) || (l->function && sched_begins(l->function, functions)) ||
           sched_frame_is_own(w, frame) || is_of_library(w, frame, c_library);
}

size_t sched_frames_of_sanitizer(struct sched_world *w, const uint32_t *frames, size_t n)
{
    size_t i = 0;
    while (i < n && is_sanitizers(w, frames[i]))
        i++;
    return i < n ? i : 0;
}

char *sched_tell_frames(struct sched_world *w, const uint32_t *frames, size_t n)
{
    enum { ALL = 2 };
    bool all = w->run->options->verbose >= ALL, within = false;
    size_t number = 0;
    char *text = NULL;
    n = sched_frames_down_to_main(w, frames, n);
    for (size_t i = 0; i < n; i++) {
        bool own = !all && sched_frame_is_own(w, frames[i]), mpi = !all && is_of_mpi(w, frames[i]);
        if (mpi && !within)
            sched_words_add(&text, "#%zu inside of MPI (-vv shows where)\n", number++);
        within = mpi || (within && own);
        if (own || mpi)
            continue;
        char *place = sched_words_place(w->run, frames[i]);
        sched_words_add(&text, "#%zu %s\n", number++, place);
        free(place);
    }
    return text;
}

const char *sched_last_call(const struct sched_rank_view *r)
{
    return r->fn ? isp_fn_name((enum isp_fn)r->fn) : r->initialized ? "MPI_Init" : "none";
}

const struct sched_told *sched_told_find(const struct sched_world *w, uint8_t type)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == type)
            return &w->told[i];
    return NULL;
}
