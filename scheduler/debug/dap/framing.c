/* SPDX-License-Identifier: BSD-3-Clause */
/* See framing.h. */
#include "framing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"

/* The length that these lines give; -1: none, or a wrong one. */
static long length_of(const char *head)
{
    static const char name[] = "Content-Length:";
    for (const char *line = head; line; line = strstr(line, "\r\n")) {
        line += strncmp(line, "\r\n", 2) == 0 ? 2 : 0;
        if (strncasecmp(line, name, sizeof name - 1) != 0)
            continue;
        const char *digits = line + sizeof name - 1;
        digits += strspn(digits, " \t");
        size_t n = strspn(digits, "0123456789");
        bool ends = strncmp(digits + n, "\r\n", 2) == 0 || !digits[n];
        return n > 0 && n < 10 && ends ? strtol(digits, NULL, 10) : -1;
    }
    return -1;
}

enum sched_dap_frame sched_dap_take(struct evbuffer *in, json_t **message, const char **why)
{
    struct evbuffer_ptr end = evbuffer_search(in, "\r\n\r\n", 4, NULL);
    char head[SCHED_DAP_HEAD_MOST + 1];
    if (end.pos > SCHED_DAP_HEAD_MOST || (end.pos < 0 && evbuffer_get_length(in) > SCHED_DAP_HEAD_MOST)) {
        *why = "a message without Content-Length";
        return SCHED_DAP_BROKEN;
    }
    if (end.pos < 0)
        return SCHED_DAP_PARTIAL;
    evbuffer_copyout(in, head, (size_t)end.pos);
    head[end.pos] = '\0';
    long size = length_of(head);
    if (size < 0 || size > SCHED_DAP_BODY_MOST) {
        *why = size < 0 ? "a message without Content-Length" : "a message of more than 16 MiB";
        return SCHED_DAP_BROKEN;
    }
    size_t whole = (size_t)end.pos + 4 + (size_t)size;
    if (evbuffer_get_length(in) < whole)
        return SCHED_DAP_PARTIAL;
    const char *bytes = (const char *)evbuffer_pullup(in, (ev_ssize_t)whole);
    *message = json_loadb(bytes + end.pos + 4, (size_t)size, 0, NULL);
    evbuffer_drain(in, whole);
    if (json_is_object(*message))
        return SCHED_DAP_MESSAGE;
    json_decref(*message);
    *why = "a message that is no JSON object";
    return SCHED_DAP_WRONG;
}

bool sched_dap_put(int fd, const json_t *message)
{
    char *body = sched_must(json_dumps(message, JSON_COMPACT));
    char *frame = sched_format("Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    size_t left = strlen(frame);
    for (const char *at = frame; left;) {
        ssize_t n = write(fd, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        at += n;
        left -= (size_t)n;
    }
    free(frame);
    free(body);
    return left == 0;
}
