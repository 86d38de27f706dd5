/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at threads by what the kernel says of them in /proc: see quiet.h. */
#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/timers.h"
#include "thread.h"

#define EXTERNAL_NS 200000000 /* a thread that waits for something outside seems to be idle after this */

enum { PAGE = 4096, FUTEX_PRIVATE = 128 };

/* A thread seems to wait if it has run so long, on a processor, without a call ... */
#define SPIN_NS 50000000
#define SPIN_LEAST_NS 2000000
#define SPIN_MOST_NS 100000000
/* ... or has gone to sleep and come back so often, in some more time. */
#define NAPS 5
#define NAPS_FACTOR 5

/* Reads /proc/self/task/TID/NAME as text; false: there is no such thread any more. */
static bool read_task(pid_t tid, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)tid, name);
    /* not as the program opens files (written.c) */
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, room - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static uint64_t field(const char *status, const char *name)
{
    const char *at = strstr(status, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

enum sleep { AWAKE, IDLE, EXTERNAL };

/* Whether other processes may have the memory there: then one of them may wake who waits for it. */
static bool is_shared(uintptr_t address)
{
    static const uint64_t file_or_shared = (uint64_t)1 << 61;
    uint64_t page = 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (pread(fd, &page, sizeof page, (off_t)(address / PAGE * sizeof page)) != sizeof page)
        page = 0;
    close(fd);
    return page & file_or_shared;
}

/* A mark of the operation says what only this process has; glibc joins threads without it. */
static enum sleep at_futex(uintptr_t address, long long operation, bool timed)
{
    if (timed)
        return AWAKE;
    return !(operation & FUTEX_PRIVATE) && is_shared(address) ? EXTERNAL : IDLE;
}

/* What a sleeping thread waits for, by its system call: "number argument0 argument1 ...". */
static enum sleep what_for(pid_t tid)
{
    char text[256];
    long long a[7] = {-1};
    if (!read_task(tid, "syscall", text, sizeof text))
        return EXTERNAL; /* not told here: it sleeps, that is all */
    if (sscanf(text, "%lld %llx %llx %llx %llx %llx %llx", &a[0], (unsigned long long *)&a[1],
               (unsigned long long *)&a[2], (unsigned long long *)&a[3], (unsigned long long *)&a[4],
               (unsigned long long *)&a[5], (unsigned long long *)&a[6]) != 7)
        return AWAKE; /* "running" */
    switch (a[0]) {
    case SYS_futex: return at_futex((uintptr_t)a[1], a[2], a[4] != 0);
    case SYS_read:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_accept:
    case SYS_accept4: return EXTERNAL;
#ifdef SYS_pause
    case SYS_pause: return EXTERNAL;
    case SYS_poll: return (int)a[3] < 0 ? EXTERNAL : AWAKE;
    case SYS_select: return a[5] == 0 ? EXTERNAL : AWAKE;
    case SYS_epoll_wait: return (int)a[4] < 0 ? EXTERNAL : AWAKE;
#endif
    case SYS_ppoll: return a[3] == 0 ? EXTERNAL : AWAKE;
    case SYS_pselect6: return a[5] == 0 ? EXTERNAL : AWAKE;
    case SYS_epoll_pwait: return (int)a[4] < 0 ? EXTERNAL : AWAKE;
    case SYS_rt_sigtimedwait: return a[3] == 0 ? EXTERNAL : AWAKE;
    default: return AWAKE;
    }
}

/* ---- threads that do not sleep ---- */

static struct {
    uint64_t releases, records;
    bool guessed;
} last;                    /* look */
static uint64_t looks = 1; /* counts those that were the first since a call or a release */
static int64_t spin_ns = SPIN_NS;

static void note_news(uint64_t releases, uint64_t records)
{
    if (releases == last.releases && records == last.records)
        return;
    if (last.guessed && releases != last.releases)
        spin_ns = spin_ns / 2 > SPIN_LEAST_NS ? spin_ns / 2 : SPIN_LEAST_NS;
    else if (last.guessed)
        spin_ns = spin_ns * 2 < SPIN_MOST_NS ? spin_ns * 2 : SPIN_MOST_NS;
    last.releases = releases;
    last.records = records;
    last.guessed = false;
    looks++;
}

/* pthread_getcpuclockid, by the kernel's number of the thread */
static int64_t cpu_ns(pid_t tid)
{
    struct timespec t;
    if (clock_gettime((clockid_t)(~(unsigned)tid << 3 | 6), &t) < 0)
        return 0;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool seems_to_wait(struct prof_thread *t, uint64_t naps)
{
    struct prof_doing *s = &t->seen;
    if (s->first_look != looks) {
        s->first_look = looks;
        s->first_switches = naps;
        s->first_ns = prof_now_ns();
        s->first_cpu_ns = cpu_ns(t->tid);
        return false;
    }
    return cpu_ns(t->tid) - s->first_cpu_ns >= spin_ns ||
           (naps - s->first_switches >= NAPS && prof_now_ns() - s->first_ns >= NAPS_FACTOR * spin_ns);
}

/* One thread outside of fences. */
static enum prof_quiet look_at(struct prof_thread *t)
{
    char status[4096];
    pid_t tid = t->tid;
    if (!tid || t->where == PROF_INSIDE)
        return PROF_QUIET_NO;
    if (!read_task(tid, "status", status, sizeof status))
        return t->where == PROF_LEAVING || errno == ENOENT ? PROF_QUIET_YES : PROF_QUIET_NO;
    const char *state = strstr(status, "State:\t");
    if (state && (state[7] == 'Z' || state[7] == 'X'))
        return PROF_QUIET_YES;
    uint64_t naps = field(status, "\nvoluntary_ctxt_switches:");
    uint64_t switches = naps + field(status, "nonvoluntary_ctxt_switches:");
    enum sleep sleep = state && state[7] == 'S' && t->where != PROF_LEAVING ? what_for(tid) : AWAKE;
    bool waits = seems_to_wait(t, naps);
    if (sleep == AWAKE) {
        t->seen.asleep = false;
        return waits ? PROF_QUIET_SEEMS : PROF_QUIET_NO;
    }
    if (!t->seen.asleep || t->seen.switches != switches) {
        t->seen.asleep = true;
        t->seen.switches = switches;
        t->seen.since_ns = prof_now_ns();
        return waits ? PROF_QUIET_SEEMS : sleep == IDLE ? PROF_QUIET_MAYBE : PROF_QUIET_NO;
    }
    if (sleep == IDLE)
        return PROF_QUIET_YES;
    return prof_now_ns() - t->seen.since_ns >= EXTERNAL_NS ? PROF_QUIET_SEEMS : PROF_QUIET_NO;
}

static struct prof_thread **outside; /* of all fences */
static unsigned room;

static void note(struct prof_thread *t, void *context)
{
    unsigned *n = context;
    if (t->where == PROF_WAITING)
        return;
    if (*n == room) {
        room = room ? 2 * room : 16;
        outside = prof_grow(outside, room, sizeof(struct prof_thread *));
    }
    outside[(*n)++] = t;
}

enum prof_quiet prof_quiet_look(uint64_t releases, uint64_t records)
{
    int error = errno;
    enum prof_quiet worst = PROF_QUIET_YES;
    unsigned n = 0;
    note_news(releases, records);
    prof_threads_reap();
    /* First who waits at a fence, then the others: one that gets there meanwhile must still be seen
     * asleep. */
    prof_threads_each(note, &n);
    for (unsigned i = 0; i < n; i++) {
        enum prof_quiet one = look_at(outside[i]);
        worst = one < worst ? one : worst;
    }
    if (worst == PROF_QUIET_YES && n > 0 && prof_timers_any())
        worst = PROF_QUIET_SEEMS;
    last.guessed = last.guessed || worst == PROF_QUIET_SEEMS;
    errno = error;
    return worst;
}

struct others {
    const struct prof_thread *self;
    enum prof_quiet worst;
};

static void look_at_other(struct prof_thread *t, void *context)
{
    struct others *o = context;
    enum prof_quiet one = t == o->self ? PROF_QUIET_YES : look_at(t);
    o->worst = one < o->worst ? one : o->worst;
}

/* While the list is locked: who ends is forgotten whenever a thread is made (thread.c). */
static enum prof_quiet look_at_others(void)
{
    struct others o = {prof_thread_self(), PROF_QUIET_YES};
    prof_threads_each(look_at_other, &o);
    return o.worst;
}

bool prof_quiet_others(void)
{
    int error = errno;
    prof_threads_reap();
    enum prof_quiet quiet = look_at_others();
    if (quiet == PROF_QUIET_MAYBE)
        quiet = look_at_others();
    errno = error;
    return quiet == PROF_QUIET_YES;
}
