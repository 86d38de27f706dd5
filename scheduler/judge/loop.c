/* SPDX-License-Identifier: BSD-3-Clause */
/* See loop.h. Stacks are compared as lists of places, the outermost first, with the functions that the
 * compiler has inlined. */
#include "loop.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sites/stack.h"

struct place {
    const struct sched_location *at;
    uint32_t site;
};

struct list {
    struct place *places;
    size_t n;
};

static struct list list_of(struct sched_sites *sites, const struct sched_stack *stack)
{
    struct list list = {0};
    for (size_t i = stack->n; i-- > 0;) {
        size_t n;
        const struct sched_location *way = sched_sites_way(sites, stack->frames[i], &n);
        list.places = sched_grow(list.places, list.n + n, sizeof *list.places);
        while (n-- > 0)
            list.places[list.n++] = (struct place){&way[n], stack->frames[i]};
    }
    return list;
}

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_same_function(const struct sched_location *a, const struct sched_location *b)
{
    return is_same_text(a->function, b->function) && is_same_text(a->file, b->file) &&
           is_same_text(a->module, b->module);
}

static bool is_same(const struct sched_location *a, const struct sched_location *b)
{
    return is_same_function(a, b) && a->line == b->line && (a->line || a->offset == b->offset);
}

/* How many places all have in common. */
static size_t common(const struct list *lists, size_t n)
{
    size_t k = lists[0].n;
    for (size_t i = 1; i < n; i++) {
        size_t same = 0;
        while (same < k && same < lists[i].n && is_same(lists[0].places[same].at, lists[i].places[same].at))
            same++;
        k = same;
    }
    return k;
}

/* They part within one function. */
static bool part_within(const struct list *lists, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++)
        if (k >= lists[i].n || !is_same_function(lists[0].places[k].at, lists[i].places[k].at))
            return false;
    return true;
}

/* The stack that has the smallest line there. */
static const struct place *first_line(const struct list *lists, size_t n, size_t k)
{
    const struct place *first = &lists[0].places[k];
    for (size_t i = 1; i < n; i++)
        if (lists[i].places[k].at->line < first->at->line)
            first = &lists[i].places[k];
    return first;
}

static struct sched_loop loop_of(const struct list *lists, size_t n)
{
    size_t k = common(lists, n);
    bool within = part_within(lists, n, k);
    if (within && sched_location_is_own(lists[0].places[k].at)) {
        const struct place *p = first_line(lists, n, k);
        return (struct sched_loop){
            p->site, sched_format("%s %s", p->at->file, p->at->function ? p->at->function : "")};
    }
    while (k-- > 0) {
        const struct place *p = &lists[0].places[k];
        if (sched_location_is_own(p->at))
            return (struct sched_loop){p->site, sched_format("%s:%d", p->at->file, p->at->line)};
    }
    return (struct sched_loop){0};
}

struct sched_loop sched_loop_find(struct sched_sites *sites, const struct sched_stack *stacks, size_t n)
{
    struct list *lists = sched_alloc(n, sizeof *lists);
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (stacks[i].n > 0)
            lists[used++] = list_of(sites, &stacks[i]);
    struct sched_loop loop = used ? loop_of(lists, used) : (struct sched_loop){0};
    for (size_t i = 0; i < used; i++)
        free(lists[i].places);
    free(lists);
    if (!loop.site && n > 0 && stacks[0].n > 0) {
        const struct sched_stack *s = &stacks[0];
        loop.site = s->frames[sched_stack_top(sites, s->frames, s->n)];
        loop.name = sched_sites_name(sites, loop.site);
    }
    return loop;
}
