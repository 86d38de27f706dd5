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
#include "sites/names.h"

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

/* With its namespaces, classes or module, or without. */
static bool fits_function(const char *pattern, const char *function)
{
    return fits(pattern, function) || (function && fits(pattern, sched_name_plain(function)));
}

struct frame {
    const char *call; /* the MPI function; NULL in callers, and where there is no call */
    const struct sched_location *at;
};

static bool fits_frame(const struct sched_frame_pattern *p, const struct frame *frame)
{
    return fits(p->call, frame->call) && fits_function(p->function, frame->at->function) &&
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

/* The block covers the finding at this place; NULL: it has none. Functions that the compiler has inlined may
 * be there or not. */
static bool covers_at(const struct applying *a, const struct sched_suppression *b,
                      const struct sched_finding *f, const struct sched_site_ref *ref)
{
    uint32_t site = ref ? ref->site : 0, n_callers;
    struct frame frames[STACK_MAX] = {
        {ref && ref->fn ? isp_fn_name((enum isp_fn)ref->fn) : NULL, sched_sites_find(a->sites, site)}};
    const uint32_t *callers = sched_sites_callers(a->sites, site, &n_callers);
    size_t n = ref != NULL, n_way;
    for (uint32_t i = 0; i < n_callers && n < STACK_MAX; i++)
        frames[n++] = (struct frame){NULL, sched_sites_find(a->sites, callers[i])};
    if (covers(b, f, frames, n))
        return true;
    const struct sched_location *way = sched_sites_way(a->sites, site, &n_way);
    n = n_way < STACK_MAX ? n_way : STACK_MAX;
    for (size_t i = 1; i < n; i++)
        frames[i] = (struct frame){NULL, &way[i]};
    return n > 1 && covers(b, f, frames, n);
}

/* It is the same call of the source as the first place, come to by another way. */
static bool is_other_way(const struct applying *a, const struct sched_finding *f,
                         const struct sched_site_ref *ref)
{
    const struct sched_site_ref *first = &f->sites[0];
    if (ref->site == first->site)
        return false;
    if (sched_rule_is_leak(f->rule) || ref->fn != first->fn)
        return sched_rule_is_leak(f->rule);
    return sched_sites_are_alike(a->sites, first->site, ref->site, false);
}

/* All ways to its place. */
static bool covers_all(const struct applying *a, const struct sched_suppression *b,
                       const struct sched_finding *f)
{
    if (!covers_at(a, b, f, f->n_sites ? &f->sites[0] : NULL))
        return false;
    for (size_t i = 1; i < f->n_sites; i++)
        if (is_other_way(a, f, &f->sites[i]) && !covers_at(a, b, f, &f->sites[i]))
            return false;
    return true;
}

/* The first block that does, or NULL. */
static struct sched_suppression *find_cover(const struct applying *a, const struct sched_finding *f)
{
    for (size_t i = 0; i < a->all->n_blocks; i++)
        if (covers_all(a, &a->all->blocks[i], f))
            return &a->all->blocks[i];
    return NULL;
}

static bool is_covered(const struct sched_finding *f, void *data)
{
    struct applying *a = data;
    struct sched_suppression *b = find_cover(a, f);
    if (!b)
        return false;
    b->used++;
    a->all->suppressed += sched_rule_severity(f->rule) != ISP_SEVERITY_NOTE;
    return true;
}

bool sched_suppressions_cover(const struct sched_suppressions *all, const struct sched_finding *finding,
                              struct sched_sites *sites)
{
    struct applying applying = {(struct sched_suppressions *)all, sites};
    return find_cover(&applying, finding);
}

void sched_suppressions_apply(struct sched_suppressions *suppressions, struct sched_findings *findings,
                              struct sched_sites *sites)
{
    struct applying applying = {suppressions, sites};
    sched_findings_hide(findings, is_covered, &applying);
}
