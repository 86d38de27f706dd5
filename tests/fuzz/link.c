/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link by itself: what comes through the socket before and after HELLO, and through the shared memory,
 * with positions of the rings that a rank has made up. Input: u8 steps with their bytes. What isp reads must
 * lie in what was there; and nothing may be let in without the token.
 */
#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"

#include "base/alloc.h"
#include "link/link.h"
#include "link/rings.h"

enum { RANKS = 2, PEERS = 3 };

static struct state {
    struct event_base *base;
    struct sched_link *link;
    int fds[PEERS];
    bool token_sent[PEERS];
    unsigned frames;
} s;

static void connect_one(int i)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (s.fds[i] >= 0)
        return;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", s.link->address + 5);
    s.fds[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s.fds[i] < 0 || connect(s.fds[i], (struct sockaddr *)&address, sizeof address) != 0) {
        close(s.fds[i]);
        s.fds[i] = -1;
    }
}

static void send_bytes(int i, const uint8_t *data, size_t size)
{
    if (s.fds[i] >= 0 && size)
        (void)!send(s.fds[i], data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* A HELLO with the token; the other fields are the input's. */
static void send_hello(int i, struct isp_reader *in)
{
    struct isp_buf b;
    isp_buf_init(&b);
    size_t at = isp_frame_begin(&b, ISP_MSG_HELLO);
    isp_put_u32(&b, ISP_WIRE_VERSION);
    isp_put_bytes(&b, s.link->secret, ISP_TOKEN_BYTES);
    isp_put_i32(&b, isp_get_u8(in) % 4);
    isp_put_i32(&b, RANKS);
    isp_put_u64(&b, 1);
    isp_put_str(&b, "host");
    isp_frame_end(&b, at);
    send_bytes(i, b.data, b.size);
    isp_buf_finish(&b);
    s.token_sent[i] = true;
}

/* A position, often near that of the other end. */
static void set_position(_Atomic uint32_t *position, uint32_t other, struct isp_reader *in)
{
    uint8_t how = isp_get_u8(in);
    atomic_store(position, how < 128   ? other + how * 300u
                           : how < 240 ? other - (how - 128u)
                                       : isp_get_u32(in));
}

/* What a rank can do to its slot. */
static void spoil_slot(struct isp_reader *in)
{
    uint8_t what = isp_get_u8(in);
    if (!s.link->rings)
        return;
    struct isp_ring_slot *slot = sched_rings_slot(s.link->rings, what & 1);
    switch (what >> 1 & 15) {
    case 0: set_position(&slot->up.written, slot->up.read, in); break;
    case 1: set_position(&slot->up.read, slot->up.written, in); break;
    case 2: set_position(&slot->down.read, slot->down.written, in); break;
    case 3: set_position(&slot->down.written, slot->down.read, in); break;
    case 4: atomic_store(&slot->attached, isp_get_u8(in)); break;
    case 5: atomic_store(&slot->asleep, isp_get_u8(in)); break;
    case 6: atomic_store(&slot->down.full, isp_get_u8(in)); break;
    case 7: atomic_store(&s.link->rings->head->asleep, isp_get_u8(in)); break;
    default: { /* frames, as they are meant to be written */
        uint8_t n = isp_get_u8(in);
        size_t left = (size_t)(in->end - in->at);
        const uint8_t *bytes = isp_get_bytes(in, n < left ? n : left);
        if (bytes)
            isp_ring_write(&slot->up, slot->up_bytes, ISP_RING_UP_BYTES, bytes, n < left ? n : left);
        atomic_store(&slot->attached, 1);
    }
    }
}

static bool is_rank_taken(const struct sched_peer *p)
{
    for (const struct sched_peer *other = s.link->peers; other; other = other->next)
        if (other != p && other->rank == p->rank && other->slot)
            return true;
    return p->slot;
}

static void take_frames(void)
{
    struct sched_peer *p;
    while ((p = sched_link_ready(s.link))) {
        uint8_t type;
        struct isp_reader payload;
        while (sched_peer_frame(p, &type, &payload)) {
            uint32_t sum = 0;
            while (payload.at < payload.end)
                sum += *payload.at++;
            s.frames += 1 + (sum & 0);
            FUZZ_CHECK(p->rank >= 0 && (s.token_sent[0] || s.token_sent[1] || s.token_sent[2]));
            if (type == ISP_MSG_HELLO && p->rank < RANKS && !is_rank_taken(p)) {
                struct isp_buf welcome;
                isp_buf_init(&welcome);
                size_t at = isp_frame_begin(&welcome, ISP_MSG_WELCOME);
                isp_frame_end(&welcome, at);
                sched_peer_welcome(p, &welcome);
                isp_buf_finish(&welcome);
            }
        }
    }
}

/* Answers of some size to all who have said HELLO. */
static void answer(struct isp_reader *in)
{
    static const size_t sizes[] = {1, 100, ISP_RING_DOWN_BYTES - 5, ISP_RING_DOWN_BYTES,
                                   3 * ISP_RING_DOWN_BYTES};
    struct isp_buf b;
    uint8_t which = isp_get_u8(in);
    isp_buf_init(&b);
    size_t at = isp_frame_begin(&b, which & 64 ? ISP_MSG_DIE : ISP_MSG_GO), size = sizes[which % 5];
    for (size_t i = 0; i < (which & 64 ? 1 : size); i++)
        isp_put_u8(&b, 0);
    isp_frame_end(&b, at);
    for (struct sched_peer *p = s.link->peers; p; p = p->next)
        if (p->rank >= 0)
            sched_peer_send(p, &b);
    isp_buf_finish(&b);
}

static void step(struct isp_reader *in)
{
    uint8_t what = isp_get_u8(in);
    int i = what % PEERS;
    switch (what >> 4) {
    case 0:
    case 1:
        connect_one(i);
        send_hello(i, in);
        break;
    case 2: connect_one(i); break;
    case 3:
        if (s.fds[i] >= 0)
            close(s.fds[i]);
        s.fds[i] = -1;
        break;
    case 4:
    case 5:
    case 6: {
        uint8_t n = isp_get_u8(in);
        size_t left = (size_t)(in->end - in->at);
        n = n < left ? n : (uint8_t)left;
        const uint8_t *bytes = isp_get_bytes(in, n);
        connect_one(i);
        send_bytes(i, bytes, bytes ? n : 0);
        break;
    }
    case 7: answer(in); break;
    case 8:
    case 9:
    case 10:
    case 11: spoil_slot(in); break;
    case 12: sched_link_drain(s.link); break;
    default:
        event_base_loop(s.base, EVLOOP_NONBLOCK);
        sched_link_look(s.link);
        take_frames();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char dir[64];
    if (!*dir) {
        snprintf(dir, sizeof dir, "%s/isp-fuzz-XXXXXX", "/tmp");
        FUZZ_CHECK(mkdtemp(dir));
    }
    char *error = NULL, path[128];
    struct isp_reader in = isp_reader_of(data, size);
    s = (struct state){.base = event_base_new(), .fds = {-1, -1, -1}};
    s.link = sched_link_create(s.base, dir, NULL, &error);
    FUZZ_CHECK(s.link);
    sched_link_share(s.link, RANKS);
    while (in.ok && in.at < in.end)
        step(&in);
    for (int i = 0; i < 3; i++) {
        event_base_loop(s.base, EVLOOP_NONBLOCK);
        sched_link_look(s.link);
        take_frames();
    }
    for (int i = 0; i < PEERS; i++)
        if (s.fds[i] >= 0)
            close(s.fds[i]);
    sched_link_drain(s.link);
    take_frames();
    sched_link_destroy(s.link);
    event_base_free(s.base);
    snprintf(path, sizeof path, "%s/link", dir);
    unlink(path);
    return 0;
}
