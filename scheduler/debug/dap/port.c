/* SPDX-License-Identifier: BSD-3-Clause */
/* See port.h. */
#include "port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/say.h"

static bool make_token(char token[SCHED_DAP_TOKEN_ROOM])
{
    unsigned char random[(SCHED_DAP_TOKEN_ROOM - 1) / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    return true;
}

int sched_dap_listen(int port, char token[SCHED_DAP_TOKEN_ROOM])
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, 4) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0 || !make_token(token)) {
        sched_say("dap: port %d: %s", port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    sched_say("dap: listening on 127.0.0.1:%d, token %s", ntohs(at.sin_port), token);
    return fd;
}

int sched_dap_accept(int listener)
{
    int fd, yes = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) < 0 &&
           (errno == EINTR || errno == ECONNABORTED))
        ;
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}
