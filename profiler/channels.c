/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which a program makes what holds something outside of its memory: pipes, sockets, queues,
 * counters. What is in there when a checkpoint is made is gone, or has grown, when the next run goes on from
 * it. So who has any has no checkpoints. MPI's own are not meant.
 */
#include <dlfcn.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "mutexes.h"
#include "thread.h"
#include "uplink.h"
#include "written.h"

#define MAKES(type, name, parameters, arguments)                                                  \
    __attribute__((visibility("default"))) type name parameters                                    \
    {                                                                                              \
        static __typeof__(&name) next;                                                             \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name);                           \
        if (!prof_thread_is_mpis())                                                                \
            prof_link_unkept(PROF_WRITTEN_CHANNELS);                                               \
        return next arguments;                                                                     \
    }

MAKES(int, pipe, (int fds[2]), (fds))
MAKES(int, pipe2, (int fds[2], int flags), (fds, flags))
MAKES(int, eventfd, (unsigned value, int flags), (value, flags))
MAKES(int, socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds))
MAKES(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
MAKES(int, epoll_create, (int size), (size))
MAKES(int, epoll_create1, (int flags), (flags))
MAKES(int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags))
MAKES(int, timerfd_create, (int clock, int flags), (clock, flags))
MAKES(int, inotify_init, (void), ())
MAKES(int, inotify_init1, (int flags), (flags))
MAKES(int, msgget, (key_t key, int flags), (key, flags))
MAKES(int, semget, (key_t key, int n, int flags), (key, n, flags))
MAKES(int, shmget, (key_t key, size_t size, int flags), (key, size, flags))

/* With and without the arguments that only a new one needs. */
#define OPENS(type, name, note)                                                                    \
    __attribute__((visibility("default"))) type name(const char *path, int flags, ...)             \
    {                                                                                              \
        static __typeof__(&name) next;                                                             \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name);                           \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        long first = va_arg(args, long), second = va_arg(args, long);                              \
        va_end(args);                                                                              \
        prof_link_unkept(PROF_WRITTEN_CHANNELS);                                                   \
        type opened = next(path, flags, first, second);                                            \
        note;                                                                                      \
        return opened;                                                                             \
    }

OPENS(mqd_t, mq_open, )
OPENS(sem_t *, sem_open, if (opened != SEM_FAILED) prof_mutexes_opened(opened))
