/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of the Debug Adapter Protocol: "Content-Length: N", an empty line, and N bytes of JSON. What is
 * no message is skipped with one line of why; a frame that is too large, or has no length, ends the stream,
 * since nobody knows where the next one begins.
 */
#ifndef SCHED_DEBUG_DAP_FRAMING_H
#define SCHED_DEBUG_DAP_FRAMING_H

#include <event2/buffer.h>
#include <jansson.h>
#include <stdbool.h>

enum { SCHED_DAP_HEAD_MOST = 4096, SCHED_DAP_BODY_MOST = 16 << 20 };

enum sched_dap_frame {
    SCHED_DAP_MESSAGE, /* *message is the caller's */
    SCHED_DAP_PARTIAL, /* more bytes are needed */
    SCHED_DAP_WRONG,   /* no JSON object: it was skipped; *why */
    SCHED_DAP_BROKEN,  /* *why, a constant */
};

enum sched_dap_frame sched_dap_take(struct evbuffer *in, json_t **message, const char **why);
/* False: it cannot be written. */
bool sched_dap_put(int fd, const json_t *message);

#endif
