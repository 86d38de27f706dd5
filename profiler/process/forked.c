/* SPDX-License-Identifier: BSD-3-Clause */
/* See forked.h. What costs more than some system calls is looked at before the first fork of a line only. */
#include "forked.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/own_memory.h"
#include "base/timers.h"
#include "link/progress.h"
#include "link/transport.h"
#include "link/uplink.h"
#include "outside/alive.h"
#include "outside/segments.h"
#include "outside/written.h"
#include "threads/thread.h"
#include "watch/watch_means.h"

/* Not in programs that are linked statically. */
#pragma weak prof_written_forked
#pragma weak prof_written_opened

static const char shared[] = "it has shared memory of its own";

enum { FREE_IN_A_ROW = 64 }; /* after so many descriptors that are not open we stop looking */

static int files[PROF_FORKED_FILES];
static unsigned n_files;

static const int kinds[3] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

/* ---- may it be forked? ---- */

static bool is_variable(const char *name, const char *value)
{
    const char *is = getenv(name);
    return is && strcmp(is, value) == 0;
}

/* MPI sends nothing but through segments that were told. */
static bool is_transport_known(void)
{
    return is_variable("UCX_TLS", "posix,self") && is_variable("MPIR_CVAR_NOLOCAL", "1");
}

/* Memory that is shared and written, and that is neither MPI's nor isp's. */
static bool shares_memory(void)
{
    FILE *f = fopen("/proc/self/maps", "re");
    char line[512], mode[8];
    uintptr_t start;
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, "%" SCNxPTR "%*s %7s", &start, mode) == 2 && mode[1] == 'w' && mode[3] == 's' &&
                !strstr(line, "/dev/shm/ucx_shm_posix_") && !strstr(line, "/memfd:isp-rings") &&
                !strstr(line, "[perf_event]") && !prof_own_memory_has(start);
    if (f)
        fclose(f);
    return !f || found;
}

static const char *look_once(void)
{
    if (!is_transport_known())
        return "MPI does not use the transport that isp sets for it";
    if (prof_timers_posix())
        return "it has timers of its own";
    return shares_memory() ? shared : NULL;
}

/* Which descriptors are files that have an offset; again, if some have been opened since: why it refuses, or
 * NULL. A file that is open for reading and writing may be read again when another run has written it. */
static const char *find_files(void)
{
    static unsigned opened;
    static bool looked;
    static const char *why;
    struct stat st;
    if (looked && opened == prof_written_opened())
        return why;
    why = opened != prof_written_opened() && shares_memory() ? shared : NULL; /* with other runs */
    looked = true;
    opened = prof_written_opened();
    n_files = 0;
    for (int fd = 0, missing = 0; missing < FREE_IN_A_ROW && n_files < PROF_FORKED_FILES; fd++) {
        int flags = fcntl(fd, F_GETFL);
        missing = flags < 0 ? missing + 1 : 0;
        if (flags < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || prof_segments_is_one(&st))
            continue;
        if (!why && (flags & O_ACCMODE) == O_RDWR)
            why = "it has a file open for reading and writing";
        files[n_files++] = fd;
    }
    return why;
}

bool prof_forked_is_alone(void)
{
    return !prof_threads_several() && prof_own_tid() == prof_own_pid() && !prof_alive_children();
}

const char *prof_forked_refuses(void)
{
    static bool looked;
    if (prof_threads_several() || prof_own_tid() != prof_own_pid())
        return "it has several threads";
    if (!prof_transport_is_known())
        return "its MPI is not MPICH with UCX";
    if (prof_progress_is_needed())
        return "it has windows";
    if (prof_segments_others())
        return shared;
    if (prof_alive_children())
        return "it has child processes";
    const char *why = prof_link_is_unkept();
    if (!why && !looked)
        why = look_once();
    looked = true;
    if (why || !prof_written_opened)
        return why ? why : "it is linked statically";
    return find_files();
}

/* ---- what is noted ---- */

static int bytes_in_input(void)
{
    struct stat s;
    int n;
    bool pipe = fstat(0, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode) || S_ISCHR(s.st_mode));
    return pipe && ioctl(0, FIONREAD, &n) == 0 ? n : -1;
}

static void note_files(struct prof_forked *state)
{
    state->n_files = 0;
    for (unsigned i = 0; i < n_files; i++) {
        off_t offset = lseek(files[i], 0, SEEK_CUR);
        if (offset < 0)
            continue; /* it was closed */
        state->files[state->n_files].fd = files[i];
        state->files[state->n_files++].offset = offset;
    }
}

static void start_timers(const struct prof_forked *state)
{
    for (int i = 0; i < 3; i++)
        if (state->timers[i].it_value.tv_sec || state->timers[i].it_value.tv_usec)
            setitimer(kinds[i], &state->timers[i], NULL);
}

void prof_forked_prepare(struct prof_forked *state)
{
    static const struct itimerval none;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &state->signals);
    for (int i = 0; i < 3; i++) {
        getitimer(kinds[i], &state->timers[i]);
        if (state->timers[i].it_value.tv_sec || state->timers[i].it_value.tv_usec)
            setitimer(kinds[i], &none, NULL);
    }
    note_files(state);
    state->input = bytes_in_input();
}

static bool is_away(int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3);
}

bool prof_forked_turn_away(int fd)
{
    if (is_away(fd))
        return true;
    /* not as the program opens files (written.c) */
    int null = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0)
        return false;
    dup2(null, fd);
    close(null);
    return true;
}

/* The process manager hears nothing of this process: neither that it aborts nor that it ends. */
void prof_forked_child(void)
{
    static bool left; /* by a parent of this one */
    const char *text = left ? NULL : getenv("PMI_FD");
    left = true;
    if (text)
        prof_forked_turn_away(atoi(text));
}

void prof_forked_go_on(const struct prof_forked *state)
{
    prof_written_forked();
    start_timers(state);
    sigprocmask(SIG_SETMASK, &state->signals, NULL);
}

/* Those that come from outside are kept. */
static void forget_signals(void)
{
    static const int outside[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    static const struct timespec now;
    sigset_t pending;
    sigfillset(&pending);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        sigdelset(&pending, outside[i]);
    while (sigtimedwait(&pending, NULL, &now) > 0)
        ;
}

void prof_forked_back(void)
{
    static const struct itimerval none;
    for (int i = 0; i < 3; i++)
        setitimer(kinds[i], &none, NULL);
    forget_signals();
    prof_registers_back();
}

bool prof_forked_again(const struct prof_forked *state)
{
    static const struct timespec now;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while (!sigismember(&state->signals, SIGCHLD) && sigtimedwait(&child, NULL, &now) > 0)
        ; /* of the child that the program does not know of */
    for (unsigned i = 0; i < state->n_files; i++)
        lseek(state->files[i].fd, state->files[i].offset, SEEK_SET);
    start_timers(state);
    int left = bytes_in_input();
    sigprocmask(SIG_SETMASK, &state->signals, NULL);
    return left >= state->input;
}
