/* SPDX-License-Identifier: BSD-3-Clause */
#include "unjoined.h"

#include <stddef.h>

#include "base/alloc.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t *threads;
static unsigned n, room;

void prof_unjoined_add(pthread_t thread)
{
    pthread_mutex_lock(&lock);
    if (n == room) {
        room = room ? 2 * room : 16;
        threads = prof_grow(threads, room, sizeof *threads);
    }
    threads[n++] = thread;
    pthread_mutex_unlock(&lock);
}

void prof_unjoined_remove(pthread_t thread)
{
    pthread_mutex_lock(&lock);
    unsigned i = 0;
    while (i < n && !pthread_equal(threads[i], thread))
        i++;
    if (i < n)
        threads[i] = threads[--n];
    pthread_mutex_unlock(&lock);
}

bool prof_unjoined_any(void)
{
    pthread_mutex_lock(&lock);
    bool any = n > 0;
    pthread_mutex_unlock(&lock);
    return any;
}
