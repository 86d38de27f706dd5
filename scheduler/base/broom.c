/* SPDX-License-Identifier: BSD-3-Clause */
/* It notices the end of isp by the end of a socket. Only the process that has started it talks to it. */
#include "broom.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"
#include "outlive.h"

enum { MESSAGE_MAX = PATH_MAX + 64, TRIES = 100 };

static struct {
    bool begun;
    pid_t owner, pid;
    int fd;
} broom = {.fd = -1};

/* ---- the broom ---- */

struct list {
    char **files;
    size_t n;
};

static void take(struct list *list, const char *message)
{
    size_t i = 0;
    while (i < list->n && strcmp(list->files[i], message + 1) != 0)
        i++;
    if (message[0] == '+' && i == list->n) {
        list->files = sched_grow(list->files, list->n + 1, sizeof *list->files);
        list->files[list->n++] = sched_strdup(message + 1);
    } else if (message[0] == '-' && i < list->n) {
        free(list->files[i]);
        list->files[i] = list->files[--list->n];
    }
}

static _Noreturn void broom_main(int fd)
{
    sched_outlive("isp-broom");
    sched_outlive_standard();
    sched_outlive_keep(&fd, 1);
    struct list list = {0};
    char message[MESSAGE_MAX + 1];
    ssize_t n;
    while ((n = recv(fd, message, MESSAGE_MAX, 0)) > 0 || (n < 0 && errno == EINTR)) {
        message[n > 0 ? n : 0] = '\0';
        take(&list, message);
    }
    for (size_t i = 0; i < list.n; i++)
        unlink(list.files[i]);
    for (size_t i = 0; i < list.n; i++)
        rmdir(list.files[i]);
    _exit(0);
}

/* ---- isp ---- */

/* It has nothing left to do: whoever ends orderly has removed its files. */
static void end(void)
{
    if (broom.owner != getpid() || broom.fd < 0)
        return;
    kill(broom.pid, SIGKILL); /* also if somebody has stopped it */
    close(broom.fd);
    broom.fd = -1;
    while (waitpid(broom.pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void start(void)
{
    int pair[2];
    broom.begun = true;
    broom.owner = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return;
    fflush(NULL);
    broom.pid = fork();
    if (broom.pid == 0)
        broom_main(pair[1]);
    close(pair[1]);
    if (broom.pid < 0) {
        close(pair[0]);
        return;
    }
    broom.fd = pair[0];
    atexit(end);
}

static void tell(char what, const char *file)
{
    char message[MESSAGE_MAX];
    int n = snprintf(message, sizeof message, "%c%s", what, file);
    if (broom.fd >= 0 && broom.owner == getpid() && n < MESSAGE_MAX)
        send(broom.fd, message, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void sched_broom_add(const char *file)
{
    if (!broom.begun)
        start();
    tell('+', file);
}

static void forget(const char *file) { tell('-', file); }

void sched_broom_remove(const char *file)
{
    int error = errno;
    unlink(file);
    forget(file);
    errno = error;
}

/* ---- files beside others ---- */

static void write_letters(char *letters)
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char random[6];
    for (size_t i = 0; getrandom(random, sizeof random, 0) == sizeof random && i < sizeof random; i++)
        letters[i] = all[random[i] % 32];
}

static char *create(const char *file, mode_t mode, int *fd)
{
    char *beside = sched_format("%s.XXXXXX", file);
    for (int i = 0; i < TRIES; i++) {
        write_letters(beside + strlen(beside) - 6);
        sched_broom_add(beside);
        *fd = open(beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (*fd >= 0)
            return beside;
        int error = errno;
        forget(beside); /* it may be somebody's */
        errno = error;
        if (error != EEXIST)
            break;
    }
    int error = errno;
    free(beside);
    errno = error;
    return NULL;
}

char *sched_broom_create(const char *file, int *fd) { return create(file, 0666, fd); }

char *sched_broom_create_private(const char *file, int *fd) { return create(file, 0600, fd); }

char *sched_broom_create_folder(const char *in)
{
    char *folder = sched_format("%s/isp-XXXXXX", in);
    if (mkdtemp(folder)) {
        sched_broom_add(folder);
        return folder;
    }
    int error = errno;
    free(folder);
    errno = error;
    return NULL;
}

void sched_broom_remove_folder(const char *folder)
{
    rmdir(folder);
    forget(folder);
}

bool sched_broom_place(const char *beside, const char *file)
{
    int fd = open(beside, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    if (!ok || rename(beside, file) != 0)
        return false;
    forget(beside);
    return true;
}
