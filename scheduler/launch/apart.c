/* SPDX-License-Identifier: BSD-3-Clause */
/* See apart.h. */
#include "apart.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct sched_apart {
    const struct sched_printed *printed;
    char *mark;
    int ranks, rank; /* rank: of the present piece; -1: the launcher's */
    bool error;
    uint64_t *at; /* of each rank; borrowed */
    char held[SCHED_APART_HELD];
    size_t n_held;
};

struct sched_apart *sched_apart_create(const struct sched_printed *printed, const char *mark, int ranks,
                                       bool error, uint64_t *at)
{
    struct sched_apart *a = sched_alloc(1, sizeof *a);
    *a = (struct sched_apart){
        .printed = printed, .mark = sched_strdup(mark), .ranks = ranks, .rank = -1, .error = error, .at = at};
    return a;
}

void sched_apart_destroy(struct sched_apart *a)
{
    if (!a)
        return;
    free(a->mark);
    free(a);
}

static void tell(struct sched_apart *a, const char *bytes, size_t n)
{
    if (!n || (a->rank < 0 && *a->mark))
        return;
    uint64_t none = 0, *at = a->rank < 0 ? &none : &a->at[a->rank];
    a->printed->print(a->printed->context, a->rank, a->error, *at, bytes, n);
    *at += n;
}

/* Text of one piece: it ends with its line. */
static void take_text(struct sched_apart *a, const char *bytes, size_t n)
{
    while (n > 0) {
        const char *end = memchr(bytes, '\n', n);
        size_t piece = end ? (size_t)(end - bytes) + 1 : n;
        tell(a, bytes, piece);
        if (end)
            a->rank = -1;
        bytes += piece;
        n -= piece;
    }
}

enum mark { NO_MARK, PART_OF_MARK, WHOLE_MARK };

/* Whether a mark begins here; then *size and *rank. */
static enum mark read_mark(const struct sched_apart *a, const char *at, size_t n, size_t *size, int *rank)
{
    size_t length = strlen(a->mark), k = length;
    if (!length || memcmp(at, a->mark, n < length ? n : length) != 0)
        return NO_MARK;
    if (n <= length)
        return PART_OF_MARK;
    for (*rank = 0; k < n && k < length + 6 && at[k] >= '0' && at[k] <= '9'; k++)
        *rank = *rank * 10 + (at[k] - '0');
    *size = k + 1;
    if (k == n)
        return PART_OF_MARK;
    return at[k] == ':' && k > length && *rank < a->ranks ? WHOLE_MARK : NO_MARK;
}

size_t sched_apart_take(struct sched_apart *a, char *bytes, size_t n)
{
    size_t from = 0, at = 0, left = 0, size;
    memmove(bytes + a->n_held, bytes, n);
    memcpy(bytes, a->held, a->n_held);
    n += a->n_held;
    a->n_held = 0;
    while (at < n) {
        int rank;
        enum mark mark = read_mark(a, bytes + at, n - at, &size, &rank);
        if (mark == NO_MARK) {
            at++;
            continue;
        }
        take_text(a, bytes + from, at - from);
        memmove(bytes + left, bytes + from, at - from);
        left += at - from;
        from = at;
        if (mark == PART_OF_MARK)
            break;
        a->rank = rank;
        from = at += size;
    }
    if (at < n) { /* it may become a mark */
        a->n_held = n - at;
        memcpy(a->held, bytes + at, a->n_held);
        return left;
    }
    take_text(a, bytes + from, at - from);
    memmove(bytes + left, bytes + from, at - from);
    return left + at - from;
}

void sched_apart_flush(struct sched_apart *a)
{
    take_text(a, a->held, a->n_held);
    a->n_held = 0;
}
