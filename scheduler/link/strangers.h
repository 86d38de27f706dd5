/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connections that have not shown the world's token yet. A Unix socket is in a private directory, but a TCP
 * port is open to all who can reach the host. So a stranger
 *   - is sent nothing, whatever it sends;
 *   - may send one HELLO, of at most ISP_WIRE_HELLO_MAX bytes, all of it within a time limit: everything else
 *     ends the connection;
 *   - is one of a limited number: when there are too many, the oldest goes. A rank says its HELLO at once,
 *     and tries again if it was among them (profiler/link/uplink.c).
 * Nothing of it is kept when it has gone.
 */
#ifndef SCHED_STRANGERS_H
#define SCHED_STRANGERS_H

#include <event2/event.h>
#include <stdint.h>

#include "isp/wire.h"

struct sched_strangers;

/* Who has shown the token. */
struct sched_hello {
    int fd;
    int rank, size; /* as it says: rank is not negative */
    int64_t pid;
    char *host;
    struct isp_buf in; /* what it has sent: the HELLO, and perhaps more */
};

struct sched_strangers_config {
    int listener;                                                  /* borrowed */
    const uint8_t *secret;                                         /* ISP_TOKEN_BYTES */
    uint32_t *other_version;                                       /* set if one with the token has another
                                                                      version */
    int *accept_error;                                             /* set to an errno if no connection can be
                                                                      taken any more */
    void (*admit)(void *context, const struct sched_hello *hello); /* takes fd, host and in */
    void *context;
};

struct sched_strangers *sched_strangers_create(struct event_base *base,
                                               const struct sched_strangers_config *config);
void sched_strangers_destroy(struct sched_strangers *strangers);
/* So many of them may be ranks. */
void sched_strangers_expect(struct sched_strangers *strangers, int ranks);
/* Whether connections are taken; if not, those that there are end too. */
void sched_strangers_admit(struct sched_strangers *strangers, bool some);
/* Reads what is there now. */
void sched_strangers_look(struct sched_strangers *strangers);
unsigned sched_strangers_count(const struct sched_strangers *strangers);

#endif
