/* SPDX-License-Identifier: BSD-3-Clause */
#include "buffered.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "options/options.h"

static bool read_number(const char **at, uint64_t most, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    unsigned long long n = strtoull(*at, &end, 10);
    *at = end;
    *number = n;
    return !errno && n <= most;
}

static int compare(const void *a, const void *b)
{
    const struct poe_name *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

bool sched_kept_read(const char *text, struct poe_name **kept, size_t *n)
{
    struct poe_name *all = NULL;
    size_t found = 0;
    bool ok = true;
    for (const char *at = text; ok; at++) {
        uint64_t rank = 0, index = 0;
        ok = read_number(&at, SCHED_RANKS_MAX - 1, &rank) && *at++ == '.' &&
             read_number(&at, ((uint64_t)1 << POE_THREAD_SHIFT) - 1, &index) && (*at == ',' || !*at);
        if (!ok)
            break;
        all = sched_grow(all, found + 1, sizeof *all);
        all[found++] = (struct poe_name){(int)rank, index};
        if (!*at)
            break;
    }
    if (!ok) {
        free(all);
        return false;
    }
    qsort(all, found, sizeof *all, compare);
    size_t left = 0;
    for (size_t i = 0; i < found; i++)
        if (!left || compare(&all[left - 1], &all[i]) != 0)
            all[left++] = all[i];
    *kept = all;
    *n = left;
    return true;
}

char *sched_kept_write(const struct poe_name *kept, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%d.%" PRIu64, i ? "," : "", kept[i].rank, kept[i].index);
    fclose(out);
    return sched_must(text);
}
