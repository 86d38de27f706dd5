/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes between a rank and the scheduler: see channel.h. */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptors.h"
#include "bells.h"
#include "hangup.h"
#include "hooks.h"
#include "isp/ring.h"
#include "isp/wire.h"
#include "progress.h"

struct prof_link_hooks prof_link_hooks;

#define SPINS 10 /* looks, with a yield after each, before the rank sleeps */
#define RING_SPINS_MOST 256
#define RING_SPINS_LEAST 8
#define YIELD_LONG_NS 500000
#define CROWDED_NS 20000000 /* so long a long yield counts */
#define FULL_SPINS 100
#define BELLS 64
#define DIE_BYTES 6

static struct {
    int fd;
    int memory; /* descriptor of the shared memory, between WELCOME and attach */
    bool welcomed;
    struct isp_ring_head *head;
    struct isp_ring_slot *slot; /* NULL: the socket has it all */
    uint32_t room;              /* bytes of the ring to the scheduler */
    unsigned spins;
    int64_t crowded_until_ns;
} channel = {.fd = -1, .memory = -1, .spins = RING_SPINS_MOST};

/* ---- the socket ---- */

static int connect_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    /* not as the program makes sockets (channels.c) */
    int fd = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static int connect_tcp(const char *host_port)
{
    const char *colon = strrchr(host_port, ':');
    if (!colon)
        return -1;
    char host[256];
    snprintf(host, sizeof host, "%.*s", (int)(colon - host_port), host_port);
    size_t n = strlen(host);
    char *name = host;
    if (n > 1 && host[0] == '[' && host[n - 1] == ']') {
        host[n - 1] = '\0';
        name++;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    if (getaddrinfo(name, colon + 1, &hints, &list) != 0)
        return -1;
    int fd = -1;
    for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
        fd = (int)syscall(SYS_socket, a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) < 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(list);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return fd;
}

bool prof_channel_open(const char *where)
{
    int fd = strncmp(where, "unix:", 5) == 0  ? connect_unix(where + 5)
             : strncmp(where, "tcp:", 4) == 0 ? connect_tcp(where + 4)
                                              : -1;
    if (fd < 0)
        return false;
    channel.fd = fcntl(fd, F_DUPFD_CLOEXEC, PROF_DESCRIPTORS_CHANNEL);
    if (channel.fd < 0)
        channel.fd = fd;
    else
        close(fd);
    return true;
}

void prof_channel_drop(void)
{
    if (channel.fd >= 0)
        close(channel.fd);
    channel.fd = -1;
    channel.slot = NULL;
}

static bool try_send(const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t n = send(channel.fd, data, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

static void send_all(const uint8_t *data, size_t size)
{
    if (!try_send(data, size))
        _exit(0);
}

bool prof_channel_greet(const uint8_t *hello, size_t size)
{
    ssize_t n;
    if (!try_send(hello, size))
        return false;
    do
        n = recv(channel.fd, &(uint8_t){0}, 1, MSG_PEEK);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

/* recv() that also takes a descriptor. */
static ssize_t receive(uint8_t *room, size_t size, int flags)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec io = {.iov_base = room, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (channel.welcomed)
        return recv(channel.fd, room, size, flags);
    ssize_t n = recvmsg(channel.fd, &message, flags | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&channel.memory, CMSG_DATA(c), sizeof(int));
    return n;
}

/* ---- the rings ---- */

void prof_channel_attach(int rank, int n, bool ahead)
{
    channel.welcomed = true;
    if (channel.memory < 0) {
        prof_hangup_watch(channel.fd);
        return;
    }
    void *head = mmap(NULL, sizeof *channel.head, PROT_READ | PROT_WRITE, MAP_SHARED, channel.memory, 0);
    void *slot = mmap(NULL, sizeof *channel.slot, PROT_READ | PROT_WRITE, MAP_SHARED, channel.memory,
                      (off_t)isp_ring_slot_at(rank));
    close(channel.memory);
    channel.memory = -1;
    if (head == MAP_FAILED || slot == MAP_FAILED)
        return;
    channel.head = head;
    channel.slot = slot;
    channel.room = isp_ring_up_bytes(ahead);
    if (ahead)
        prof_bells_attach(head, rank, n);
    atomic_store(&channel.slot->attached, 1);
}

static void wake_scheduler(void)
{
    if (!isp_ring_wakes(&channel.head->asleep))
        return;
    /* If the socket is full it has something to wake up for. */
    if (send(channel.fd, &(uint8_t){ISP_RING_BELL}, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EPIPE)
        _exit(0);
}

static void write_ring(const uint8_t *data, size_t size)
{
    for (unsigned tries = 0;; tries++) {
        size_t n = isp_ring_write(&channel.slot->up, channel.slot->up_bytes, channel.room, data, size);
        data += n;
        size -= n;
        if (n)
            wake_scheduler();
        if (!size)
            return;
        if (tries < FULL_SPINS) {
            sched_yield();
        } else {
            if (prof_channel_is_over())
                prof_link_leave(0);
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        }
    }
}

static size_t read_ring(uint8_t *room, size_t size)
{
    struct isp_ring *down = &channel.slot->down;
    size_t n = isp_ring_read(down, channel.slot->down_bytes, ISP_RING_DOWN_BYTES, room, size);
    if (n && isp_ring_wakes(&down->full))
        send_all(&(uint8_t){ISP_RING_BELL}, 1);
    return n;
}

/* The last thing that is sent; before it there may be bells. */
static bool has_die(const uint8_t *data, size_t size)
{
    static const uint8_t die[] = {2, 0, 0, 0, ISP_MSG_DIE};
    bool dies = size >= DIE_BYTES && memcmp(data + size - DIE_BYTES, die, sizeof die) == 0;
    if (dies && data[size - 1])
        prof_link_hooks.over();
    return dies;
}

static void take_bells(void)
{
    uint8_t bells[BELLS];
    ssize_t n = recv(channel.fd, bells, sizeof bells, 0);
    if (n > 0 && has_die(bells, (size_t)n))
        prof_link_leave(0);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
        _exit(0);
}

/* ---- both ---- */

void prof_channel_write(const uint8_t *data, size_t size)
{
    if (channel.slot)
        write_ring(data, size);
    else
        send_all(data, size);
}

size_t prof_channel_offer(const uint8_t *data, size_t size, bool wakes)
{
    if (!channel.slot) {
        ssize_t n = size ? send(channel.fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
        if (n < 0 && errno == EPIPE)
            _exit(0);
        return n > 0 ? (size_t)n : 0;
    }
    size_t n = isp_ring_write(&channel.slot->up, channel.slot->up_bytes, channel.room, data, size);
    if (wakes || isp_ring_used(&channel.slot->up) > channel.room / 2)
        wake_scheduler();
    return n;
}

/* Sleeps until the socket has something, or the time is over. */
static bool sleep_on_socket(int64_t timeout_ns)
{
    if (prof_progress_is_needed())
        return prof_progress_until(channel.fd, timeout_ns);
    if (timeout_ns < 0)
        return true; /* reading it sleeps */
    struct pollfd p = {.fd = channel.fd, .events = POLLIN};
    struct timespec time = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
    return ppoll(&p, 1, &time, NULL) > 0;
}

/* The answer often comes while others run: giving them the core is cheaper than to sleep and be woken, up to
 * a number of looks. It halves each time that they were for nothing: where there are many ranks for each
 * core, or an answer takes long, others have better use for the time. And there are none for a while if a
 * yield took long: among processes that compute a yield costs whole time slices, and who sleeps is woken
 * sooner. */
static size_t spin(uint8_t *room, size_t size)
{
    int64_t before_ns = prof_now_ns();
    for (unsigned i = 0; i < channel.spins && before_ns >= channel.crowded_until_ns; i++) {
        size_t n = read_ring(room, size);
        if (n) {
            channel.spins += channel.spins < RING_SPINS_MOST ? 1 + channel.spins / 4 : 0;
            return n;
        }
        sched_yield();
        int64_t now_ns = prof_now_ns();
        if (now_ns - before_ns > YIELD_LONG_NS) {
            channel.crowded_until_ns = now_ns + CROWDED_NS;
            break;
        }
        before_ns = now_ns;
    }
    if (before_ns < channel.crowded_until_ns)
        return read_ring(room, size);
    channel.spins = channel.spins / 2 > RING_SPINS_LEAST ? channel.spins / 2 : RING_SPINS_LEAST;
    return 0;
}

static size_t read_slot(uint8_t *room, size_t size, int64_t timeout_ns)
{
    size_t n = spin(room, size);
    for (bool woken = true; !n && woken;) {
        isp_ring_doze(&channel.slot->asleep);
        n = read_ring(room, size);
        if (!n && (woken = sleep_on_socket(timeout_ns)))
            take_bells();
        atomic_store_explicit(&channel.slot->asleep, 0, memory_order_relaxed);
        if (!n)
            n = read_ring(room, size);
    }
    return n;
}

size_t prof_channel_read(uint8_t *room, size_t size, int64_t timeout_ns)
{
    if (channel.slot)
        return read_slot(room, size, timeout_ns);
    ssize_t n = -1;
    for (int i = 0; i < SPINS && n < 0; i++) {
        n = receive(room, size, MSG_DONTWAIT);
        if (n < 0)
            sched_yield();
    }
    if (n < 0 && !sleep_on_socket(timeout_ns))
        return 0;
    while (n < 0 && (errno == EINTR || errno == EAGAIN))
        n = receive(room, size, 0);
    if (n <= 0)
        _exit(0);
    return (size_t)n;
}

bool prof_channel_has(void)
{
    if (channel.slot)
        return isp_ring_used(&channel.slot->down) > 0;
    return recv(channel.fd, &(uint8_t){0}, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void prof_channel_forget(void)
{
    if (channel.slot)
        atomic_store(&channel.slot->down.read, atomic_load(&channel.slot->down.written));
}

void prof_channel_look(void)
{
    struct pollfd p = {.fd = channel.fd, .events = POLLIN};
    poll(&p, 1, -1);
}

bool prof_channel_is_over(void)
{
    uint8_t head[BELLS];
    ssize_t n = recv(channel.fd, head, channel.slot ? sizeof head : DIE_BYTES, MSG_PEEK | MSG_DONTWAIT);
    bool dies = n > 0 && has_die(head, (size_t)n);
    if (dies) /* who goes on in this one's place must not read it again */
        recv(channel.fd, head, (size_t)n, 0);
    return n == 0 || dies;
}

void prof_channel_hold(bool progress)
{
    uint8_t data[512];
    for (;;) {
        if (progress && prof_progress_is_needed())
            prof_progress_until(channel.fd, -1);
        ssize_t n = recv(channel.fd, data, sizeof data, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || has_die(data, (size_t)n))
            return;
    }
}
