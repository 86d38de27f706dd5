/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which a program makes what holds something outside of its memory: pipes, sockets, queues,
 * counters. What is in there when a checkpoint is made is gone, or has grown, when the next run goes on from
 * it. So who has any has no checkpoints. Nor has who locks files: a lock belongs to a process (fcntl), or
 * ends when nobody has the file open any more (flock), and a checkpoint is one process more that has. MPI's
 * own are not meant. Those that have names: named.c.
 */
#undef _FILE_OFFSET_BITS /* both names of each function are needed here */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "link/uplink.h"
#include "threads/thread.h"
#include "written.h"

#define MAKES(type, name, parameters, arguments) \
    DOES(PROF_WRITTEN_CHANNELS, type, name, parameters, arguments)
#define DOES(what, type, name, parameters, arguments)                    \
    __attribute__((visibility("default"))) type name parameters          \
    {                                                                    \
        static __typeof__(&name) next;                                   \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        if (!prof_thread_is_mpis())                                      \
            prof_link_unkept(what);                                      \
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

/* ---- locks of files ---- */

DOES(PROF_WRITTEN_LOCKS, int, flock, (int fd, int how), (fd, how))
DOES(PROF_WRITTEN_LOCKS, int, lockf, (int fd, int how, off_t length), (fd, how, length))
DOES(PROF_WRITTEN_LOCKS, int, lockf64, (int fd, int how, off64_t length), (fd, how, length))

static bool locks(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

/* All commands have one argument, or none. */
#define CONTROLS(name)                                                        \
    __attribute__((visibility("default"))) int name(int fd, int command, ...) \
    {                                                                         \
        static int (*next)(int, int, ...);                                    \
        next = next ? next : (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \
        va_list args;                                                         \
        va_start(args, command);                                              \
        void *argument = va_arg(args, void *);                                \
        va_end(args);                                                         \
        if (locks(command) && !prof_thread_is_mpis())                         \
            prof_link_unkept(PROF_WRITTEN_LOCKS);                             \
        return next(fd, command, argument);                                   \
    }

CONTROLS(fcntl)
CONTROLS(fcntl64)
