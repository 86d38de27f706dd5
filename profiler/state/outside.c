/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors with what they lead to, their flags and offsets; what happens at signals, and which are
 * blocked or pending; the end of the heap; input that waits. Standard output and error are the same as in
 * the beginning, or turned away by isp, or the program has put something else there. Descriptors by which
 * isp looks at the process have numbers of their own (rewind/own_descriptor.h), and do not count.
 */
#include "outside.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#include "outside/written.h"
#include "rewind/own_descriptor.h"
#include "rewind/rewind.h"

/* Not in programs that are linked statically, which have no checkpoints and no arena. */
#pragma weak prof_written_any

enum { MOST_FDS = 1024, SIGNALS = 64, KERNELS_MASK = 8 };

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

static void add_descriptor(struct prof_hash *h, int fd, bool is_open)
{
    struct stat s;
    bool output_fd = fd == 1 || fd == 2;
    if (!is_open || syscall(SYS_fstat, fd, &s) < 0) {
        if (output_fd)
            prof_hash_word(h, (uint64_t)fd); /* it was closed */
        return;
    }
    if (is_as_it_was(fd, &s) || fd == manager)
        return;
    prof_hash_word(h, (uint64_t)fd << 32 | (uint32_t)syscall(SYS_fcntl, fd, F_GETFL));
    prof_hash_word(h, (uint64_t)syscall(SYS_fcntl, fd, F_GETFD));
    prof_hash_word(h, s.st_dev);
    prof_hash_word(h, s.st_ino);
    if (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode) || S_ISDIR(s.st_mode))
        prof_hash_word(h, (uint64_t)syscall(SYS_lseek, fd, 0, SEEK_CUR));
}

static const char *add_descriptors(struct prof_hash *h)
{
    struct pollfd fds[MOST_FDS];
    int n = prof_own_descriptor_lowest();
    for (int i = 0; i < MOST_FDS; i++)
        fds[i] = (struct pollfd){.fd = i};
    if (syscall(SYS_poll, fds, MOST_FDS, 0) < 0)
        return "its descriptors are not known";
    for (int fd = 0; fd < MOST_FDS; fd++) {
        bool is_open = !(fds[fd].revents & POLLNVAL);
        if (fd < n)
            add_descriptor(h, fd, is_open);
        else if (is_open && !prof_own_descriptor_is_one(fd))
            return "it has many descriptors";
    }
    return NULL;
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
    static const int kinds[3] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    struct itimerval t;
    for (int i = 0; i < 3; i++)
        if (getitimer(kinds[i], &t) == 0 && (t.it_value.tv_sec || t.it_value.tv_usec))
            return true;
    return false;
}

const char *prof_state_outside(struct prof_hash *h)
{
    int waits = 0;
    if (prof_rewind_spoils() != spoils)
        return "it has changed its folder, masks, limits, timers or the protection of memory";
    if (has_timer())
        return "it has a timer";
    if (!prof_written_any || prof_written_any())
        return "it changes files";
    if (ioctl(0, FIONREAD, &waits) == 0)
        prof_hash_word(h, (uint64_t)waits);
    prof_hash_word(h, (uint64_t)syscall(SYS_brk, 0));
    add_signals(h);
    return add_descriptors(h);
}
