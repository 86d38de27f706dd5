/* SPDX-License-Identifier: BSD-3-Clause */
/* The system's libraries and isp's are not searched: they have no variables of the user's, and are many. */
#include "ignored.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inside.h"
#include "sites/variables.h"
#include "told.h"
#include "words/words.h"

static bool is_systems(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 ||
           strncmp(slash ? slash + 1 : path, "libisp", 6) == 0;
}

/* Terminated copies; those of the program. */
static char **take_paths(struct isp_reader *in, size_t *n)
{
    uint32_t all = isp_get_u32(in), length;
    char **paths = NULL;
    *n = 0;
    for (uint32_t i = 0; i < all && in->ok; i++) {
        const char *path = isp_get_str(in, &length);
        char *copy = path ? sched_must(strndup(path, length)) : NULL;
        if (!copy || is_systems(copy)) {
            free(copy);
            continue;
        }
        paths = sched_grow(paths, *n + 1, sizeof *paths);
        paths[(*n)++] = copy;
    }
    return paths;
}

static void answer(struct sched_world *w, int rank, const struct isp_ignored *all, size_t n)
{
    struct isp_buf *frame = &w->in->frame;
    frame->size = 0;
    size_t at = isp_frame_begin(frame, ISP_MSG_IGNORE);
    isp_put_u32(frame, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        isp_put_ignored(frame, &all[i]);
    isp_frame_end(frame, at);
    sched_peer_send(w->in->ranks[rank].peer, frame);
}

/* As many as a rank takes (profiler/outside/ignored.c). */
enum { MOST = 512 };

void sched_ignored_take_modules(struct sched_world *w, int rank, struct isp_reader *in)
{
    size_t n_paths, n = 0;
    char **paths = take_paths(in, &n_paths), *problem = NULL;
    struct isp_ignored *all = NULL;
    char **names = w->run->options->ignored;
    for (char **name = names; in->ok && name && *name && !problem; name++) {
        problem = sched_variables_find(w->run->sites, (const char *const *)paths, n_paths, *name, &all, &n);
        char *words = sched_format("%s: that it does not matter is assumed (--ignore)", *name);
        if (!problem)
            sched_variables_assume(w->run->sites, words);
        free(words);
    }
    if (!problem && n > MOST)
        problem = sched_strdup("these names are of too many variables");
    if (problem && !w->error)
        w->error = sched_format("--ignore: %s", problem);
    in->ok = in->ok && names;
    if (++w->in->asked == w->n && w->error)
        sched_world_end(w, SCHED_END_FAILED); /* now none is in MPI_Init, in which MPI would complain of it */
    else if (!problem && in->ok)
        answer(w, rank, all, n);
    for (size_t i = 0; i < n_paths; i++)
        free(paths[i]);
    free(paths);
    free(all);
    free(problem);
}

void sched_ignored_take_mark(struct sched_world *w, int rank, struct isp_reader *in)
{
    uint32_t site = sched_told_site(&w->in->ranks[rank], isp_get_u32(in));
    char *place = sched_sites_words(w->run->sites, site);
    char *words =
        sched_format("what is marked at %s: that it does not matter is assumed (isp_ignore)", place);
    if (in->ok)
        sched_variables_assume(w->run->sites, words);
    free(words);
    free(place);
}
