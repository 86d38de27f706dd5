/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See mutexes.h. All mutexes of the process come through here, libisp.so's own too, so it is short: a list of what each thread holds, from
 * MPI_THREAD_SERIALIZED on. Waiting for a condition gives a mutex up and gets it back, and changes nothing here.
 */
#include "mutexes.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>

#include "thread.h"

enum { HELD_MOST = 32, BITS = 64 };

#define EXPORTED __attribute__((visibility("default")))

/* ---- what is held ---- */

static __thread const void *held[HELD_MOST] __attribute__((tls_model("initial-exec")));
static __thread unsigned n_held __attribute__((tls_model("initial-exec")));

static void push(const void *mutex)
{
    if (prof_threads_own_order && n_held < HELD_MOST)
        held[n_held++] = mutex;
}

static void pop(const void *mutex)
{
    for (unsigned i = n_held; i-- > 0;)
        if (held[i] == mutex) {
            for (n_held--; i < n_held; i++)
                held[i] = held[i + 1];
            return;
        }
}

static const void *known[BITS - 1]; /* by bit */
static atomic_uint n_known;
static atomic_flag adding = ATOMIC_FLAG_INIT;

static unsigned find(const void *mutex, unsigned n)
{
    unsigned bit = 0;
    while (bit < n && known[bit] != mutex)
        bit++;
    return bit;
}

static unsigned bit_of(const void *mutex)
{
    unsigned n = atomic_load(&n_known), bit = find(mutex, n);
    if (bit < n || n == BITS - 1)
        return bit;
    while (atomic_flag_test_and_set(&adding))
        ;
    n = atomic_load(&n_known);
    bit = find(mutex, n);
    if (bit == n && n < BITS - 1) {
        known[n] = mutex;
        atomic_store(&n_known, n + 1);
    }
    atomic_flag_clear(&adding);
    return bit;
}

uint64_t prof_mutexes_held(void)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n_held; i++)
        bits |= UINT64_C(1) << bit_of(held[i]);
    return bits;
}

/* ---- in front of the C library ---- */

/* libc's functions by their inner names, as long as the next ones have not been looked up: that may itself need a mutex. */
extern int __pthread_mutex_lock(pthread_mutex_t *) __attribute__((weak));
extern int __pthread_mutex_trylock(pthread_mutex_t *) __attribute__((weak));
extern int __pthread_mutex_unlock(pthread_mutex_t *) __attribute__((weak));

static int (*next_lock)(pthread_mutex_t *) = __pthread_mutex_lock;
static int (*next_trylock)(pthread_mutex_t *) = __pthread_mutex_trylock;
static int (*next_unlock)(pthread_mutex_t *) = __pthread_mutex_unlock;

__attribute__((constructor)) static void look_up(void)
{
    next_lock = (__typeof__(next_lock))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    next_trylock = (__typeof__(next_trylock))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    next_unlock = (__typeof__(next_unlock))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
}

static bool is_got(int rc) { return rc == 0 || rc == EOWNERDEAD; }

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int rc = next_lock(mutex);
    if (is_got(rc))
        push(mutex);
    return rc;
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    int rc = next_trylock(mutex);
    if (is_got(rc))
        push(mutex);
    return rc;
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    pop(mutex);
    return next_unlock(mutex);
}

/* What few programs use, and nothing before main. */
#define NEXT(name)                              \
    static __typeof__(&name) next; \
    next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define GETS(type, name, parameters, arguments, mutex, got) \
    EXPORTED type name parameters                           \
    {                                                       \
        NEXT(name);                                         \
        type rc = next arguments;                           \
        if (got)                                            \
            push(mutex);                                    \
        return rc;                                          \
    }

#define GIVES_BACK(type, name, parameters, arguments, mutex) \
    EXPORTED type name parameters                            \
    {                                                        \
        NEXT(name);                                          \
        pop(mutex);                                          \
        return next arguments;                               \
    }

GETS(int, pthread_mutex_timedlock, (pthread_mutex_t *restrict mutex, const struct timespec *restrict until), (mutex, until), mutex, is_got(rc))
GETS(int, mtx_lock, (mtx_t *mutex), (mutex), mutex, rc == thrd_success)
GETS(int, mtx_trylock, (mtx_t *mutex), (mutex), mutex, rc == thrd_success)
GIVES_BACK(int, mtx_unlock, (mtx_t *mutex), (mutex), mutex)
GETS(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock), lock, rc == 0)
GIVES_BACK(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock), (lock), lock)
GETS(int, pthread_spin_lock, (pthread_spinlock_t *lock), (lock), (const void *)lock, rc == 0)
GETS(int, pthread_spin_trylock, (pthread_spinlock_t *lock), (lock), (const void *)lock, rc == 0)
GIVES_BACK(int, pthread_spin_unlock, (pthread_spinlock_t *lock), (lock), (const void *)lock)

/* ---- semaphores ----
 *
 * One that begins with more than 0 lets so many threads in at a time, and the others wait for them: as a mutex, who is
 * let in first is as free as what they call. One that begins with 0 hands on: who waits for it comes behind who has posted it. */

enum { SEMAPHORES_MOST = 256 };

static const sem_t *mutual[SEMAPHORES_MOST];
static unsigned n_mutual;
static atomic_flag noting = ATOMIC_FLAG_INIT;

static bool is_mutual(const sem_t *semaphore)
{
    unsigned i = 0;
    while (atomic_flag_test_and_set(&noting))
        ;
    while (i < n_mutual && mutual[i] != semaphore)
        i++;
    bool found = i < n_mutual;
    atomic_flag_clear(&noting);
    return found;
}

static void begins_with(const sem_t *semaphore, unsigned value)
{
    unsigned i = 0;
    while (atomic_flag_test_and_set(&noting))
        ;
    while (i < n_mutual && mutual[i] != semaphore)
        i++;
    if (i < n_mutual && !value)
        mutual[i] = mutual[--n_mutual]; /* what was there before is over */
    else if (i == n_mutual && value && n_mutual < SEMAPHORES_MOST)
        mutual[n_mutual++] = semaphore;
    atomic_flag_clear(&noting);
}

EXPORTED int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    NEXT(sem_init);
    begins_with(semaphore, value);
    return next(semaphore, shared, value);
}

GETS(int, sem_wait, (sem_t *semaphore), (semaphore), semaphore, rc == 0 && is_mutual(semaphore))
GETS(int, sem_trywait, (sem_t *semaphore), (semaphore), semaphore, rc == 0 && is_mutual(semaphore))
GETS(int, sem_timedwait, (sem_t *restrict semaphore, const struct timespec *restrict until), (semaphore, until), semaphore,
     rc == 0 && is_mutual(semaphore))
GIVES_BACK(int, sem_post, (sem_t *semaphore), (semaphore), semaphore)

/* ---- in front of OpenMP: GCC's library and LLVM's ---- */

static const char unnamed; /* stands for the critical section without a name */

#define SECTION(name, parameters, arguments, what) \
    EXPORTED void name parameters;                 \
    EXPORTED void name parameters                  \
    {                                              \
        NEXT(name);                                \
        what;                                      \
        next arguments;                            \
    }

#define ENTERS(name, parameters, arguments, mutex) \
    EXPORTED void name parameters;                 \
    EXPORTED void name parameters                  \
    {                                              \
        NEXT(name);                                \
        next arguments;                            \
        push(mutex);                               \
    }

ENTERS(GOMP_critical_start, (void), (), &unnamed)
SECTION(GOMP_critical_end, (void), (), pop(&unnamed))
ENTERS(GOMP_critical_name_start, (void **name), (name), name)
SECTION(GOMP_critical_name_end, (void **name), (name), pop(name))
ENTERS(__kmpc_critical, (void *at, int32_t thread, void *name), (at, thread, name), name)
ENTERS(__kmpc_critical_with_hint, (void *at, int32_t thread, void *name, uint32_t hint), (at, thread, name, hint), name)
SECTION(__kmpc_end_critical, (void *at, int32_t thread, void *name), (at, thread, name), pop(name))
ENTERS(omp_set_lock, (void *lock), (lock), lock)
SECTION(omp_unset_lock, (void *lock), (lock), pop(lock))
ENTERS(omp_set_nest_lock, (void *lock), (lock), lock)
SECTION(omp_unset_nest_lock, (void *lock), (lock), pop(lock))
