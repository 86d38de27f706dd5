/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line to the client: messages out; requests in, which wait in a queue for the conversation
 * (conversation.c). Reading only copies and sets state. While a session turns its loop, what ends something
 * takes effect as soon as it comes: it goes to the front of the queue, and what is under way is broken off.
 */
#ifndef SCHED_DEBUG_DAP_TALK_H
#define SCHED_DEBUG_DAP_TALK_H

#include <event2/buffer.h>
#include <event2/event.h>
#include <jansson.h>
#include <stdbool.h>

struct sched_session;

/* Of what may wait while ranks move. */
enum { SCHED_DAP_WAITING_MOST = 1000, SCHED_DAP_WAITING_BYTES_MOST = 64 << 20 };

struct sched_dap_talk {
    int in, out;
    struct evbuffer *bytes;
    json_t *waiting;               /* requests, in the order in which they are to be done */
    size_t n_urgent;               /* ... the first ones */
    size_t n_bytes;                /* of what came since the queue was empty */
    json_int_t seq;                /* of the last message that was sent */
    json_int_t present;            /* of the request that is done now */
    bool moving;                   /* ranks are, or may be */
    bool gone;                     /* the client is */
    double until_s;                /* the client must have shown its token by then; 0: it need not */
    const char *broken;            /* why what it sends makes no sense any more; NULL: it does */
    struct sched_session *session; /* what is broken off; NULL: none yet */
    struct event *readable;        /* in its loop */
};

void sched_dap_talk_init(struct sched_dap_talk *talk, int in, int out);
void sched_dap_talk_finish(struct sched_dap_talk *talk);
/* From now on it reads in the loop of this session; NULL: by itself. */
void sched_dap_talk_attend(struct sched_dap_talk *talk, struct sched_session *session);

/* Takes the message, and gives it its number. */
void sched_dap_send(struct sched_dap_talk *talk, json_t *message);
/* An event; takes the body, which may be NULL. */
void sched_dap_send_event(struct sched_dap_talk *talk, const char *name, json_t *body);

/* Waits for the next request, which the caller lets go. NULL: the client is gone, or talk->broken. */
json_t *sched_dap_next_request(struct sched_dap_talk *talk);
/* The same of one that breaks something off, if there is one. */
json_t *sched_dap_urgent_request(struct sched_dap_talk *talk);

#endif
