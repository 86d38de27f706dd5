/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Law 8: whatever dies first, nothing is left. How each death is noticed:
 *
 *   isp        its end of the socket closes: the guard kills all, removes all
 *   mpiexec    SIGCHLD: the same, after its status was told
 *   a rank     the launcher notices, and ends; or isp does, and asks
 *   the guard  mpiexec gets a signal (PDEATHSIG), its proxies and ranks notice that; and isp, which EOF
 *              tells, kills what carries the world's token
 *
 * What a terminal sends to isp's process group reaches neither the guard nor mpiexec: isp decides what an
 * interrupt means.
 */
#include "guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isp/wire.h"

#include "base/now.h"
#include "base/outlive.h"
#include "base/tmpdir.h"
#include "processes.h"
#include "shared_memory.h"

enum { FOREIGN_MS = 100, PATIENCE_MS = 30000 };
static const double ASK_S = 3;

struct guard {
    int fd, signals;
    const char *dir; /* "": it is not made yet */
    pid_t mpiexec;
    struct sched_segment_names shm; /* to remove */
};

static void tell(const struct guard *g, char kind, const void *data, size_t size)
{
    char message[SCHED_GUARD_MESSAGE_MAX] = {kind};
    if (size > sizeof message - 1)
        size = sizeof message - 1;
    memcpy(message + 1, data, size);
    send(g->fd, message, size + 1, MSG_NOSIGNAL);
}

__attribute__((format(printf, 2, 3))) static void tell_failure(const struct guard *g, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tell(g, 'F', text, strlen(text));
}

/* ---- processes ---- */

/* ---- the end of a world ---- */

/* True when there is no child left, hence (subreaper) no descendant. */
static bool reap(struct guard *g)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == g->mpiexec) {
            tell(g, 'S', &status, sizeof status);
            g->mpiexec = 0;
        }
    return pid < 0 && errno == ECHILD;
}

/* Those that no signal of ours reaches are left; so are those that the kernel does not let die (a file server
 * that does not answer). */
static void tell_left(const struct guard *g, const struct sched_process *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char path[64], name[64];
        struct stat st;
        snprintf(path, sizeof path, "/proc/%d", (int)list[i].pid);
        if (!list[i].ours || stat(path, &st) != 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/comm", (int)list[i].pid);
        int length = sched_proc_read(path, name, sizeof name);
        char text[256];
        snprintf(text, sizeof text, "process %d (%.*s) of user %u", (int)list[i].pid,
                 length > 0 ? length - 1 : 0, name, (unsigned)st.st_uid);
        tell(g, 'L', text, strlen(text));
    }
}

static void ask_launcher(struct guard *g)
{
    if (g->mpiexec > 0)
        kill(g->mpiexec, SIGTERM);
    for (double until_s = sched_now_s() + ASK_S; !reap(g) && g->mpiexec > 0 && sched_now_s() < until_s;)
        poll(NULL, 0, 1);
}

static void kill_all(struct guard *g)
{
    int pause_ms = 1, waited_ms = 0;
    bool left = false;
    for (bool first = true; !reap(g) && !left; first = false) {
        struct sched_process *list;
        size_t n = sched_processes_list(&list);
        sched_processes_mark_descendants(list, n, getpid());
        if (first && sched_segment_any()) {
            sched_processes_signal(list, n, SIGSTOP);
            for (size_t i = 0; i < n; i++)
                if (list[i].ours)
                    sched_segment_names_note(&g->shm, list[i].pid);
        }
        if (first)
            sched_segment_remove_sysv(list, n);
        bool foreign = sched_processes_signal(list, n, SIGKILL);
        left = (foreign && waited_ms >= FOREIGN_MS) || waited_ms >= PATIENCE_MS;
        if (left)
            tell_left(g, list, n);
        free(list);
        if (left || reap(g))
            break;
        poll(NULL, 0, pause_ms);
        waited_ms += pause_ms;
        pause_ms = pause_ms < 20 ? 2 * pause_ms : pause_ms;
    }
}

static void remove_dir(const char *path)
{
    int fd = *path ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    if (dir)
        sched_segment_remove_noted(dirfd(dir));
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    if (*path)
        rmdir(path);
}

/* ---- its beginning ---- */

static bool make_dir(struct guard *g, const char *dir)
{
    if (mkdir(dir, 0700) != 0) {
        tell_failure(g, "cannot make a directory in %s: %s", sched_tmpdir(), strerror(errno));
        return false;
    }
    g->dir = dir;
    tell(g, 'D', "", 0);
    return true;
}

/* Each launch finds its memory at the same addresses, with the same bytes in what it has not written yet: so
 * a run that depends on them is repeated by its replay. Where the system forbids it (containers may), they
 * differ. */
static void fix_addresses(void)
{
    int now = personality(0xffffffff);
    if (now >= 0)
        personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

/* In the child: becomes the launcher; writes errno to `report` if it cannot. */
static _Noreturn void become_launcher(const struct guard *g, const struct sched_guard_job *job,
                                      const char *link, const char *token, int report)
{
    prctl(PR_SET_PDEATHSIG, job->asks ? SIGTERM : SIGKILL);
    setpgid(0, 0);
    fix_addresses();
    sched_outlive_restore(&job->ignored);
    sigprocmask(SIG_SETMASK, &job->mask, NULL);
    for (char **e = job->environment; *e; e++)
        putenv(*e);
    setenv(ISP_ENV_LINK, link, 1);
    setenv(ISP_ENV_TOKEN, token, 1);
    setenv(ISP_ENV_FOLDER, g->dir, 1);
    int in = job->in, out = job->out, err = job->err;
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
        execvp(job->argv[0], job->argv);
    int error = errno;
    if (write(report, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

static bool launch(struct guard *g, const struct sched_guard_job *job, const char *link, const char *token)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) {
        tell_failure(g, "cannot make a pipe: %s", strerror(errno));
        return false;
    }
    g->mpiexec = fork();
    if (g->mpiexec == 0)
        become_launcher(g, job, link, token, report[1]);
    close(report[1]);
    int error = g->mpiexec < 0 ? errno : 0;
    if (g->mpiexec > 0 && read(report[0], &error, sizeof error) < 0)
        error = errno;
    close(report[0]);
    if (error)
        tell_failure(g, "cannot start %s: %s", job->argv[0], strerror(error));
    return error == 0;
}

/* Waits for G. False: isp is gone or wants no world. */
static bool await_go(const struct guard *g, char *message, size_t size, const char **link, const char **token)
{
    ssize_t n = recv(g->fd, message, size - 1, 0);
    if (n < 2 || message[0] != 'G')
        return false;
    message[n] = '\0';
    *link = message + 1;
    *token = *link + strlen(*link) + 1;
    return *token <= message + n;
}

/* Holds none of isp's descriptors but what the launcher is given: their ends must close when isp's do, and
 * the guard needs some itself when isp has used up all that it may have. */
static void let_go_of_most(const struct guard *g, const struct sched_guard_job *job)
{
    int fds[] = {g->fd, job->in, job->out, job->err};
    sched_outlive_keep(fds, sizeof fds / sizeof *fds);
}

static void let_go(const struct guard *g)
{
    int fds[] = {g->fd, g->signals};
    sched_outlive_standard();
    sched_outlive_keep(fds, sizeof fds / sizeof *fds);
}

/* Until mpiexec ends, or isp closes its end. */
static void watch(struct guard *g)
{
    struct pollfd fds[] = {{.fd = g->fd, .events = POLLIN}, {.fd = g->signals, .events = POLLIN}};
    while (g->mpiexec) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (fds[0].revents)
            return;
        struct signalfd_siginfo info;
        if (fds[1].revents && read(g->signals, &info, sizeof info) < 0 && errno != EAGAIN)
            return;
        reap(g);
    }
}

static _Noreturn void guard_main(const struct sched_guard_job *job, int fd)
{
    struct guard g = {.fd = fd, .dir = ""};
    let_go_of_most(&g, job);
    sched_outlive("isp-guard");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_DFL);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    g.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);

    char message[SCHED_GUARD_MESSAGE_MAX];
    const char *link, *token;
    if (make_dir(&g, job->dir) && await_go(&g, message, sizeof message, &link, &token) &&
        launch(&g, job, link, token)) {
        let_go(&g);
        watch(&g);
    }
    if (job->asks)
        ask_launcher(&g);
    kill_all(&g);
    sched_segment_names_remove(&g.shm);
    remove_dir(g.dir);
    _exit(0);
}

pid_t sched_guard_start(const struct sched_guard_job *job, int *fd)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        guard_main(job, pair[1]);
    }
    int error = errno;
    close(pair[1]);
    if (pid < 0)
        close(pair[0]);
    else
        *fd = pair[0];
    errno = error;
    return pid;
}

/* ---- without a guard ---- */

void sched_guard_stand_in(const char *token, const char *dir)
{
    struct guard g = {.fd = -1};
    for (int tries = 0; tries < 50 && *token; tries++) {
        struct sched_process *list;
        size_t n = sched_processes_list(&list), found = 0;
        for (size_t i = 0; i < n; i++)
            if (list[i].pid != getpid() && sched_process_carries(list[i].pid, token))
                found += list[i].ours = true;
        if (found && tries == 0 && sched_segment_any()) {
            sched_processes_signal(list, n, SIGSTOP);
            for (size_t i = 0; i < n; i++)
                if (list[i].ours)
                    sched_segment_names_note(&g.shm, list[i].pid);
        }
        sched_processes_signal(list, n, SIGKILL);
        free(list);
        if (!found)
            break;
        poll(NULL, 0, 5);
    }
    sched_segment_names_remove(&g.shm);
    remove_dir(dir);
}
