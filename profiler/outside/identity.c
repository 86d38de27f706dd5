/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See identity.h. Only the process that acts as the rank is somebody else to the program: a child that the
 * program forks is told who it is, and that its parent is the rank.
 */
#include "identity.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "link/uplink.h"
#include "polled.h"
#include "times.h"

static struct {
    pid_t pid, parent;                 /* of the process that was launched; pid 0: nothing was forked */
    pid_t self;                        /* the one that acts for it */
    struct timespec used, thread_used; /* processor time, by those before this one ... */
    struct timeval user, system;       /* ... and its parts */
} identity;

#define EXPORT __attribute__((visibility("default")))
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CALL(name)                 \
    static __typeof__(&name) next; \
    next = next ? next : NEXT(name)

static bool is_changed(void) { return identity.self && prof_own_pid() == identity.self; }

/* ---- ids ---- */

static pid_t seen_pid(void) { return is_changed() ? identity.pid : prof_own_pid(); }

/* Only the thread that was forked can be somebody else's. */
static pid_t seen_tid(void)
{
    pid_t tid = prof_own_tid();
    return identity.self && tid == identity.self && is_changed() ? identity.pid : tid;
}

static pid_t seen_parent(void)
{
    pid_t parent = prof_own_ppid();
    if (is_changed())
        return identity.parent;
    return identity.self && parent == identity.self ? identity.pid : parent;
}

EXPORT pid_t getpid(void) { return seen_pid(); }
EXPORT pid_t gettid(void) { return seen_tid(); }
EXPORT pid_t getppid(void) { return seen_parent(); }

EXPORT long syscall(long number, ...)
{
    CALL(syscall);
    long a[6];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (identity.self && a[0] != PROF_IDENTITY_OWN) {
        if (number == SYS_getpid)
            return seen_pid();
        if (number == SYS_gettid)
            return seen_tid();
        if (number == SYS_getppid)
            return seen_parent();
    }
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The process that is meant. What others are sent is not taken back; and they may be ranks, in whose place
 * others have gone on. */
static pid_t meant(pid_t pid, int signal)
{
    if (identity.self && pid == identity.pid && is_changed())
        return identity.self;
    if (signal && pid != prof_own_pid())
        prof_link_unkept("it sends signals to other processes");
    return pid;
}

EXPORT int kill(pid_t pid, int signal)
{
    CALL(kill);
    return next(meant(pid, signal), signal);
}

EXPORT int sigqueue(pid_t pid, int signal, const union sigval value)
{
    CALL(sigqueue);
    return next(meant(pid, signal), signal, value);
}

EXPORT int tgkill(pid_t pid, pid_t tid, int signal)
{
    CALL(tgkill);
    pid_t to = meant(pid, signal);
    return next(to, to != pid && tid == pid ? to : tid, signal);
}

/* ---- time used ---- */

static struct timespec add_time(struct timespec a, struct timespec b)
{
    a.tv_sec += b.tv_sec;
    a.tv_nsec += b.tv_nsec;
    if (a.tv_nsec >= 1000000000) {
        a.tv_nsec -= 1000000000;
        a.tv_sec++;
    }
    return a;
}

EXPORT int clock_gettime(clockid_t which, struct timespec *time)
{
    CALL(clock_gettime);
    prof_polled_time();
    int rc = next(which, time);
    if (rc == 0 && identity.self && (which == CLOCK_PROCESS_CPUTIME_ID || which == CLOCK_THREAD_CPUTIME_ID) &&
        is_changed())
        *time = add_time(*time, which == CLOCK_PROCESS_CPUTIME_ID ? identity.used : identity.thread_used);
    if (rc == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        prof_times_repeat(time);
    return rc;
}

EXPORT clock_t clock(void)
{
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) < 0)
        return (clock_t)-1;
    return (clock_t)(used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

EXPORT int getrusage(__rusage_who_t who, struct rusage *usage)
{
    CALL(getrusage);
    prof_polled_time();
    int rc = next(who, usage);
    if (rc == 0 && (who == RUSAGE_SELF || who == RUSAGE_THREAD) && identity.self && is_changed()) {
        timeradd(&usage->ru_utime, &identity.user, &usage->ru_utime);
        timeradd(&usage->ru_stime, &identity.system, &usage->ru_stime);
    }
    return rc;
}

static clock_t ticks(struct timeval time)
{
    long rate = sysconf(_SC_CLK_TCK);
    return (clock_t)(time.tv_sec * rate + time.tv_usec * rate / 1000000);
}

EXPORT clock_t times(struct tms *used)
{
    CALL(times);
    prof_polled_time();
    clock_t now = next(used);
    if (identity.self && is_changed() && used) {
        used->tms_utime += ticks(identity.user);
        used->tms_stime += ticks(identity.system);
    }
    return now;
}

/* ---- a fork ---- */

void prof_identity_prepare(void)
{
    struct rusage usage;
    struct timespec used, thread_used;
    if (!identity.pid) {
        identity.pid = prof_own_pid();
        identity.parent = prof_own_ppid();
    }
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 &&
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &thread_used) == 0) {
        identity.used = used;
        identity.thread_used = thread_used;
    }
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        identity.user = usage.ru_utime;
        identity.system = usage.ru_stime;
    }
}

/* Mutexes that know their owner (errorcheck, recursive, robust) know it by the number that the C library
 * keeps for the thread, which a fork changes; it tells debuggers where (libthread_db): size in bits, how
 * many, offset. */
static void keep_tid(pid_t now)
{
    const uint32_t *field = dlvsym(RTLD_DEFAULT, "_thread_db_pthread_tid", "GLIBC_PRIVATE");
    if (!field || field[0] != 8 * sizeof(pid_t))
        return;
    pid_t *tid = (pid_t *)((char *)pthread_self() + field[2]);
    if (*tid == now)
        *tid = identity.pid;
}

void prof_identity_forked(void)
{
    identity.self = prof_own_pid();
    keep_tid(identity.self);
}
