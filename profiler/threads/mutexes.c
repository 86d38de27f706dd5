/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See mutexes.h. All mutexes of the process come through here, libisp.so's own too, so it is short: a list of
 * what each thread holds, from MPI_THREAD_SERIALIZED on. Waiting for a condition gives a mutex up and gets it
 * back, which changes nothing here.
 */
#include "mutexes.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <threads.h>

#include "base/phase.h"
#include "thread.h"
#include "waiters.h"

enum { HELD_MOST = 32, BITS = 64 };

#define EXPORTED __attribute__((visibility("default")))

/* ---- what is held ---- */

static __thread struct held {
    const void *mutex;
    bool counts; /* when it is given back, as one that the thread has had */
} held[HELD_MOST] __attribute__((tls_model("initial-exec")));
static __thread unsigned n_held __attribute__((tls_model("initial-exec")));
static __thread uint64_t had __attribute__((tls_model("initial-exec")));

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

static uint64_t got_semaphores(void);

void prof_mutexes_held(struct prof_held *what)
{
    *what = (struct prof_held){.perhaps = got_semaphores()};
    for (unsigned i = 0; i < n_held; i++) {
        what->surely |= UINT64_C(1) << bit_of(held[i].mutex);
        held[i].counts = false; /* the order of what is called under it is looked at */
    }
}

uint64_t prof_mutexes_had(void)
{
    uint64_t bits = had;
    had = 0;
    return bits;
}

/* ---- who takes it ---- */

static bool is_of_a_runtime(const void *caller)
{
    static const char *const names[] = {"libisp", "libmpi",   "libuc",   "libpmi", "libfabric",
                                        "libpsm", "libhwloc", "libgomp", "libomp", "libiomp"};
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* If the program has functions of this name, as with a ThreadSanitizer that is linked into it, all seem to
 * come from there, isp's own too. */
static bool program_is_in_front;

/* Who takes the object is the program, or a library of its, outside of MPI. */
static bool is_programs(const void *object, const void *caller)
{
    static __thread struct {
        const void *caller;
        bool is;
    } last[16] __attribute__((tls_model("initial-exec")));
    if (!prof_threads_own_order || prof_depth || prof_thread_is_mpis())
        return false;
    unsigned i = ((uintptr_t)caller >> 2) % (sizeof last / sizeof *last);
    if (last[i].caller != caller) {
        last[i].caller = caller;
        last[i].is = !is_of_a_runtime(caller);
    }
    return last[i].is && !(program_is_in_front && is_of_a_runtime(object));
}

static void push(const void *mutex, const void *caller)
{
    if (prof_threads_own_order && n_held < HELD_MOST)
        held[n_held++] = (struct held){mutex, is_programs(mutex, caller)};
}

static void note_had(const void *mutex)
{
    unsigned bit = bit_of(mutex);
    if (bit < BITS - 1) /* that is no other one's, too */
        had |= UINT64_C(1) << bit;
}

static void pop(const void *mutex)
{
    for (unsigned i = n_held; i-- > 0;)
        if (held[i].mutex == mutex) {
            bool counts = held[i].counts;
            for (n_held--; i < n_held; i++)
                held[i] = held[i + 1];
            if (counts && prof_threads_others())
                note_had(mutex);
            return;
        }
}

/* What was had before is for those that wait for the signal. */
static void note_signal(void)
{
    had = 0;
    for (unsigned i = 0; i < n_held; i++)
        held[i].counts = false;
    got_semaphores();
}

#define CALLER __builtin_return_address(0)

/* ---- in front of the C library ---- */

/* Looked up when the first mutex is locked: by a constructor that runs before this library's, perhaps. libc's
 * functions by their inner names do meanwhile, since to look up may itself need a mutex; for longer they do
 * not: ThreadSanitizer stands in front of them and finds nothing behind. */
extern int __pthread_mutex_lock(pthread_mutex_t *) __attribute__((weak));
extern int __pthread_mutex_trylock(pthread_mutex_t *) __attribute__((weak));
extern int __pthread_mutex_unlock(pthread_mutex_t *) __attribute__((weak));

static int first_lock(pthread_mutex_t *mutex);
static int first_trylock(pthread_mutex_t *mutex);
static int first_unlock(pthread_mutex_t *mutex);

static int (*next_lock)(pthread_mutex_t *) = first_lock;
static int (*next_trylock)(pthread_mutex_t *) = first_trylock;
static int (*next_unlock)(pthread_mutex_t *) = first_unlock;

static void look_up(void)
{
    next_lock = __pthread_mutex_lock;
    next_trylock = __pthread_mutex_trylock;
    next_unlock = __pthread_mutex_unlock;
    next_lock = (__typeof__(next_lock))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    next_trylock = (__typeof__(next_trylock))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    next_unlock = (__typeof__(next_unlock))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    program_is_in_front = !is_of_a_runtime(dlsym(RTLD_DEFAULT, "pthread_mutex_lock"));
}

static int first_lock(pthread_mutex_t *mutex)
{
    look_up();
    return next_lock(mutex);
}

static int first_trylock(pthread_mutex_t *mutex)
{
    look_up();
    return next_trylock(mutex);
}

static int first_unlock(pthread_mutex_t *mutex)
{
    look_up();
    return next_unlock(mutex);
}

static bool is_got(int rc) { return rc == 0 || rc == EOWNERDEAD; }

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int rc = next_lock(mutex);
    if (is_got(rc))
        push(mutex, CALLER);
    return rc;
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    int rc = next_trylock(mutex);
    if (is_got(rc))
        push(mutex, CALLER);
    return rc;
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    pop(mutex);
    return next_unlock(mutex);
}

/* What few programs use, and nothing before main. */
#define NEXT(name)                 \
    static __typeof__(&name) next; \
    next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define GETS(type, name, parameters, arguments, mutex, got) \
    EXPORTED type name parameters                           \
    {                                                       \
        NEXT(name);                                         \
        type rc = next arguments;                           \
        if (got)                                            \
            push(mutex, CALLER);                            \
        return rc;                                          \
    }

#define GIVES_BACK(type, name, parameters, arguments, mutex) \
    EXPORTED type name parameters                            \
    {                                                        \
        NEXT(name);                                          \
        pop(mutex);                                          \
        return next arguments;                               \
    }

GETS(int, pthread_mutex_timedlock, (pthread_mutex_t *restrict mutex, const struct timespec *restrict until),
     (mutex, until), mutex, is_got(rc))
GETS(int, pthread_mutex_clocklock,
     (pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict until),
     (mutex, clock, until), mutex, is_got(rc))
GETS(int, mtx_timedlock, (mtx_t *restrict mutex, const struct timespec *restrict until), (mutex, until),
     mutex, rc == thrd_success)
GETS(int, mtx_lock, (mtx_t * mutex), (mutex), mutex, rc == thrd_success)
GETS(int, mtx_trylock, (mtx_t * mutex), (mutex), mutex, rc == thrd_success)
GIVES_BACK(int, mtx_unlock, (mtx_t * mutex), (mutex), mutex)
GETS(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), lock, rc == 0)
GETS(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock), lock, rc == 0)
GETS(int, pthread_rwlock_timedwrlock,
     (pthread_rwlock_t *restrict lock, const struct timespec *restrict until), (lock, until), lock, rc == 0)
GETS(int, pthread_rwlock_clockwrlock,
     (pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until),
     (lock, clock, until), lock, rc == 0)
GIVES_BACK(int, pthread_rwlock_unlock, (pthread_rwlock_t * lock), (lock), lock)
GETS(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock), (const void *)lock, rc == 0)
GETS(int, pthread_spin_trylock, (pthread_spinlock_t * lock), (lock), (const void *)lock, rc == 0)
GIVES_BACK(int, pthread_spin_unlock, (pthread_spinlock_t * lock), (lock), (const void *)lock)

/* ---- semaphores ----
 *
 * One that begins with more than 0 lets so many threads in at a time, and the others wait for them: as a
 * mutex, who is let in first is as free as what they call. One that begins with 0 hands on: who waits for it
 * comes behind who has posted it. Unless the one who posts it is the one who has got it last: then it was a
 * mutex all the time, into which somebody has put its 1 later. */

enum { SEMAPHORES_MOST = 256 }; /* of more nothing is said */

static struct semaphore {
    const sem_t *at;
    bool mutual;    /* it is a mutex */
    unsigned owner; /* else: the thread that has got it last, if nobody has posted it since; 0: none */
    bool counts;    /* the owner has called nothing since: see struct held */
} semaphores[SEMAPHORES_MOST];
static atomic_uint n_semaphores;
static atomic_flag noting = ATOMIC_FLAG_INIT;

/* This thread does: a handler of a signal may post. */
static __thread bool notes __attribute__((tls_model("initial-exec")));

static void begin_noting(void)
{
    notes = true;
    while (atomic_flag_test_and_set(&noting))
        ;
}

static void end_noting(void)
{
    atomic_flag_clear(&noting);
    notes = false;
}

/* A number that no other thread has, or has had. */
static unsigned own_number(void)
{
    static atomic_uint last;
    static __thread unsigned number __attribute__((tls_model("initial-exec")));
    number = number ? number : ++last;
    return number;
}

static struct semaphore *find_semaphore(const sem_t *semaphore)
{
    for (unsigned i = 0; i < n_semaphores; i++)
        if (semaphores[i].at == semaphore)
            return &semaphores[i];
    return NULL;
}

static struct semaphore *add_semaphore(const sem_t *semaphore)
{
    struct semaphore *s = find_semaphore(semaphore);
    if (!s && n_semaphores < SEMAPHORES_MOST)
        s = &semaphores[n_semaphores++];
    if (s && s->at != semaphore)
        *s = (struct semaphore){.at = semaphore};
    return s;
}

static bool is_mutual(const sem_t *semaphore)
{
    begin_noting();
    const struct semaphore *s = find_semaphore(semaphore);
    bool mutual = s && s->mutual;
    end_noting();
    return mutual;
}

static void begins_with(const sem_t *semaphore, unsigned value)
{
    begin_noting();
    struct semaphore *s = value ? add_semaphore(semaphore) : find_semaphore(semaphore);
    if (s && value)
        *s = (struct semaphore){.at = semaphore, .mutual = true};
    else if (s)
        *s = semaphores[--n_semaphores]; /* what was there before is over */
    if (s && !value)
        semaphores[n_semaphores] = (struct semaphore){0};
    end_noting();
}

static void get_semaphore(const sem_t *semaphore, const void *caller)
{
    bool programs = is_programs(semaphore, caller);
    begin_noting();
    struct semaphore *s = programs ? add_semaphore(semaphore) : find_semaphore(semaphore);
    bool mutual = s && s->mutual;
    if (s && !mutual) {
        s->owner = programs ? own_number() : 0;
        s->counts = programs;
    }
    end_noting();
    if (mutual)
        push(semaphore, caller);
}

static void give_semaphore(const sem_t *semaphore)
{
    if (notes)
        return;
    begin_noting();
    struct semaphore *s = n_semaphores ? find_semaphore(semaphore) : NULL;
    bool shown = s && !s->mutual && s->owner == own_number(), counts = shown && s->counts;
    if (s && !s->mutual)
        s->owner = 0;
    if (shown)
        s->mutual = true;
    end_noting();
    if (counts && prof_threads_others())
        note_had(semaphore);
    pop(semaphore);
}

/* As bits, those that the calling thread owns; the order of what it calls from now on is looked at. */
static uint64_t got_semaphores(void)
{
    uint64_t bits = 0;
    if (!n_semaphores)
        return 0;
    begin_noting();
    for (unsigned i = 0; i < n_semaphores; i++)
        if (semaphores[i].owner == own_number()) {
            semaphores[i].counts = false;
            bits |= UINT64_C(1) << bit_of(semaphores[i].at);
        }
    end_noting();
    return bits;
}

EXPORTED int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    NEXT(sem_init);
    begins_with(semaphore, value);
    return next(semaphore, shared, value);
}

void prof_mutexes_opened(sem_t *semaphore)
{
    int value = 0;
    if (sem_getvalue(semaphore, &value) == 0 && value > 0) /* 0: perhaps somebody has it now */
        begins_with(semaphore, (unsigned)value);
}

/* Who need not wait has not waited, but may have got what another one waits for. */
static bool get_at_once(sem_t *semaphore)
{
    NEXT(sem_trywait);
    uint64_t now = prof_waiters_now();
    int error = errno;
    bool got = next(semaphore) == 0;
    errno = error;
    if (got)
        prof_waiters_got(semaphore, now);
    return got;
}

#define AWAITS(name, parameters, arguments)                                    \
    EXPORTED int name parameters                                               \
    {                                                                          \
        NEXT(name);                                                            \
        bool counts = !is_mutual(semaphore) && is_programs(semaphore, CALLER); \
        bool waits = !counts || !get_at_once(semaphore);                       \
        if (counts && waits)                                                   \
            prof_waiters_begin(semaphore);                                     \
        int rc = waits ? next arguments : 0;                                   \
        if (counts && waits)                                                   \
            prof_waiters_end(semaphore, rc == 0);                              \
        if (rc == 0)                                                           \
            get_semaphore(semaphore, CALLER);                                  \
        return rc;                                                             \
    }

AWAITS(sem_wait, (sem_t * semaphore), (semaphore))
AWAITS(sem_timedwait, (sem_t *restrict semaphore, const struct timespec *restrict until), (semaphore, until))
AWAITS(sem_clockwait, (sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until),
       (semaphore, clock, until))

EXPORTED int sem_trywait(sem_t *semaphore)
{
    NEXT(sem_trywait);
    int rc = next(semaphore);
    if (rc == 0)
        get_semaphore(semaphore, CALLER);
    return rc;
}

EXPORTED int sem_post(sem_t *semaphore)
{
    NEXT(sem_post);
    give_semaphore(semaphore);
    return next(semaphore);
}

/* ---- condition variables ---- */

/* Those of pthreads have two versions in some C libraries, and dlsym may find the older one. What stands in
 * front of the C library, as ThreadSanitizer does, has no versions. */
static void *find_condition(const char *name)
{
    Dl_info nearest_in, newer_in;
    void *nearest = dlsym(RTLD_NEXT, name), *newer = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    bool both = newer && dladdr(nearest, &nearest_in) && dladdr(newer, &newer_in);
    return both && nearest_in.dli_fbase == newer_in.dli_fbase ? newer : nearest;
}

#define CONDITION(name)            \
    static __typeof__(&name) next; \
    next = next ? next : (__typeof__(&name))find_condition(#name)

#define AWAITS_CONDITION(name, parameters, arguments, woken) \
    EXPORTED int name parameters                             \
    {                                                        \
        CONDITION(name);                                     \
        bool counts = is_programs(condition, CALLER);        \
        if (counts)                                          \
            prof_waiters_begin(condition);                   \
        int rc = next arguments;                             \
        if (counts)                                          \
            prof_waiters_end(condition, rc == woken);        \
        return rc;                                           \
    }

#define SIGNALS(name, type)                 \
    EXPORTED int name(type *condition)      \
    {                                       \
        CONDITION(name);                    \
        if (is_programs(condition, CALLER)) \
            note_signal();                  \
        return next(condition);             \
    }

AWAITS_CONDITION(pthread_cond_wait, (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex),
                 (condition, mutex), 0)
AWAITS_CONDITION(pthread_cond_timedwait,
                 (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                  const struct timespec *restrict until),
                 (condition, mutex, until), 0)
AWAITS_CONDITION(pthread_cond_clockwait,
                 (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                  const struct timespec *restrict until),
                 (condition, mutex, clock, until), 0)
AWAITS_CONDITION(cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex), thrd_success)
AWAITS_CONDITION(cnd_timedwait,
                 (cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until),
                 (condition, mutex, until), thrd_success)
SIGNALS(pthread_cond_signal, pthread_cond_t)
SIGNALS(pthread_cond_broadcast, pthread_cond_t)
SIGNALS(cnd_signal, cnd_t)
SIGNALS(cnd_broadcast, cnd_t)

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
        push(mutex, CALLER);                       \
    }

ENTERS(GOMP_critical_start, (void), (), &unnamed)
SECTION(GOMP_critical_end, (void), (), pop(&unnamed))
ENTERS(GOMP_critical_name_start, (void **name), (name), name)
SECTION(GOMP_critical_name_end, (void **name), (name), pop(name))
ENTERS(__kmpc_critical, (void *at, int32_t thread, void *name), (at, thread, name), name)
ENTERS(__kmpc_critical_with_hint, (void *at, int32_t thread, void *name, uint32_t hint),
       (at, thread, name, hint), name)
SECTION(__kmpc_end_critical, (void *at, int32_t thread, void *name), (at, thread, name), pop(name))
ENTERS(omp_set_lock, (void *lock), (lock), lock)
SECTION(omp_unset_lock, (void *lock), (lock), pop(lock))
ENTERS(omp_set_nest_lock, (void *lock), (lock), lock)
SECTION(omp_unset_nest_lock, (void *lock), (lock), pop(lock))

#define TRIES(name)                \
    EXPORTED int name(void *lock); \
    EXPORTED int name(void *lock)  \
    {                              \
        NEXT(name);                \
        int got = next(lock);      \
        if (got)                   \
            push(lock, CALLER);    \
        return got;                \
    }

TRIES(omp_test_lock)
TRIES(omp_test_nest_lock)
