/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has a name and outlives the program: memory, semaphores and queues of POSIX and of System V, and whom
 * it connects to. No checkpoint brings back what is in there (channels.c), and no launch either: to the
 * scheduler these are files (written.h), which one interleaving leaves and the next one finds. MPI's own are
 * not meant.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "isp/file.h"
#include "link/uplink.h"
#include "segments.h"
#include "threads/mutexes.h"
#include "threads/thread.h"
#include "written.h"

#define EXPORT __attribute__((visibility("default")))
#define CALL(name)                 \
    static __typeof__(&name) next; \
    next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name)

enum {
    LOOKS = ISP_FILE_LOOKS,
    USES = ISP_FILE_LOOKS | ISP_FILE_CHANGES,
    REMOVES = ISP_FILE_CHANGES | ISP_FILE_REMOVES
};

/* ---- POSIX ---- */

/* With and without the arguments that only a new one needs. */
#define OPENS(type, name, kind, is_open, note)                        \
    EXPORT type name(const char *path, int flags, ...)                \
    {                                                                 \
        CALL(name);                                                   \
        va_list args;                                                 \
        va_start(args, flags);                                        \
        long first = va_arg(args, long), second = va_arg(args, long); \
        va_end(args);                                                 \
        prof_link_unkept(PROF_WRITTEN_CHANNELS);                      \
        type opened = next(path, flags, first, second);               \
        prof_written_named(is_open ? USES : LOOKS, kind, path);       \
        note;                                                         \
        return opened;                                                \
    }

#define UNLINKS(name, kind)                      \
    EXPORT int name(const char *path)            \
    {                                            \
        CALL(name);                              \
        prof_written_named(REMOVES, kind, path); \
        return next(path);                       \
    }

OPENS(mqd_t, mq_open, "message queue", opened != (mqd_t)-1, )
OPENS(sem_t *, sem_open, "semaphore", opened != SEM_FAILED,
      if (opened != SEM_FAILED) prof_mutexes_opened(opened))
UNLINKS(mq_unlink, "message queue")
UNLINKS(sem_unlink, "semaphore")

/* What it opens: segments.c. */
EXPORT int shm_unlink(const char *path)
{
    CALL(shm_unlink);
    prof_written_named(REMOVES, "shared memory", path);
    int rc = next(path);
    if (rc == 0)
        prof_segments_unlinked(path);
    return rc;
}

/* ---- System V ---- */

enum { KNOWN = 64 };

static const char queues[] = "System V message queue", semaphores[] = "System V semaphore",
                  memory[] = "System V shared memory";

/* Which key an object has. */
static struct object {
    const char *kind;
    int id;
    key_t key;
} objects[KNOWN];
static unsigned n_objects;

static void name_key(uint16_t what, const char *kind, key_t key)
{
    char text[32];
    snprintf(text, sizeof text, "0x%x", (unsigned)key);
    prof_written_named(what, kind, text);
}

static void got(const char *kind, key_t key, int id)
{
    prof_link_unkept(PROF_WRITTEN_CHANNELS);
    if (key == IPC_PRIVATE)
        return;
    name_key(id < 0 ? LOOKS : kind == memory ? USES | ISP_FILE_MAPS : USES, kind, key);
    if (id >= 0)
        objects[n_objects++ % KNOWN] = (struct object){kind, id, key};
}

static void removed(const char *kind, int id)
{
    for (unsigned i = 0; i < KNOWN; i++)
        if (objects[i].kind == kind && objects[i].id == id) {
            name_key(REMOVES, kind, objects[i].key);
            objects[i].kind = NULL;
        }
}

#define GETS(name, kind, parameters, arguments) \
    EXPORT int name parameters                  \
    {                                           \
        CALL(name);                             \
        int id = next arguments, error = errno; \
        if (!prof_thread_is_mpis())             \
            got(kind, key, id);                 \
        errno = error;                          \
        return id;                              \
    }

#define CONTROLS(name, kind, data)                        \
    EXPORT int name(int id, int command, struct data *to) \
    {                                                     \
        CALL(name);                                       \
        if (command == IPC_RMID)                          \
            removed(kind, id);                            \
        return next(id, command, to);                     \
    }

GETS(msgget, queues, (key_t key, int flags), (key, flags))
GETS(semget, semaphores, (key_t key, int n, int flags), (key, n, flags))
GETS(shmget, memory, (key_t key, size_t size, int flags), (key, size, flags))
CONTROLS(msgctl, queues, msqid_ds)
CONTROLS(shmctl, memory, shmid_ds)

EXPORT int semctl(int id, int number, int command, ...)
{
    CALL(semctl);
    va_list args;
    va_start(args, command);
    void *argument = va_arg(args, void *); /* a union of a pointer and an int */
    va_end(args);
    if (command == IPC_RMID)
        removed(semaphores, id);
    return next(id, number, command, argument);
}

/* ---- who is at the other end ---- */

static void name_peer(const struct sockaddr *to, socklen_t length)
{
    char host[INET6_ADDRSTRLEN] = "", text[sizeof host + 16];
    const void *at = to;
    const struct sockaddr_in *in = at;
    const struct sockaddr_in6 *in6 = at;
    const struct sockaddr_un *un = at;
    if (to->sa_family == AF_UNIX && length > offsetof(struct sockaddr_un, sun_path) && un->sun_path[0]) {
        prof_written_named(USES, "server", un->sun_path);
        return;
    }
    if (to->sa_family != AF_INET && to->sa_family != AF_INET6)
        return;
    inet_ntop(to->sa_family, to->sa_family == AF_INET ? (const void *)&in->sin_addr : &in6->sin6_addr, host,
              sizeof host);
    snprintf(text, sizeof text, "%s:%u", host,
             ntohs(to->sa_family == AF_INET ? in->sin_port : in6->sin6_port));
    prof_written_named(USES, "server", text);
}

EXPORT int connect(int fd, const struct sockaddr *to, socklen_t length)
{
    CALL(connect);
    int result = next(fd, to, length), error = errno;
    if (to && !prof_thread_is_mpis() && (result == 0 || error == EINPROGRESS))
        name_peer(to, length);
    errno = error;
    return result;
}
