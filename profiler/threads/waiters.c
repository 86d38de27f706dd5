/* SPDX-License-Identifier: BSD-3-Clause */
/* See waiters.h. */
#include "waiters.h"

#include <stdatomic.h>
#include <stddef.h>

enum { WAITERS_MOST = 256 }; /* threads that have ever waited; of more nothing is said */

static struct waiter {
    const void *waits_for;
    uint64_t since;
    const void
        *woken_of; /* what it waited for last, if it has been woken, and has made one call since at most */
    uint64_t woken;
    enum isp_fn fn; /* ... this one */
    const void *site;
} waiters[WAITERS_MOST];
static unsigned n_waiters;
static uint64_t now; /* counts */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static __thread struct waiter *own __attribute__((tls_model("initial-exec")));

static void take(void)
{
    while (atomic_flag_test_and_set(&busy))
        ;
}

static void give(void) { atomic_flag_clear(&busy); }

static void become(struct waiter w)
{
    if (!own && n_waiters < WAITERS_MOST)
        own = &waiters[n_waiters++];
    if (own)
        *own = w;
}

uint64_t prof_waiters_now(void)
{
    take();
    uint64_t at = ++now;
    give();
    return at;
}

void prof_waiters_got(const void *what, uint64_t at)
{
    take();
    become((struct waiter){.woken_of = what, .woken = at});
    give();
}

void prof_waiters_begin(const void *what)
{
    take();
    become((struct waiter){.waits_for = what, .since = ++now});
    give();
}

void prof_waiters_end(const void *what, bool woken)
{
    take();
    if (own)
        *own = (struct waiter){.woken_of = woken ? what : NULL, .woken = ++now};
    give();
}

void prof_waiters_call(enum isp_fn fn, const void *site)
{
    if (!own || !own->woken_of)
        return;
    take();
    if (own->fn)
        own->woken_of = NULL;
    own->fn = fn;
    own->site = site;
    give();
}

static bool is_instead_of_another(const struct waiter *w)
{
    for (const struct waiter *other = waiters; other < waiters + n_waiters; other++)
        if (other->waits_for == w->woken_of && other->since < w->woken)
            return true;
    return false;
}

void prof_waiters_chosen(enum isp_fn *fn, const void **site)
{
    take();
    for (const struct waiter *w = waiters; w < waiters + n_waiters; w++)
        if (w->woken_of && w->fn && is_instead_of_another(w)) {
            *fn = w->fn;
            *site = w->site;
            break;
        }
    give();
}
