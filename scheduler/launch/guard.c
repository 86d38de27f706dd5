/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Law 8: whatever dies first, nothing is left. How each death is noticed:
 *
 *   isp        its end of the socket closes: the guard kills all, removes all
 *   mpiexec    SIGCHLD: the same, after its status was told
 *   a rank     the launcher notices, and ends; or isp does, and asks
 *   the guard  mpiexec gets SIGKILL (PDEATHSIG), its proxies and ranks notice that; and isp, which is told by
 *              EOF, kills what carries the world's token
 *
 * What a terminal sends to isp's process group reaches neither the guard nor mpiexec: isp decides what an interrupt means.
 *
 * Shared memory: UCX makes /dev/shm/ucx_shm_posix_* and MPICH /dev/shm/mpich_shar_tmp*, and both unlink
 * them as soon as all have attached; SysV segments are marked for removal likewise. Only ranks that are killed in
 * this short while leave names behind. So before the kill all are stopped, the names that they still
 * have mapped or open are noted, and removed when they are dead. Those that the launcher has killed by then have left
 * the names of UCX's segments in the world's folder (ISP_ENV_FOLDER).
 */
#include "guard.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isp/wire.h"

#include "base/outlive.h"
#include "base/tmpdir.h"

enum { FOREIGN_MS = 100, PATIENCE_MS = 30000 };

struct guard {
    int fd, signals;
    const char *dir; /* "": it is not made yet */
    pid_t mpiexec;
    char **shm; /* names in /dev/shm to remove */
    size_t n_shm;
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

struct process {
    pid_t pid, parent;
    bool ours;
};

static int read_file(const char *path, char *room, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t have = 0;
    ssize_t n;
    while (have < size - 1 && (n = read(fd, room + have, size - 1 - have)) > 0)
        have += (size_t)n;
    close(fd);
    room[have] = '\0';
    return (int)have;
}

/* Parent of a process, or -1, also if it has died and waits for its parent. */
static pid_t parent_of(pid_t pid)
{
    char path[64], stat[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (read_file(path, stat, sizeof stat) <= 0)
        return -1;
    char *name_end = strrchr(stat, ')');
    int parent;
    char state;
    if (!name_end || sscanf(name_end + 1, " %c %d", &state, &parent) != 2 || state == 'Z')
        return -1;
    return parent;
}

/* All processes; the caller frees. */
static size_t list_processes(struct process **list)
{
    *list = NULL;
    size_t n = 0, room = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc && (entry = readdir(proc))) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (n == room) {
            room = room ? 2 * room : 256;
            struct process *more = reallocarray(*list, room, sizeof **list);
            if (!more)
                break;
            *list = more;
        }
        pid_t pid = (pid_t)atoi(entry->d_name);
        (*list)[n++] = (struct process){.pid = pid, .parent = parent_of(pid)};
    }
    if (proc)
        closedir(proc);
    return n;
}

pid_t sched_guard_child(pid_t parent)
{
    struct process *list;
    pid_t child = 0;
    for (size_t n = list_processes(&list), i = 0; i < n && !child; i++)
        child = list[i].parent == parent ? list[i].pid : 0;
    free(list);
    return child;
}

/* Marks the descendants of `root`. Pids wrap, so a parent may come later in the list: repeat. */
static size_t mark_descendants(struct process *list, size_t n, pid_t root)
{
    size_t marked = 0;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            if (list[i].ours || list[i].parent <= 0)
                continue;
            bool ours = list[i].parent == root;
            for (size_t k = 0; k < n && !ours; k++)
                ours = list[k].ours && list[k].pid == list[i].parent;
            if (ours) {
                list[i].ours = more = true;
                marked++;
            }
        }
    }
    return marked;
}

/* True: there are some, and none may be signalled: they have become another user's. */
static bool signal_ours(const struct process *list, size_t n, int signal)
{
    bool foreign = false, any = false;
    for (size_t i = 0; i < n; i++) {
        if (!list[i].ours)
            continue;
        if (kill(list[i].pid, signal) == 0)
            any = true;
        else
            foreign |= errno == EPERM;
    }
    return foreign && !any;
}

/* ---- shared memory ---- */

static bool is_segment(const char *name)
{
    return strncmp(name, "ucx_shm_posix_", 14) == 0 || strncmp(name, "mpich_shar_tmp", 14) == 0;
}

static void note_segment(struct guard *g, const char *name)
{
    for (size_t i = 0; i < g->n_shm; i++)
        if (strcmp(g->shm[i], name) == 0)
            return;
    char **more = reallocarray(g->shm, g->n_shm + 1, sizeof *g->shm);
    char *copy = strdup(name);
    if (more)
        g->shm = more;
    if (more && copy)
        g->shm[g->n_shm++] = copy;
    else
        free(copy);
}

/* A link below /proc/PID/map_files or fd that leads to a segment that still has its name. */
static void note_link(struct guard *g, const char *path)
{
    static const char shm[] = "/dev/shm/";
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0)
        return;
    target[n] = '\0';
    if (strncmp(target, shm, sizeof shm - 1) == 0 && is_segment(target + sizeof shm - 1) && !strchr(target, ' '))
        note_segment(g, target + sizeof shm - 1);
}

static void note_process(struct guard *g, pid_t pid)
{
    static const char *const folders[] = {"map_files", "fd"};
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, folders[i]);
        DIR *dir = opendir(path);
        struct dirent *entry;
        while (dir && (entry = readdir(dir))) {
            snprintf(path, sizeof path, "/proc/%d/%s/%s", (int)pid, folders[i], entry->d_name);
            note_link(g, path);
        }
        if (dir)
            closedir(dir);
    }
}

static bool any_segment(void)
{
    DIR *dir = opendir("/dev/shm");
    struct dirent *entry;
    bool found = false;
    while (dir && !found && (entry = readdir(dir)))
        found = is_segment(entry->d_name);
    if (dir)
        closedir(dir);
    return found;
}

static void remove_segment(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    unlink(path);
}

static void remove_segments(struct guard *g)
{
    for (size_t i = 0; i < g->n_shm; i++) {
        remove_segment(g->shm[i]);
        free(g->shm[i]);
    }
    free(g->shm);
}

/* SysV segments that one of ours made and that were not marked for removal yet. */
static void remove_sysv(const struct process *list, size_t n)
{
    FILE *f = fopen("/proc/sysvipc/shm", "re");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        int id, creator;
        if (sscanf(line, "%*d %d %*o %*u %d", &id, &creator) != 2)
            continue;
        for (size_t i = 0; i < n; i++)
            if (list[i].ours && list[i].pid == creator)
                shmctl(id, IPC_RMID, NULL);
    }
    if (f)
        fclose(f);
}

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
static void tell_left(const struct guard *g, const struct process *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char path[64], name[64];
        struct stat st;
        snprintf(path, sizeof path, "/proc/%d", (int)list[i].pid);
        if (!list[i].ours || stat(path, &st) != 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/comm", (int)list[i].pid);
        int length = read_file(path, name, sizeof name);
        char text[256];
        snprintf(text, sizeof text, "process %d (%.*s) of user %u", (int)list[i].pid, length > 0 ? length - 1 : 0, name, (unsigned)st.st_uid);
        tell(g, 'L', text, strlen(text));
    }
}

static void kill_all(struct guard *g)
{
    int pause_ms = 1, waited_ms = 0;
    bool left = false;
    for (bool first = true; !reap(g) && !left; first = false) {
        struct process *list;
        size_t n = list_processes(&list);
        mark_descendants(list, n, getpid());
        if (first && any_segment()) {
            signal_ours(list, n, SIGSTOP);
            for (size_t i = 0; i < n; i++)
                if (list[i].ours)
                    note_process(g, list[i].pid);
        }
        if (first)
            remove_sysv(list, n);
        bool foreign = signal_ours(list, n, SIGKILL);
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
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.') {
            if (is_segment(entry->d_name))
                remove_segment(entry->d_name);
            unlinkat(dirfd(dir), entry->d_name, 0);
        }
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

/* In the child: becomes the launcher; writes errno to `report` if it cannot. */
static _Noreturn void become_launcher(const struct guard *g, const struct sched_guard_job *job, const char *link, const char *token, int report)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
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

/* Holds none of isp's descriptors but what the launcher is given: their ends must close when isp's do, and the guard needs some itself when isp
 * has used up all that it may have. */
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
    if (make_dir(&g, job->dir) && await_go(&g, message, sizeof message, &link, &token) && launch(&g, job, link, token)) {
        let_go(&g);
        watch(&g);
    }
    kill_all(&g);
    remove_segments(&g);
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

/* An environment may be as long as a stack. */
static bool carries(pid_t pid, const char *token)
{
    static char room[1 << 16];
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t kept = 0, length = strlen(token);
    ssize_t n;
    bool found = false;
    while (fd >= 0 && !found && (n = read(fd, room + kept, sizeof room - kept)) > 0) {
        kept += (size_t)n;
        found = memmem(room, kept, token, length);
        size_t drop = kept >= length ? kept - length + 1 : 0; /* it may lie across */
        memmove(room, room + drop, kept - drop);
        kept -= drop;
    }
    if (fd >= 0)
        close(fd);
    return found;
}

void sched_guard_stand_in(const char *token, const char *dir)
{
    struct guard g = {.fd = -1};
    for (int tries = 0; tries < 50 && *token; tries++) {
        struct process *list;
        size_t n = list_processes(&list), found = 0;
        for (size_t i = 0; i < n; i++)
            if (list[i].pid != getpid() && carries(list[i].pid, token))
                found += list[i].ours = true;
        if (found && tries == 0 && any_segment()) {
            signal_ours(list, n, SIGSTOP);
            for (size_t i = 0; i < n; i++)
                if (list[i].ours)
                    note_process(&g, list[i].pid);
        }
        signal_ours(list, n, SIGKILL);
        free(list);
        if (!found)
            break;
        poll(NULL, 0, 5);
    }
    remove_segments(&g);
    remove_dir(dir);
}
