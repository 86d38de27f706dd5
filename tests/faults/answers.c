/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into ranks: what happens to rank 1 while it answers for its state (profiler/state/). It is known
 * by what it asks the kernel then: which of its pages are in use and not a file's (nor guards, on newer
 * kernels). Only what a process asks that a checkpoint has forked counts: what befalls a launched process is
 * a crash of the program's, to isp too. At the question number AT it happens. Marks are made in
 * ANSWERS_FOLDER. ANSWERS is
 *
 *   kill, crash, exit   it ends
 *   hang                it never answers
 *   late                it answers after a second
 *   old                 the kernel does not know this, of any rank
 *   starve              it gets no more memory
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IS_FILE = 1 << 2, IS_GUARD = 1 << 8 };
enum { INVERTED = 8, ALL_OF = 9 }; /* words of the kernel's structure */
enum { AT = 20, MOST = 1000 };

/* Which answer it is, from 1; nothing is kept in memory, which would be a state. */
static int which(void)
{
    char mark[4096];
    for (int i = 1; i < MOST; i++) {
        snprintf(mark, sizeof mark, "%s/%d", getenv("ANSWERS_FOLDER"), i);
        if (syscall(SYS_mknodat, AT_FDCWD, mark, S_IFREG | 0644, 0) == 0)
            return i;
    }
    return MOST;
}

/* The kernel's number of this process; to getpid and syscall it keeps that of the launched one. */
static bool is_forked(void)
{
    char id[32] = "";
    syscall(SYS_readlinkat, AT_FDCWD, "/proc/self", id, sizeof id - 1);
    return atoi(id) != getpid();
}

static int be_faulty(const char *how)
{
    static const struct rlimit none = {0, 0};
    volatile int *volatile nowhere = NULL;
    if (strcmp(how, "old") == 0)
        return ENOTTY;
    if (strcmp(getenv("PMI_RANK"), "1") != 0 || !is_forked() || which() != AT)
        return 0;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    else if (strcmp(how, "crash") == 0)
        *nowhere = 1;
    else if (strcmp(how, "exit") == 0)
        _exit(3);
    else if (strcmp(how, "starve") == 0)
        setrlimit(RLIMIT_AS, &none);
    else if (strcmp(how, "late") == 0)
        sleep(1);
    while (strcmp(how, "hang") == 0)
        pause();
    return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
    int (*next)(int, unsigned long, ...);
    va_list list;
    va_start(list, request);
    void *given = va_arg(list, void *);
    va_end(list);
    *(void **)&next = dlsym(RTLD_NEXT, "ioctl");
    const uint64_t *scan = given;
    if (_IOC_TYPE(request) == 'f' && _IOC_NR(request) == 16 && (scan[INVERTED] & ~IS_GUARD) == IS_FILE &&
        (scan[ALL_OF] & ~IS_GUARD) == IS_FILE) {
        int error = getenv("ANSWERS") && getenv("PMI_RANK") ? be_faulty(getenv("ANSWERS")) : 0;
        if (error) {
            errno = error;
            return -1;
        }
    }
    return next(fd, request, given);
}
