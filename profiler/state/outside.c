/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors with what they lead to, their flags and offsets; what happens at signals, and which are
 * blocked or pending; the end of the heap; input that waits. Standard output and error are the same as in
 * the beginning, or turned away by isp, or the program has put something else there. Descriptors by which
 * isp looks at the process have numbers of their own (rewind/own_descriptor.h), and do not count.
 */
#include "outside.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/timers.h"
#include "rewind/descriptors.h"
#include "rewind/own_descriptor.h"
#include "rewind/rewind.h"

enum { SIGNALS = 64, KERNELS_MASK = 8 };

static struct stat output[3]; /* in the beginning */
static int manager = -1;      /* the connection to the process manager: of isp's copies it is turned away */
static unsigned spoils;

void prof_state_outside_begin(void)
{
    const char *text = getenv("PMI_FD");
    manager = text ? atoi(text) : -1;
    spoils = prof_rewind_spoils();
    for (int fd = 1; fd <= 2; fd++)
        if (syscall(SYS_fstat, fd, &output[fd]) < 0)
            output[fd] = (struct stat){.st_ino = 0};
}

static bool is_null(const struct stat *s) { return S_ISCHR(s->st_mode) && s->st_rdev == makedev(1, 3); }

static bool is_as_it_was(int fd, const struct stat *s)
{
    return (fd == 1 || fd == 2) &&
           (is_null(s) || (s->st_dev == output[fd].st_dev && s->st_ino == output[fd].st_ino));
}

/* Of 1 and 2, which count as the same while they are as they were, it belongs to the state that they are
 * closed. */
static void add_descriptor(struct prof_hash *h, const struct prof_descriptor *d)
{
    struct stat s;
    int fd = d->fd;
    if (fd == manager || syscall(SYS_fstat, fd, &s) < 0 || is_as_it_was(fd, &s))
        return;
    prof_hash_word(h, (uint64_t)fd << 32 | (uint32_t)syscall(SYS_fcntl, fd, F_GETFL));
    prof_hash_word(h, (uint64_t)d->flags);
    prof_hash_word(h, s.st_dev);
    prof_hash_word(h, s.st_ino);
    if (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode) || S_ISDIR(s.st_mode))
        prof_hash_word(h, (uint64_t)syscall(SYS_lseek, fd, 0, SEEK_CUR));
}

static const char *add_descriptors(struct prof_hash *h)
{
    struct prof_descriptor open[PROF_DESCRIPTORS_MOST];
    int n = prof_descriptors(open);
    unsigned output_open = 0;
    for (int i = 0; i < n; i++) {
        output_open |= open[i].fd == 1 || open[i].fd == 2 ? 1u << open[i].fd : 0;
        if (open[i].fd < prof_own_descriptor_lowest())
            add_descriptor(h, &open[i]);
        else if (!prof_own_descriptor_is_one(open[i].fd))
            n = -1;
    }
    prof_hash_word(h, output_open);
    return n < 0 ? "it has many descriptors" : NULL;
}

static void add_signals(struct prof_hash *h)
{
    uint64_t action[4], mask = 0;
    stack_t stack;
    for (int i = 1; i <= SIGNALS; i++) {
        action[0] = action[1] = action[2] = action[3] = 0;
        syscall(SYS_rt_sigaction, i, NULL, action, KERNELS_MASK);
        prof_hash_bytes(h, action, sizeof action);
    }
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, KERNELS_MASK);
    prof_hash_word(h, mask);
    mask = 0;
    syscall(SYS_rt_sigpending, &mask, KERNELS_MASK);
    prof_hash_word(h, mask);
    if (sigaltstack(NULL, &stack) == 0) {
        prof_hash_pointer(h, stack.ss_sp);
        prof_hash_word(h, stack.ss_size << 8 | (unsigned)stack.ss_flags);
    }
}

static bool has_timer(void)
{
    return prof_timer_runs(ITIMER_REAL) || prof_timer_runs(ITIMER_VIRTUAL) || prof_timer_runs(ITIMER_PROF);
}

const char *prof_state_outside(struct prof_hash *h)
{
    int waits = 0;
    if (prof_rewind_spoils() != spoils)
        return "it has changed its folder, masks, limits, timers or the protection of memory";
    if (has_timer())
        return "it has a timer";
    if (ioctl(0, FIONREAD, &waits) == 0)
        prof_hash_word(h, (uint64_t)waits);
    prof_hash_word(h, (uint64_t)syscall(SYS_brk, 0));
    add_signals(h);
    return add_descriptors(h);
}
