/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libisp-launcher.so, preloaded into MPICH's launcher (Hydra's mpiexec) where all ranks are on this host.
 *
 * mpiexec listens on a TCP port of all interfaces for its proxies, as long as it runs. Whoever connects and
 * sends four zero bytes is given the whole environment of the program, with isp's token and whatever else is
 * in there; and when that connection ends, so does mpiexec (MPICH 4.0.2). But its proxy on its own host has a
 * pair of sockets instead. So when it makes that pair, before it has accepted anybody, the port is closed. An
 * mpiexec that makes none goes on as it is; so does every other process.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int listener = -1;

static bool is_launcher(void)
{
    return strncmp(program_invocation_short_name, "mpiexec", strlen("mpiexec")) == 0;
}

EXPORT int listen(int fd, int backlog)
{
    int (*next)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "listen");
    int rc = next(fd, backlog);
    if (rc == 0 && is_launcher())
        listener = fd;
    return rc;
}

/* mpiexec goes on looking at the descriptor: something that is never ready takes its place. */
static void close_port(void)
{
    int error = errno, never = eventfd(0, EFD_CLOEXEC);
    if (never >= 0) {
        dup3(never, listener, O_CLOEXEC);
        close(never);
        listener = -1;
    }
    errno = error;
}

EXPORT int socketpair(int domain, int type, int protocol, int pair[2])
{
    int (*next)(int, int, int, int *) = (int (*)(int, int, int, int *))dlsym(RTLD_NEXT, "socketpair");
    int rc = next(domain, type, protocol, pair);
    if (rc == 0 && listener >= 0)
        close_port();
    return rc;
}
