/* SPDX-License-Identifier: BSD-3-Clause */
/* See known_steps.h. */
#include "known_steps.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/alloc.h"
#include "base/mix.h"
#include "base/reserve.h"

static const size_t MOST_BYTES = (size_t)256 << 20;
/* No more is kept when less can still be had; that is looked at when it takes so much more. */
static const size_t SPARE_BYTES = (size_t)64 << 20, LOOKS_BYTES = (size_t)1 << 20;

/* ---- points ---- */

const struct sched_point SCHED_NOWHERE = {0, 0}, SCHED_NO_DATA = {0, 1};

struct sched_point sched_point_of_state(int rank, uint64_t low, uint64_t high)
{
    return (struct sched_point){sched_mix(low, (uint64_t)rank), sched_mix(high, ~(uint64_t)rank) | 1};
}

struct sched_point sched_point_next(int rank, const struct sched_rank *r, const struct isp_buf *body)
{
    uint64_t head[] = {(uint64_t)rank, r->point.low, r->point.high, r->data.low, r->data.high};
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, head, sizeof head);
    XXH3_128bits_update(&state, body->data, body->size);
    XXH128_hash_t h = XXH3_128bits_digest(&state);
    return (struct sched_point){h.low64, h.high64 | 1};
}

void sched_point_add(struct sched_point *to, struct sched_point of, bool known)
{
    if (!known)
        *to = SCHED_NOWHERE;
    else if (sched_point_is_known(*to))
        *to = (struct sched_point){sched_mix(to->low, of.low), sched_mix(to->high, of.high) | 1};
}

/* ---- the table ---- */

void sched_known_steps_finish(struct sched_known_steps *s)
{
    struct sched_step *step, *next;
    HASH_ITER (hh, s->all, step, next) {
        HASH_DEL(s->all, step);
        isp_buf_finish(&step->records);
        free(step->nobodies);
        free(step);
    }
}

struct sched_step *sched_known_steps_find(const struct sched_known_steps *s, struct sched_point point)
{
    struct sched_step *step;
    HASH_FIND(hh, s->all, &point, sizeof point, step);
    return step;
}

static bool is_full(struct sched_known_steps *s)
{
    if (s->bytes >= s->looked_at) {
        s->looked_at = s->bytes + LOOKS_BYTES;
        s->full = s->full || s->bytes > MOST_BYTES || !sched_reserve_could_have(SPARE_BYTES);
    }
    return s->full;
}

struct sched_step *sched_known_steps_get(struct sched_known_steps *s, struct sched_point point)
{
    struct sched_step *step = sched_known_steps_find(s, point);
    if (step || is_full(s))
        return step;
    step = sched_alloc(1, sizeof *step);
    *step = (struct sched_step){.point = point};
    HASH_ADD(hh, s->all, point, sizeof step->point, step);
    s->bytes += sizeof *step + sizeof(void *);
    return step;
}
