/* SPDX-License-Identifier: BSD-3-Clause */
#include "mail.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"

static void send_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            struct pollfd room = {.fd = fd, .events = POLLOUT};
            poll(&room, 1, -1);
        } else if (n < 0 && errno != EINTR) {
            return;
        } else if (n > 0) {
            data += n;
            size -= (size_t)n;
        }
    }
}

void sched_mail_send(int fd, json_t *message)
{
    char *text = sched_must(json_dumps(message, JSON_COMPACT));
    uint64_t size = strlen(text);
    send_all(fd, (const char *)&size, sizeof size);
    send_all(fd, text, size);
    free(text);
    json_decref(message);
}

bool sched_mail_receive(int fd, struct isp_buf *in)
{
    for (;;) {
        isp_buf_reserve(in, 64 << 10);
        ssize_t n = recv(fd, in->data + in->size, 64 << 10, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return true;
        if (n <= 0)
            return false;
        in->size += (size_t)n;
    }
}

json_t *sched_mail_next(struct isp_buf *in)
{
    uint64_t size;
    if (in->size < sizeof size)
        return NULL;
    memcpy(&size, in->data, sizeof size);
    if (in->size - sizeof size < size)
        return NULL;
    json_t *message = json_loadb((const char *)in->data + sizeof size, size, 0, NULL);
    in->size -= sizeof size + size;
    memmove(in->data, in->data + sizeof size + size, in->size);
    return sched_must(message);
}
