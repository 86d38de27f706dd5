/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One round trip per fence is the speed limit of the whole tool. A rank on this host writes its frames into
 * memory that it shares with isp (isp/ring.h), and finds its answers there; neither makes a system call for
 * that but to wake the other, if it sleeps. With other ranks a frame is read by one read() and answered by
 * one send(); an event for writing is used only when the socket is full.
 *
 * Who may talk: see strangers.h. Here is only who has shown the token.
 */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <utlist.h>

#include "base/alloc.h"
#include "base/now.h"
#include "rings.h"
#include "strangers.h"

enum { READ_BYTES = 64 << 10, SPINS_MOST = 256, SPINS_LEAST = 8, TURNS = 64 };

static void mark_ready(struct sched_peer *p)
{
    if (p->ready)
        return;
    p->ready = true;
    p->next_ready = NULL;
    if (p->link->ready)
        p->link->last_ready->next_ready = p;
    else
        p->link->ready = p;
    p->link->last_ready = p;
}

static const double YIELD_LONG_S = 500e-6, CROWDED_S = 20e-3;

/* ---- bytes ---- */

static void drop(struct sched_peer *peer)
{
    if (peer->fd < 0)
        return;
    event_free(peer->read);
    event_free(peer->write);
    close(peer->fd);
    peer->fd = -1;
    peer->eof = true;
    mark_ready(peer);
}

static void give_up(struct sched_peer *p)
{
    p->broken = true;
    drop(p);
}

static void compact(struct sched_peer *p)
{
    if (!p->in_at)
        return;
    p->in.size -= p->in_at;
    memmove(p->in.data, p->in.data + p->in_at, p->in.size);
    p->in_at = 0;
}

static bool in_rings(const struct sched_peer *p)
{
    return p->slot && atomic_load_explicit(&p->slot->attached, memory_order_acquire);
}

/* Appends what is in the ring. True: there was something. */
static bool read_ring(struct sched_peer *p)
{
    uint32_t n = isp_ring_used(&p->slot->up);
    if (n == 0)
        return false;
    uint32_t room = isp_ring_up_bytes(p->link->patient);
    if (n > room) {
        give_up(p);
        return false;
    }
    compact(p);
    isp_buf_reserve(&p->in, n);
    p->in.size += isp_ring_read(&p->slot->up, p->slot->up_bytes, room, p->in.data + p->in.size, n);
    mark_ready(p);
    return true;
}

/* Appends what the socket has; true if there may be more. */
static bool read_socket(struct sched_peer *p)
{
    compact(p);
    isp_buf_reserve(&p->in, READ_BYTES);
    size_t room = p->in.room - p->in.size;
    ssize_t n = recv(p->fd, p->in.data + p->in.size, room, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) {
        drop(p);
        return false;
    }
    p->in.size += (size_t)n;
    mark_ready(p);
    return (size_t)n == room;
}

/* Writes what fits of what waits to be sent. */
static void fill_ring(struct sched_peer *p)
{
    struct isp_ring *down = &p->slot->down;
    do {
        size_t n = isp_ring_write(down, p->slot->down_bytes, ISP_RING_DOWN_BYTES, p->out.data, p->out.size);
        p->out.size -= n;
        memmove(p->out.data, p->out.data + n, p->out.size);
        if (p->out.size)
            isp_ring_doze(&down->full);
    } while (p->out.size && isp_ring_used(down) < ISP_RING_DOWN_BYTES / 2);
}

static void wake_rank(struct sched_peer *p)
{
    if (isp_ring_wakes(&p->slot->asleep))
        send(p->fd, &(uint8_t){ISP_RING_BELL}, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Bells on the socket. */
static void take_bells(struct sched_peer *p)
{
    uint8_t bells[64];
    ssize_t n = recv(p->fd, bells, sizeof bells, MSG_DONTWAIT);
    bool ended = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    read_ring(p);
    if (ended && p->fd >= 0)
        drop(p);
    if (p->fd < 0 || !p->out.size)
        return;
    fill_ring(p);
    wake_rank(p);
}

/* The same, from wherever the peer writes to. */
static bool read_some(struct sched_peer *p)
{
    if (!in_rings(p))
        return read_socket(p);
    take_bells(p);
    return false;
}

static void on_read(int fd, short what, void *context) { read_some(context); }

static void on_write(int fd, short what, void *context)
{
    struct sched_peer *p = context;
    ssize_t n = send(p->fd, p->out.data, p->out.size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        event_del(p->write); /* the reading side will see the end */
        return;
    }
    size_t done = n > 0 ? (size_t)n : 0;
    p->out.size -= done;
    memmove(p->out.data, p->out.data + done, p->out.size);
    if (!p->out.size) {
        event_del(p->write);
        p->writing = false;
    }
}

static void send_by_socket(struct sched_peer *peer, const struct isp_buf *frames)
{
    size_t done = 0;
    if (!peer->writing) {
        ssize_t n = send(peer->fd, frames->data, frames->size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return;
        done = n > 0 ? (size_t)n : 0;
    }
    if (done == frames->size)
        return;
    isp_put_bytes(&peer->out, frames->data + done, frames->size - done);
    if (!peer->writing)
        event_add(peer->write, NULL);
    peer->writing = true;
}

static void send_by_ring(struct sched_peer *peer, const struct isp_buf *frames)
{
    size_t done = 0;
    if (!peer->out.size)
        done = isp_ring_write(&peer->slot->down, peer->slot->down_bytes, ISP_RING_DOWN_BYTES, frames->data,
                              frames->size);
    if (done < frames->size) {
        isp_put_bytes(&peer->out, frames->data + done, frames->size - done);
        fill_ring(peer);
    }
    wake_rank(peer);
}

void sched_peer_send(struct sched_peer *peer, const struct isp_buf *frames)
{
    if (peer->fd < 0)
        return;
    if (!in_rings(peer))
        send_by_socket(peer, frames);
    else if (frames->data[4] != ISP_MSG_DIE)
        send_by_ring(peer, frames);
    else /* a rank must hear of it whatever it does */
        send(peer->fd, frames->data, frames->size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void sched_peer_welcome(struct sched_peer *peer, const struct isp_buf *frame)
{
    const struct sched_rings *rings = peer->link->rings;
    if (!rings || peer->rank >= rings->n) {
        sched_peer_send(peer, frame);
        return;
    }
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec io = {.iov_base = frame->data, .iov_len = frame->size};
    struct msghdr message = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &rings->fd, sizeof(int));
    /* Nothing was sent before: so it fits. */
    if (peer->fd >= 0 && sendmsg(peer->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)frame->size)
        peer->slot = sched_rings_slot(rings, peer->rank);
}

/* ---- connections ---- */

static void admit(void *context, const struct sched_hello *hello)
{
    struct sched_link *l = context;
    /* fails on a Unix socket: no harm */
    setsockopt(hello->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct sched_peer *p = sched_alloc(1, sizeof *p);
    *p = (struct sched_peer){.rank = hello->rank,
                             .size = hello->size,
                             .pid = hello->pid,
                             .host = hello->host,
                             .link = l,
                             .fd = hello->fd,
                             .in = hello->in};
    p->read = sched_must(event_new(l->base, p->fd, EV_READ | EV_PERSIST, on_read, p));
    p->write = sched_must(event_new(l->base, p->fd, EV_WRITE | EV_PERSIST, on_write, p));
    event_add(p->read, NULL);
    DL_APPEND(l->peers, p);
    mark_ready(p);
}

static void peer_destroy(struct sched_peer *p)
{
    drop(p);
    isp_buf_finish(&p->in);
    isp_buf_finish(&p->out);
    free(p->host);
    free(p);
}

void sched_peer_refuse(struct sched_peer *peer)
{
    drop(peer);
    peer->refused = true;
    mark_ready(peer);
}

void sched_link_drain(struct sched_link *link)
{
    sched_strangers_look(link->strangers);
    for (struct sched_peer *p = link->peers; p; p = p->next)
        while (p->fd >= 0 && read_some(p))
            ;
}

bool sched_link_look(struct sched_link *link)
{
    /* Ranks that have shared memory are all that matters for speed: the other events need not be looked at
     * each time. */
    if (!link->rings || ++link->turns % TURNS == 0)
        event_base_loop(link->base, EVLOOP_NONBLOCK);
    for (struct sched_peer *p = link->rings ? link->peers : NULL; p; p = p->next)
        if (p->slot && p->fd >= 0)
            read_ring(p);
    return link->ready != NULL;
}

bool sched_link_yield(struct sched_link *link)
{
    double before_s = sched_now_s();
    if (before_s < link->crowded_until_s)
        return false;
    sched_yield();
    double now_s = sched_now_s();
    if (now_s - before_s > YIELD_LONG_S)
        link->crowded_until_s = now_s + CROWDED_S;
    return true;
}

/* As the ranks do (profiler/link/channel.c): looks for a while, since it is cheaper than to be woken. */
static bool spin(struct sched_link *link)
{
    for (unsigned i = 0; i < link->spins; i++) {
        if (sched_link_look(link)) {
            link->spins += link->spins < SPINS_MOST ? link->spins / 4 : 0;
            return true;
        }
        if (!sched_link_yield(link))
            return false;
    }
    link->spins = link->spins / 2 > SPINS_LEAST ? link->spins / 2 : SPINS_LEAST;
    return false;
}

void sched_link_wait(struct sched_link *link)
{
    if (!link->rings) {
        event_base_loop(link->base, EVLOOP_ONCE);
        return;
    }
    if (!link->patient && spin(link))
        return;
    isp_ring_doze(&link->rings->head->asleep);
    if (!sched_link_look(link))
        event_base_loop(link->base, EVLOOP_ONCE);
    atomic_store_explicit(&link->rings->head->asleep, 0, memory_order_relaxed);
    sched_link_look(link);
}

struct sched_peer *sched_link_ready(struct sched_link *link)
{
    struct sched_peer *p = link->ready;
    while (p && p->refused) {
        link->ready = p->next_ready;
        DL_DELETE(link->peers, p);
        peer_destroy(p);
        p = link->ready;
    }
    if (p) {
        link->ready = p->next_ready;
        p->ready = false;
    }
    return p;
}

/* ---- frames ---- */

bool sched_peer_frame(struct sched_peer *peer, uint8_t *type, struct isp_reader *payload)
{
    size_t have = peer->in.size - peer->in_at;
    struct isp_reader r = isp_reader_of_buf(&peer->in, peer->in_at);
    uint32_t length = isp_get_u32(&r);
    if (peer->broken || peer->refused || !r.ok)
        return false;
    if (length == 0 || length > ISP_WIRE_FRAME_MAX) {
        give_up(peer);
        return false;
    }
    if (have < 4 + (size_t)length)
        return false;
    *type = isp_get_u8(&r);
    *payload = isp_reader_of(r.at, length - 1);
    peer->in_at += 4 + (size_t)length;
    if ((*type == ISP_MSG_HELLO) == peer->greeted) {
        give_up(peer);
        return false;
    }
    peer->greeted = true;
    return true;
}

/* ---- listening ---- */

static int listen_unix(struct sched_link *l, const char *dir, char **error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int n = snprintf(address.sun_path, sizeof address.sun_path, "%s/link", dir);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (n >= (int)sizeof address.sun_path || fd < 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, SOMAXCONN) < 0) {
        *error = sched_format("cannot listen at %s/link: %s", dir, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    snprintf(l->address, sizeof l->address, "unix:%s", address.sun_path);
    return fd;
}

static int port_of(int fd)
{
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    if (getsockname(fd, (struct sockaddr *)&bound, &size) < 0)
        return 0;
    return ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                             : ((struct sockaddr_in *)&bound)->sin_port);
}

static int listen_tcp(struct sched_link *l, const char *host_port, char **error)
{
    const char *colon = strrchr(host_port, ':');
    char host[256];
    bool brackets = host_port[0] == '[' && colon > host_port + 1 && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - host_port) - 2 * brackets, host_port + brackets);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list = NULL;
    int rc = getaddrinfo(host, colon + 1, &hints, &list), fd = -1;
    int cause = 0;
    for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
        if (fd >= 0)
            setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
        if (fd >= 0 && (bind(fd, a->ai_addr, a->ai_addrlen) < 0 || listen(fd, SOMAXCONN) < 0)) {
            cause = errno;
            close(fd);
            fd = -1;
        }
    }
    if (list)
        freeaddrinfo(list);
    if (fd < 0)
        *error = sched_format("cannot listen on %s: %s", host_port, rc ? gai_strerror(rc) : strerror(cause));
    else
        snprintf(l->address, sizeof l->address, "tcp:%.*s:%d", (int)(colon - host_port), host_port,
                 port_of(fd));
    return fd;
}

struct sched_link *sched_link_create(struct event_base *base, const char *dir, const char *tcp, char **error)
{
    struct sched_link *l = sched_alloc(1, sizeof *l);
    l->base = base;
    l->fd = -1;
    if (getrandom(l->secret, sizeof l->secret, 0) != sizeof l->secret)
        *error = sched_format("no random numbers: %s", strerror(errno));
    else
        l->fd = tcp ? listen_tcp(l, tcp, error) : listen_unix(l, dir, error);
    if (l->fd < 0) {
        free(l);
        return NULL;
    }
    for (int i = 0; i < ISP_TOKEN_BYTES; i++)
        sprintf(l->token + 2 * i, "%02x", l->secret[i]);
    l->strangers =
        sched_strangers_create(base, &(struct sched_strangers_config){.listener = l->fd,
                                                                      .secret = l->secret,
                                                                      .other_version = &l->other_version,
                                                                      .accept_error = &l->accept_error,
                                                                      .admit = admit,
                                                                      .context = l});
    return l;
}

static bool is_tcp(const struct sched_link *l) { return strncmp(l->address, "tcp:", 4) == 0; }

/* On Linux the socket stays bound, with SO_REUSEADDR, and who else is bound there may listen. */
void sched_link_rest(struct sched_link *link)
{
    sched_strangers_admit(link->strangers, false);
    if (is_tcp(link))
        shutdown(link->fd, SHUT_RDWR);
}

bool sched_link_listen_again(struct sched_link *link)
{
    if (is_tcp(link) && listen(link->fd, SOMAXCONN) < 0)
        return false;
    sched_strangers_admit(link->strangers, true);
    return true;
}

void sched_link_share(struct sched_link *link, int n)
{
    if (strncmp(link->address, "unix:", 5) == 0)
        link->rings = sched_rings_create(n);
    link->spins = SPINS_MOST;
    sched_strangers_expect(link->strangers, n);
}

void sched_link_destroy(struct sched_link *link)
{
    if (!link)
        return;
    while (link->peers) {
        struct sched_peer *p = link->peers;
        DL_DELETE(link->peers, p);
        peer_destroy(p);
    }
    sched_strangers_destroy(link->strangers);
    sched_rings_destroy(link->rings);
    close(link->fd);
    free(link);
}
