/* SPDX-License-Identifier: BSD-3-Clause */
#include "strangers.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utlist.h>

#include "base/alloc.h"
#include "base/now.h"

enum {
    MOST = 128,     /* beside the ranks that are expected */
    AT_A_TIME = 16, /* are accepted, before others have their turn */
    ROOM = 4 + ISP_WIRE_HELLO_MAX,
    SWEEP_MS = 500,
};

static const double PATIENCE_S = 20;

struct stranger {
    struct sched_strangers *all;
    int fd;
    double since_s;
    struct event *read;
    struct isp_buf in;
    struct stranger *prev, *next;
};

struct sched_strangers {
    struct sched_strangers_config config;
    struct event_base *base;
    struct event *accept, *sweep;
    struct stranger *list; /* the oldest first */
    unsigned n, most;
    bool full; /* the last connection could not be taken */
    bool closed;
};

/* ---- one of them ---- */

/* Its descriptor and what it has sent are the caller's now. */
static void let_go(struct stranger *s)
{
    DL_DELETE(s->all->list, s);
    s->all->n--;
    event_free(s->read);
    free(s);
}

static void turn_away(struct stranger *s)
{
    close(s->fd);
    isp_buf_finish(&s->in);
    let_go(s);
}

static bool same_secret(const uint8_t *a, const uint8_t *b)
{
    volatile uint8_t difference = 0; /* volatile: no compiler ends the loop early */
    for (int i = 0; i < ISP_TOKEN_BYTES; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

/* The token comes first: who does not have it is not told what isp would have said to the rest. */
static bool read_hello(const struct sched_strangers *all, struct isp_reader r, struct sched_hello *hello)
{
    uint8_t type = isp_get_u8(&r);
    uint32_t version = isp_get_u32(&r), n;
    const uint8_t *token = isp_get_bytes(&r, ISP_TOKEN_BYTES);
    if (!r.ok || type != ISP_MSG_HELLO || !same_secret(token, all->config.secret))
        return false;
    if (version != ISP_WIRE_VERSION) {
        *all->config.other_version = version ? version : ~0u;
        return false;
    }
    hello->rank = isp_get_i32(&r);
    hello->size = isp_get_i32(&r);
    hello->pid = (int64_t)isp_get_u64(&r);
    const char *host = isp_get_str(&r, &n);
    if (!r.ok || r.at != r.end || hello->rank < 0)
        return false;
    hello->host = sched_must(strndup(host, n));
    return true;
}

/* What it has sent so far. */
static void judge(struct stranger *s)
{
    struct isp_reader r = isp_reader_of(s->in.data, s->in.size);
    uint32_t length = isp_get_u32(&r);
    if (!r.ok)
        return;
    if (length == 0 || length > ISP_WIRE_HELLO_MAX) {
        turn_away(s);
        return;
    }
    if (s->in.size < 4 + (size_t)length)
        return;
    struct sched_hello hello = {.fd = s->fd, .in = s->in};
    const struct sched_strangers_config *config = &s->all->config;
    if (read_hello(s->all, isp_reader_of(r.at, length), &hello)) {
        let_go(s);
        config->admit(config->context, &hello);
    } else {
        turn_away(s);
    }
}

static void hear(struct stranger *s)
{
    isp_buf_reserve(&s->in, 1);
    /* never 0: judge() has let go of it by then */
    size_t room = s->in.room - s->in.size, left = ROOM - s->in.size;
    ssize_t n = recv(s->fd, s->in.data + s->in.size, room < left ? room : left, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        turn_away(s);
        return;
    }
    s->in.size += (size_t)n;
    judge(s);
}

static void on_read(int fd, short what, void *context) { hear(context); }

/* ---- all ---- */

static void take_in(struct sched_strangers *all, int fd)
{
    struct stranger *s = sched_alloc(1, sizeof *s);
    *s = (struct stranger){.all = all, .fd = fd, .since_s = sched_now_s()};
    s->read = sched_must(event_new(all->base, fd, EV_READ | EV_PERSIST, on_read, s));
    event_add(s->read, NULL);
    DL_APPEND(all->list, s);
    if (++all->n > all->most)
        turn_away(all->list);
    hear(s); /* most ranks have said it by now */
}

/* With no stranger left to turn away it is isp that has used up what there is; if that stays so, a rank waits
 * for nothing. */
static void make_room(struct sched_strangers *all, int error)
{
    if (all->list) {
        turn_away(all->list);
        return;
    }
    event_del(all->accept); /* it would be called again and again: on_sweep tries it later */
    if (all->full)
        *all->config.accept_error = error;
    all->full = true;
}

static void on_accept(int listener, short what, void *context)
{
    struct sched_strangers *all = context;
    for (int i = 0; i < AT_A_TIME; i++) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            all->full = false;
            take_in(all, fd);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            make_room(all, errno);
        return;
    }
}

static void on_sweep(int fd, short what, void *context)
{
    struct sched_strangers *all = context;
    double now_s = sched_now_s();
    while (all->list && now_s - all->list->since_s >= PATIENCE_S)
        turn_away(all->list);
    if (!all->closed)
        event_add(all->accept, NULL);
}

struct sched_strangers *sched_strangers_create(struct event_base *base,
                                               const struct sched_strangers_config *config)
{
    struct sched_strangers *all = sched_alloc(1, sizeof *all);
    *all = (struct sched_strangers){.config = *config, .base = base, .most = MOST};
    all->accept = sched_must(event_new(base, config->listener, EV_READ | EV_PERSIST, on_accept, all));
    all->sweep = sched_must(event_new(base, -1, EV_PERSIST, on_sweep, all));
    event_add(all->accept, NULL);
    event_add(all->sweep, &(struct timeval){.tv_usec = SWEEP_MS * 1000});
    return all;
}

static void turn_all_away(struct sched_strangers *all)
{
    while (all->list)
        turn_away(all->list);
}

void sched_strangers_destroy(struct sched_strangers *strangers)
{
    if (!strangers)
        return;
    turn_all_away(strangers);
    event_free(strangers->accept);
    event_free(strangers->sweep);
    free(strangers);
}

void sched_strangers_expect(struct sched_strangers *strangers, int ranks)
{
    strangers->most = MOST + (unsigned)ranks;
}

void sched_strangers_admit(struct sched_strangers *strangers, bool some)
{
    strangers->closed = !some;
    if (some) {
        event_add(strangers->accept, NULL);
        return;
    }
    event_del(strangers->accept);
    turn_all_away(strangers);
}

void sched_strangers_look(struct sched_strangers *strangers)
{
    struct stranger *s, *next;
    DL_FOREACH_SAFE (strangers->list, s, next)
        hear(s);
}

unsigned sched_strangers_count(const struct sched_strangers *strangers) { return strangers->n; }
