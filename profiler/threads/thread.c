/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a rank: see thread.h. */
#include "thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/own_ids.h"
#include "base/phase.h"
#include "unjoined.h"

bool prof_threads_own_order, prof_threads_at_once;

/* ---- who is there ---- */

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct prof_thread main_thread = {.go = PTHREAD_COND_INITIALIZER};
static unsigned created = 1;  /* threads, ever: the next number */
static atomic_uint there = 1; /* threads that have not left */
static __thread struct prof_thread *self_ __attribute__((tls_model("initial-exec")));

static bool is_gone(pid_t tid) { return syscall(SYS_tgkill, prof_own_pid(), tid, 0) < 0 && errno == ESRCH; }

static void reap_locked(void)
{
    for (struct prof_thread **at = &main_thread.next, *t; (t = *at);) {
        if (t->where != PROF_LEAVING || !is_gone(t->tid)) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        free(t->positions);
        free(t);
    }
}

void prof_threads_reap(void)
{
    int error = errno;
    pthread_mutex_lock(&list_lock);
    reap_locked();
    pthread_mutex_unlock(&list_lock);
    errno = error;
}

static struct prof_thread *add(void)
{
    struct prof_thread *t = prof_alloc(1, sizeof *t);
    pthread_cond_init(&t->go, NULL);
    pthread_mutex_lock(&list_lock);
    if (!prof_threads_own_order) /* else quiet.c does, which looks at them */
        reap_locked();
    struct prof_thread **last = &main_thread.next;
    while (*last)
        last = &(*last)->next;
    *last = t;
    t->number = (uint16_t)(created < UINT16_MAX ? created++ : created);
    atomic_fetch_add(&there, 1);
    pthread_mutex_unlock(&list_lock);
    return t;
}

static void leave(void *thread)
{
    struct prof_thread *t = thread;
    t->where = PROF_LEAVING;
    atomic_fetch_sub(&there, 1);
}

/* A thread that was not created by this process's pthread_create is counted from its first call on. */
static struct prof_thread *find_self(void)
{
    pid_t tid = prof_own_tid();
    struct prof_thread *t = tid == prof_own_pid() ? &main_thread : add();
    t->tid = tid;
    if (t != &main_thread)
        prof_unjoined_add(pthread_self());
    return t;
}

struct prof_thread *prof_thread_self(void)
{
    if (!self_)
        self_ = find_self();
    return self_;
}

bool prof_thread_is_mpis(void) { return !self_ && prof_own_tid() != prof_own_pid(); }

bool prof_threads_several(void) { return atomic_load(&there) > 1; }

bool prof_threads_never(void) { return created == 1; }

/* The main thread is always there: in MPI_Finalize at the latest. */
bool prof_threads_others(void) { return prof_thread_self() != &main_thread || prof_unjoined_any(); }

void prof_threads_each(void (*see)(struct prof_thread *, void *), void *context)
{
    pthread_mutex_lock(&list_lock);
    for (struct prof_thread *t = &main_thread; t; t = t->next)
        see(t, context);
    pthread_mutex_unlock(&list_lock);
}

void prof_threads_begin(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    prof_threads_own_order = level >= MPI_THREAD_SERIALIZED;
    prof_threads_at_once = level == MPI_THREAD_MULTIPLE;
    main_thread.tid = prof_own_pid();
}

void prof_threads_forked(void) { main_thread.tid = prof_own_pid(); }

/* ---- creation ---- */

struct start {
    void *(*routine)(void *);
    thrd_start_t c11;
    void *argument;
    struct prof_thread *thread;
};

static void *begin(void *context)
{
    struct start start = *(struct start *)context;
    void *result;
    free(context);
    self_ = start.thread;
    self_->tid = prof_own_tid();
    pthread_cleanup_push(leave, self_);
    result = start.c11 ? (void *)(intptr_t)start.c11(start.argument) : start.routine(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* libc's function by its inner name, which only a static program sees (and has: isp-cc asks for it). */
extern create_function __pthread_create __attribute__((weak));

static create_function *real_create(void)
{
    static _Atomic(create_function *) real;
    if (!real)
        real = __pthread_create ? __pthread_create : (create_function *)dlsym(RTLD_NEXT, "pthread_create");
    return real;
}

static int create(pthread_t *handle, const pthread_attr_t *attributes, const struct start *what)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN;
    *start = *what;
    start->thread = add();
    int rc = real_create()(handle, attributes, begin, start);
    if (rc != 0) {
        start->thread->tid = INT32_MAX; /* no thread has this number: the next reap forgets it */
        leave(start->thread);
        free(start);
    } else {
        prof_unjoined_add(*handle);
    }
    return rc;
}

/* MPI's own threads, and those of processes that are no ranks, are nobody's business. */
static bool is_counted(void)
{
    return prof_depth == 0 && (prof_phase == PROF_BEFORE_INIT || prof_phase == PROF_RUNNING);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *restrict handle,
                                                          const pthread_attr_t *restrict attributes,
                                                          void *(*routine)(void *), void *restrict argument)
{
    if (!is_counted())
        return real_create()(handle, attributes, routine, argument);
    return create(handle, attributes, &(struct start){.routine = routine, .argument = argument});
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *handle, thrd_start_t routine, void *argument)
{
    int rc = create(handle, NULL, &(struct start){.c11 = routine, .argument = argument});
    return rc == 0 ? thrd_success : rc == ENOMEM ? thrd_nomem : thrd_error;
}

/* ---- one at a time ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t may_enter = PTHREAD_COND_INITIALIZER;
static unsigned entering;         /* threads that wait for may_enter */
static struct prof_thread *owner; /* it was released: it goes on, and nobody else may */
static struct prof_thread *reader;
static struct prof_thread *waiting;                               /* at their fences, not released */
static struct prof_thread *released, **last_released = &released; /* in this order */

void prof_threads_lock(void)
{
    pthread_mutex_lock(&lock);
    while (owner && owner != self_) {
        entering++;
        pthread_cond_wait(&may_enter, &lock);
        entering--;
    }
}

void prof_threads_unlock(void) { pthread_mutex_unlock(&lock); }

/* The lock is about to be given up: whose turn is it? */
static void hand_on(void)
{
    owner = released;
    if (owner) {
        released = owner->next_released;
        if (!released)
            last_released = &released;
        pthread_cond_signal(&owner->go);
    } else if (entering) {
        pthread_cond_broadcast(&may_enter);
    }
}

void prof_threads_enter(void)
{
    prof_thread_self()->where = PROF_INSIDE;
    prof_threads_lock();
}

void prof_threads_leave(void)
{
    hand_on();
    if (!owner && !reader && waiting)
        pthread_cond_signal(&waiting->go);
    self_->where = PROF_OUTSIDE;
    prof_threads_unlock();
}

bool prof_threads_release(uint16_t thread, struct prof_thread **out)
{
    struct prof_thread **at = &waiting;
    while (*at && (*at)->number != thread)
        at = &(*at)->next_waiting;
    struct prof_thread *t = *at;
    if (!t)
        return false;
    *at = t->next_waiting;
    t->where = PROF_INSIDE;
    t->next_released = NULL;
    *last_released = t;
    last_released = &t->next_released;
    *out = t;
    return true;
}

void prof_threads_wait(void (*read)(void))
{
    struct prof_thread *me = self_;
    me->next_waiting = waiting;
    waiting = me;
    me->where = PROF_WAITING;
    hand_on();
    while (owner != me) {
        if (owner || reader) {
            pthread_cond_wait(&me->go, &lock);
            continue;
        }
        reader = me;
        while (!released)
            read();
        reader = NULL;
        hand_on();
    }
}
