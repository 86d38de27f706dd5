/* SPDX-License-Identifier: BSD-3-Clause */
/* See tell.h. */
#include "tell.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
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

/* What a rank does, as it is said of one and of several. */
struct deed {
    const char *one, *many;
};

static struct deed before_start(const struct sched_world *w, int rank, const struct sched_rank_view *r)
{
    enum sched_start start = r->greets   ? SCHED_START_WITHIN
                             : w->starts ? w->starts[rank]
                                         : SCHED_START_UNKNOWN;
    if (r->gone || r->exited)
        return (struct deed){"has left", "have left"};
    switch (start) {
    case SCHED_START_WITHIN: return (struct deed){"is in MPI_Init", "are in MPI_Init"};
    case SCHED_START_BEFORE: return (struct deed){"has not called MPI_Init", "have not called MPI_Init"};
    case SCHED_START_NOWHERE: return (struct deed){"has no process any more", "have no process any more"};
    default: return (struct deed){"has not come out of MPI_Init", "have not come out of MPI_Init"};
    }
}

static struct deed deed_of(struct sched_draft *d, const struct sched_world *w, int rank)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    if (!r->initialized || r->greets)
        return before_start(w, rank, r);
    bool at_windows = r->polls || r->accesses;
    if (r->finalized && !at_windows && !r->still)
        return (struct deed){"has finalized", "have finalized"};
    struct deed deed = at_windows             ? (struct deed){"accesses windows", "access windows"}
                       : r->still             ? (struct deed){"waits", "wait"}
                       : r->gone || r->exited ? (struct deed){"has left", "have left"}
                                              : (struct deed){"runs", "run"};
    if (!r->fn)
        return deed;
    const char *where = at_windows ? ", now with" : r->still ? " in" : "; last call:";
    const char *fn = isp_fn_name((enum isp_fn)r->fn), *place = sched_draft_place(d, r->site);
    return (struct deed){sched_draft_own(d, sched_format("%s%s %s at %s", deed.one, where, fn, place)),
                         sched_draft_own(d, sched_format("%s%s %s at %s", deed.many, where, fn, place))};
}

size_t sched_tell_alike(const char **texts, int n, int first, int *ranks)
{
    size_t found = 0;
    const char *text = texts[first];
    for (int i = first; text && i < n; i++)
        if (texts[i] && strcmp(texts[i], text) == 0) {
            ranks[found++] = i;
            texts[i] = NULL;
        }
    return found;
}

void sched_tell_state(struct sched_draft *d, struct sched_world *w)
{
    size_t n = (size_t)w->n;
    const char **one = sched_alloc(n, sizeof *one), **many = sched_alloc(n, sizeof *many);
    int *ranks = sched_alloc(n, sizeof *ranks);
    for (int i = 0; i < w->n; i++) {
        struct deed deed = deed_of(d, w, i);
        one[i] = deed.one, many[i] = deed.many;
    }
    for (int first = 0; first < w->n; first++) {
        const char *alone = one[first];
        size_t alike = sched_tell_alike(one, w->n, first, ranks);
        if (alike)
            sched_draft_line(d, "%s %s", sched_draft_own(d, sched_words_ranks(ranks, alike)),
                             alike > 1 ? many[first] : alone);
    }
    free(ranks);
    free(one);
    free(many);
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
