/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link between isp and the ranks of one world: a listening socket, and a connection per rank. It reads
 * and writes bytes, and cuts them into frames; it decides
 * nothing. Who has not shown the token yet is no peer (strangers.h). Callbacks append what was read to a
 * connection's buffer; the world takes the frames out, once per turn of the loop.
 */
#ifndef SCHED_LINK_H
#define SCHED_LINK_H

#include <event2/event.h>
#include <stdbool.h>

#include "isp/wire.h"

struct sched_peer {
    int rank, size; /* as its HELLO says */
    int64_t pid;
    char *host;
    bool eof;    /* nothing more will come */
    bool broken; /* it sent what libisp.so cannot have sent */
    /* the rest is private to link.c */
    struct sched_link *link;
    struct isp_ring_slot *slot; /* shared with the rank (isp/ring.h), or NULL */
    struct sched_peer *prev, *next, *next_ready;
    bool ready, writing;
    bool greeted, refused;
    int fd;
    struct event *read, *write;
    struct isp_buf in, out;
    size_t in_at;
};

struct sched_link {
    char address[300]; /* for ISP_LINK */
    char token[2 * ISP_TOKEN_BYTES + 1];
    uint32_t other_version;   /* not 0: a libisp.so of this version was turned away */
    int accept_error;         /* a connection could not be taken */
    bool patient;             /* nobody waits for an answer soon: it sleeps at once */
    struct sched_peer *ready; /* something has come: see sched_link_ready */
    /* private */
    uint8_t secret[ISP_TOKEN_BYTES];
    struct event_base *base;
    int fd;
    struct sched_strangers *strangers;
    struct sched_rings *rings; /* or NULL */
    unsigned spins, turns;
    double crowded_until_s; /* see sched_link_yield */
    struct sched_peer *peers, *last_ready;
};

/* Listens in `dir`, or on tcp (HOST:PORT) unless it is NULL. NULL: *error says why (caller frees). */
struct sched_link *sched_link_create(struct event_base *base, const char *dir, const char *tcp, char **error);
void sched_link_destroy(struct sched_link *link);
/* The world rests: until it is to go on, another world may listen at the same TCP port. */
void sched_link_rest(struct sched_link *link);
/* False: the port is somebody else's now. */
bool sched_link_listen_again(struct sched_link *link);
/* Ranks of this host get memory for their frames, n of them, if that can be had. */
void sched_link_share(struct sched_link *link, int n);

/* Sleeps until something has come, or another event of its base. */
void sched_link_wait(struct sched_link *link);
/* Gives the core to the ranks. False: not now. Among processes that compute it costs whole time slices, and
 * who sleeps is woken sooner. */
bool sched_link_yield(struct sched_link *link);
/* Looks for what has come, without sleeping. True: something. */
bool sched_link_look(struct sched_link *link);
/* Reads what is there now, without waiting. */
void sched_link_drain(struct sched_link *link);
/* The next connection from which something came since the last call for it; NULL if none. */
struct sched_peer *sched_link_ready(struct sched_link *link);
/* The next whole frame; a HELLO, which has been looked at, is the first one. False: none, for now. The
 * payload is valid until the next call with this peer. */
bool sched_peer_frame(struct sched_peer *peer, uint8_t *type, struct isp_reader *payload);
/* Sends WELCOME, the first frame, and the rank's part of the shared memory. */
void sched_peer_welcome(struct sched_peer *peer, const struct isp_buf *frame);
/* Sends whole frames (DIE alone); never waits. */
void sched_peer_send(struct sched_peer *peer, const struct isp_buf *frames);
/* There is no place for it: nothing more of it is read, and the next sched_link_ready() forgets it. */
void sched_peer_refuse(struct sched_peer *peer);

#endif
