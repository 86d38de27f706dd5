/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which a program makes what holds something outside of its memory: pipes, sockets, queues,
 * counters. What is in there when a checkpoint is made is gone, or has grown, when the next run goes on from
 * it. So who has any has no checkpoints. MPI's own are not meant. Those that have names: named.c.
 */
#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "link/uplink.h"
#include "threads/thread.h"
#include "written.h"

#define MAKES(type, name, parameters, arguments)                         \
    __attribute__((visibility("default"))) type name parameters          \
    {                                                                    \
        static __typeof__(&name) next;                                   \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        if (!prof_thread_is_mpis())                                      \
            prof_link_unkept(PROF_WRITTEN_CHANNELS);                     \
        return next arguments;                                           \
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
