/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See suppressions.h. The frames of a block are compared one by one with those of the place, from the call
 * outwards; a block may end before the stack does. A file or a library may be named by the last parts of its
 * path, so that a block is good in every working directory.
 */
#include "suppressions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/functions.h"

struct sched_suppressions *sched_suppressions_create(void)
{
    return sched_alloc(1, sizeof(struct sched_suppressions));
}

static void block_finish(struct sched_suppression *b)
{
    for (size_t i = 0; i < b->n_frames; i++) {
        free(b->frames[i].call);
        free(b->frames[i].function);
        free(b->frames[i].file);
        free(b->frames[i].object);
    }
    free(b->frames);
    free(b->name);
    free(b->rule);
    free(b->text);
}

void sched_suppressions_destroy(struct sched_suppressions *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->n_blocks; i++)
        block_finish(&all->blocks[i]);
    for (size_t i = 0; i < all->n_files; i++)
        free(all->files[i]);
    free(all->blocks);
    free(all->files);
    free(all);
}

/* ---- matching ---- */

static bool fits(const char *pattern, const char *text)
{
    return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

/* The whole path, or what is left of it after some '/'. */
static bool fits_path(const char *pattern, const char *path)
{
    if (fits(pattern, path))
        return true;
    for (const char *p = path; p && (p = strchr(p, '/'));)
        if (fits(pattern, ++p))
            return true;
    return false;
}

struct frame {
    const char *call; /* the MPI function; NULL in callers, and where there is no call */
    const struct sched_location *at;
};

static bool fits_frame(const struct sched_frame_pattern *p, const struct frame *frame)
{
    return fits(p->call, frame->call) && fits(p->function, frame->at->function) &&
           fits_path(p->file, frame->at->file) && (!p->line || p->line == frame->at->line) &&
           fits_path(p->object, frame->at->module);
}

/* The patterns from the outermost to the innermost, since "..." then is one loop: reach[i] says whether the
 * patterns from here on fit the frames from i on. */
static bool fits_stack(const struct sched_suppression *b, const struct frame *frames, size_t n)
{
    bool *reach = sched_alloc(n + 1, sizeof *reach);
    memset(reach, true, n + 1); /* a block may end before the stack does */
    for (size_t p = b->n_frames; p-- > 0;) {
        if (b->frames[p].any_number) {
            for (size_t i = n; i-- > 0;)
                reach[i] |= reach[i + 1];
        } else {
            for (size_t i = 0; i < n; i++)
                reach[i] = reach[i + 1] && fits_frame(&b->frames[p], &frames[i]);
            reach[n] = false;
        }
    }
    bool yes = reach[0];
    free(reach);
    return yes;
}

static bool covers(const struct sched_suppression *b, const struct sched_finding *f,
                   const struct frame *frames, size_t n)
{
    return f->rule != ISP_RULE_UNSUPPORTED && fits(b->rule, sched_rule_id(f->rule)) &&
           fits(b->text, f->message) && fits_stack(b, frames, n);
}

struct applying {
    struct sched_suppressions *all;
    struct sched_sites *sites;
};

enum { STACK_MAX = 64 };

static bool is_covered(const struct sched_finding *f, void *data)
{
    struct applying *a = data;
    const struct sched_site_ref *ref = f->n_sites ? &f->sites[0] : NULL;
    struct frame frames[STACK_MAX] = {{ref && ref->fn ? isp_fn_name((enum isp_fn)ref->fn) : NULL,
                                       sched_sites_find(a->sites, ref ? ref->site : 0)}};
    uint32_t n;
    const uint32_t *callers = sched_sites_callers(a->sites, ref ? ref->site : 0, &n);
    for (uint32_t i = 0; i < n && i + 1 < STACK_MAX; i++)
        frames[i + 1] = (struct frame){NULL, sched_sites_find(a->sites, callers[i])};
    for (size_t i = 0; i < a->all->n_blocks; i++) {
        struct sched_suppression *b = &a->all->blocks[i];
        if (!covers(b, f, frames, ref ? (n < STACK_MAX ? n + 1 : STACK_MAX) : 0))
            continue;
        b->used++;
        a->all->suppressed += sched_rule_severity(f->rule) != ISP_SEVERITY_NOTE;
        return true;
    }
    return false;
}

void sched_suppressions_apply(struct sched_suppressions *suppressions, struct sched_findings *findings,
                              struct sched_sites *sites)
{
    struct applying applying = {suppressions, sites};
    sched_findings_hide(findings, is_covered, &applying);
}
