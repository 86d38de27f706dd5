/* SPDX-License-Identifier: BSD-3-Clause */
/* See repeats.h. */
#include "repeats.h"

#include <pthread.h>
#include <string.h>

#include "link/uplink.h"

enum {
    LONGEST = 8 /* round */,
    KEPT = 2 * LONGEST,
    BYTES = 128 /* longer ones are never repeats */,
    TELLS = 256
};

static struct {
    pthread_mutex_t lock;
    struct message {
        size_t size; /* 0: too long to be kept */
        uint8_t data[BYTES];
    } ring[KEPT];
    uint64_t n;      /* messages since the last record */
    unsigned round;  /* how many make one; 0: they do not repeat */
    uint64_t silent; /* so many of the last ones were not told */
    unsigned told;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct message *at(uint64_t i) { return &all.ring[i % KEPT]; }

static bool equal(const struct message *a, const struct message *b)
{
    return a->size && a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static void tell(const void *data, size_t size)
{
    isp_put_bytes(prof_link_begin(ISP_MSG_ACCESS), data, size);
    prof_link_end();
    if (++all.told % TELLS == 0) /* a rank may do nothing else for long */
        prof_link_flush();
}

static void tell_silent(void)
{
    uint64_t due = all.silent < all.round ? all.silent : all.round;
    for (uint64_t i = all.n - due; i < all.n; i++)
        tell(at(i)->data, at(i)->size);
    all.silent = 0;
    all.round = 0;
}

/* The last messages are two equal rounds. */
static bool repeats(unsigned round)
{
    if (all.n < 2 * round)
        return false;
    for (unsigned i = 1; i <= round; i++)
        if (!equal(at(all.n - i), at(all.n - i - round)))
            return false;
    return true;
}

static void find_round(void)
{
    for (unsigned round = 1; round <= LONGEST; round++)
        if (repeats(round)) {
            all.round = round;
            return;
        }
}

void prof_repeats_tell(const struct isp_buf *payload)
{
    struct message m = {.size = payload->size <= BYTES ? payload->size : 0};
    memcpy(m.data, payload->data, m.size);
    pthread_mutex_lock(&all.lock);
    bool known = all.round && equal(&m, at(all.n - all.round));
    if (!known && all.round) {
        tell_silent();
        all.n = 0;
    }
    *at(all.n++) = m;
    if (known) {
        all.silent++;
    } else {
        tell(payload->data, payload->size);
        find_round();
    }
    pthread_mutex_unlock(&all.lock);
}

void prof_repeats_over(void)
{
    if (all.n == 0) /* most programs have no windows */
        return;
    pthread_mutex_lock(&all.lock);
    tell_silent();
    all.n = 0;
    pthread_mutex_unlock(&all.lock);
}
