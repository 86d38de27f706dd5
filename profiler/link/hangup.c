/* SPDX-License-Identifier: BSD-3-Clause */
/* See hangup.h. */
#include "hangup.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#define STACK_BYTES (256 << 10)

static void *wait_for_end(void *fd)
{
    struct pollfd p = {.fd = (int)(intptr_t)fd, .events = POLLRDHUP};
    while (poll(&p, 1, -1) < 0 && errno == EINTR)
        ;
    _exit(0);
}

void prof_hangup_watch(int fd)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's signals are for its own threads */
    pthread_create(&thread, &attributes, wait_for_end, (void *)(intptr_t)fd);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}
