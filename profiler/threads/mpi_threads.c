/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeping MPI's own threads asleep: see mpi_threads.h. */
#include "mpi_threads.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <time.h>

#include "thread.h"

/* HOLD_MS: of the processor's time, and a processor that others have does not give it. */
enum { PATIENCE_S = 1, HOLD_MS = 200, LONGEST_S = 5 };

/* Held for reading by those that have slept and are awake, for writing around a fork. */
static pthread_rwlock_t awake = PTHREAD_RWLOCK_INITIALIZER;
static atomic_bool held; /* between two calls of the program */
static __thread bool is_awake __attribute__((tls_model("initial-exec")));

bool prof_mpi_threads_stop(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_S;
    return pthread_rwlock_clockwrlock(&awake, CLOCK_MONOTONIC, &until) == 0;
}

void prof_mpi_threads_go_on(void) { pthread_rwlock_unlock(&awake); }

/* Made anew: its owner is a thread of the parent. Given back first, or this thread would hold it for ever, in
 * what each of its calls tells (mutexes.c). */
void prof_mpi_threads_forked(void)
{
    pthread_rwlock_unlock(&awake);
    pthread_rwlock_init(&awake, NULL);
}

static struct timespec after_ms(long ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

bool prof_mpi_threads_hold(void)
{
    struct timespec until = after_ms(1000L * LONGEST_S);
    held = pthread_rwlock_clockwrlock(&awake, CLOCK_MONOTONIC, &until) == 0;
    return held;
}

void prof_mpi_threads_let_go(void)
{
    if (held)
        pthread_rwlock_unlock(&awake);
    held = false;
}

static long used_ms(void)
{
    struct timespec used = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* While the program runs, and may do so for long, or wait for something else, nobody waits for longer than
 * some time. */
static bool wake(void)
{
    long used = used_ms();
    for (int i = 0;; i++) {
        struct timespec until = after_ms(HOLD_MS);
        if (pthread_rwlock_clockrdlock(&awake, CLOCK_MONOTONIC, &until) == 0)
            return true;
        if (held && (used_ms() - used >= HOLD_MS || i * HOLD_MS >= 1000 * LONGEST_S))
            return false;
    }
}

__attribute__((visibility("default"))) int epoll_wait(int epoll, struct epoll_event *events, int most,
                                                      int timeout)
{
    static __typeof__(&epoll_wait) next;
    next = next ? next : (__typeof__(&epoll_wait))dlsym(RTLD_NEXT, "epoll_wait");
    if (!prof_thread_is_mpis())
        return next(epoll, events, most, timeout);
    if (is_awake)
        pthread_rwlock_unlock(&awake);
    int n = next(epoll, events, most, timeout), error = errno;
    is_awake = wake();
    errno = error;
    return n;
}
