/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of decisions: see search.h. An entry's alternatives are 0..n-1 and, once a race was
 * seen below it, n: *later*. */
#include "poe/search.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct decision {
    uint64_t signature;
    unsigned n, taken;
    bool raced;
};

struct poe_search {
    struct decision *stack;
    uint32_t depth, room;
    unsigned prefix; /* decisions that the present run repeats */
};

struct poe_search *poe_search_create(void)
{
    struct poe_search *s = poe_alloc(NULL, sizeof *s);
    return memset(s, 0, sizeof *s);
}

void poe_search_destroy(struct poe_search *s)
{
    if (s)
        free(s->stack);
    free(s);
}

int poe_search_next(struct poe_search *s, unsigned number, unsigned n, uint64_t signature)
{
    if (number < s->depth) { /* a prefix that is run again must show the same choice points */
        const struct decision *d = &s->stack[number];
        return d->signature == signature && d->n == n ? (int)d->taken : -1;
    }
    if (number != s->depth)
        return -1;
    s->stack = poe_grow(s->stack, &s->room, s->depth + 1, sizeof *s->stack);
    s->stack[s->depth++] = (struct decision){.signature = signature, .n = n};
    return 0;
}

void poe_search_race(struct poe_search *s, unsigned number)
{
    if (number < s->depth)
        s->stack[number].raced = true;
}

static bool has_more(const struct decision *d)
{
    return d->taken + 1 < d->n || (d->taken + 1 == d->n && d->raced);
}

bool poe_search_backtrack(struct poe_search *s)
{
    while (s->depth) {
        struct decision *d = &s->stack[s->depth - 1];
        if (has_more(d)) {
            d->taken++;
            s->prefix = s->depth;
            return true;
        }
        s->depth--;
    }
    s->prefix = 0;
    return false;
}

size_t poe_search_frontier(const struct poe_search *s)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->depth; i++)
        n += has_more(&s->stack[i]);
    return n;
}

unsigned poe_search_prefix(const struct poe_search *s) { return s->prefix; }

unsigned poe_search_depth(const struct poe_search *s)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < s->depth; i++)
        n += s->stack[i].n > 1 || s->stack[i].raced;
    return n;
}

/* ---- names ---- */

char *poe_search_name(const struct poe_search *s)
{
    unsigned *choices = poe_alloc(NULL, (s->depth + 1) * sizeof *choices);
    for (uint32_t i = 0; i < s->depth; i++)
        choices[i] = s->stack[i].taken;
    char *name = poe_choices_name(choices, s->depth);
    free(choices);
    return name;
}

/* Writes a decimal number; poe/ does without stdio. */
static char *put_number(char *at, unsigned value)
{
    char digits[10];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *at++ = digits[--n];
    return at;
}

char *poe_choices_name(const unsigned *choices, unsigned n)
{
    while (n && choices[n - 1] == 0)
        n--;
    char *name = poe_alloc(NULL, 24 * (size_t)n + 2);
    char *at = name;
    for (unsigned i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && choices[i + run] == choices[i]; run++)
            ;
        if (i)
            *at++ = '.';
        at = put_number(at, choices[i]);
        if (run <= 3) {
            run = 1;
            continue;
        }
        *at++ = '*';
        at = put_number(at, run);
    }
    if (!n)
        *at++ = '0';
    *at = '\0';
    return name;
}

int poe_choices_parse(const char *name, unsigned **choices)
{
    enum { MOST = 1 << 24 };
    unsigned *list = NULL;
    uint32_t n = 0, room = 0;
    const char *at = name;
    for (;;) {
        char *end;
        unsigned long choice = strtoul(at, &end, 10), times = 1;
        if (*at < '0' || *at > '9' || choice > MOST)
            break;
        at = end;
        if (*at == '*' && at[1] >= '0' && at[1] <= '9') {
            times = strtoul(at + 1, &end, 10);
            at = end;
        }
        if (times > MOST || n + times > MOST)
            break;
        list = poe_grow(list, &room, n + (uint32_t)times, sizeof *list);
        for (; times; times--)
            list[n++] = (unsigned)choice;
        if (!*at) {
            *choices = list;
            return (int)n;
        }
        if (*at++ != '.')
            break;
    }
    free(list);
    return -1;
}
