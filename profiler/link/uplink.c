/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking reads and writes: a rank has nothing else to do while it waits, and MPI is quiescent
 * then. One write per fence (all records since the last one) and, as a rule, one read.
 */
#include "uplink.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/phase.h"
#include "channel.h"
#include "hooks.h"
#include "loop.h"
#include "sites.h"

#define FLUSH_BYTES (64u << 10)
#define MOST_LATER (4u << 20) /* so much a rank that goes ahead keeps back */
#define READ_BYTES (16u << 10)
#define HELLO_TRIES 8

static struct {
    bool open;
    struct isp_settings settings;
    struct isp_buf forced;
    struct isp_buf out;
    size_t offered;    /* of it, what was written already */
    size_t frame;      /* where the frame that is being built begins */
    uint64_t recorded; /* so far */
    bool calls;        /* it is a CALLS frame that takes more records ... */
    uint16_t thread;   /* ... of this thread */
    struct isp_buf in;
    size_t in_at; /* what was read and not consumed yet begins here */
    pthread_mutex_t lock;
} link_ = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool parse_token(const char *hex, uint8_t token[ISP_TOKEN_BYTES])
{
    if (!hex || strlen(hex) != 2 * ISP_TOKEN_BYTES)
        return false;
    for (int i = 0; i < ISP_TOKEN_BYTES; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        token[i] = (uint8_t)byte;
    }
    return true;
}

static void end_calls(void)
{
    if (link_.calls)
        isp_frame_end(&link_.out, link_.frame);
    link_.calls = false;
}

static void flush_locked(void)
{
    end_calls();
    if (link_.open)
        prof_channel_write(link_.out.data + link_.offered, link_.out.size - link_.offered);
    link_.out.size = link_.offered = 0;
}

void prof_link_prepare(void)
{
    isp_buf_reserve(&link_.in, READ_BYTES);
    isp_buf_reserve(&link_.out, 2 * FLUSH_BYTES);
}

/* Where strangers crowd a TCP port, isp may have taken this rank for one of them
 * (scheduler/link/strangers.h). False: nobody listens. */
static bool greet(const char *where, const struct isp_buf *hello)
{
    for (int tries = 0; tries < HELLO_TRIES; tries++) {
        if (!prof_channel_open(where))
            return false;
        if (prof_channel_greet(hello->data, hello->size))
            return true;
        prof_channel_drop();
        nanosleep(&(struct timespec){.tv_nsec = 1000000L << tries}, NULL);
    }
    _exit(0);
}

bool prof_link_open(int rank, int size)
{
    if (link_.open)
        return true;
    const char *where = getenv(ISP_ENV_LINK);
    uint8_t token[ISP_TOKEN_BYTES];
    if (!where || rank < 0 || !parse_token(getenv(ISP_ENV_TOKEN), token))
        return false;

    char host[256] = "";
    gethostname(host, sizeof host - 1);
    static uint8_t room[1024]; /* no malloc: this may be a signal handler */
    struct isp_buf hello = {.data = room, .room = sizeof room};
    size_t at = isp_frame_begin(&hello, ISP_MSG_HELLO);
    isp_put_u32(&hello, ISP_WIRE_VERSION);
    isp_put_bytes(&hello, token, sizeof token);
    isp_put_i32(&hello, rank);
    isp_put_i32(&hello, size);
    isp_put_u64(&hello, (uint64_t)prof_own_pid());
    isp_put_str(&hello, host);
    isp_frame_end(&hello, at);
    if (!greet(where, &hello))
        return false;

    struct isp_reader payload;
    if (prof_link_receive(&payload) != ISP_MSG_WELCOME)
        prof_link_broken();
    isp_get_settings(&payload, &link_.settings);
    if (!payload.ok)
        prof_link_broken();
    if (link_.settings.ahead)
        isp_put_bytes(&link_.forced, payload.at, (size_t)(payload.end - payload.at));
    prof_channel_attach(rank, size, link_.settings.ahead);
    link_.open = true;
    prof_link_hooks.opened();
    return true;
}

bool prof_link_is_open(void) { return link_.open; }

const struct isp_settings *prof_settings(void) { return &link_.settings; }

struct isp_reader prof_link_forced(void) { return isp_reader_of_buf(&link_.forced, 0); }

void prof_link_drop(void)
{
    prof_channel_drop();
    link_.open = false;
}

struct isp_buf *prof_link_begin(uint8_t type)
{
    pthread_mutex_lock(&link_.lock);
    end_calls();
    link_.frame = isp_frame_begin(&link_.out, type);
    return &link_.out;
}

void prof_link_end(void)
{
    isp_frame_end(&link_.out, link_.frame);
    pthread_mutex_unlock(&link_.lock);
}

uint64_t prof_link_calls(void) { return link_.recorded; }

void prof_link_call(struct isp_call *call, const void *site)
{
    call->site = prof_site_number(site);
    if (prof_in_loop())
        call->flags |= ISP_F_LOOP;
    pthread_mutex_lock(&link_.lock);
    link_.recorded++;
    if (link_.thread != call->thread)
        end_calls();
    if (!link_.calls) {
        link_.frame = isp_frame_begin(&link_.out, ISP_MSG_CALLS);
        link_.calls = true;
        link_.thread = call->thread;
        isp_put_u32(&link_.out, call->thread | (call->others ? ISP_THREAD_OTHERS : 0));
    }
    isp_put_call(&link_.out, call);
    if (call->flags & ISP_F_FENCE) {
        uint32_t marks = (call->others ? ISP_THREAD_OTHERS : 0) | (call->strays ? ISP_THREAD_STRAYS : 0);
        /* of the thread's number, behind length and type */
        link_.out.data[link_.frame + 8] |= (uint8_t)(marks >> 24);
        end_calls();
    }
    if (link_.out.size >= FLUSH_BYTES && !link_.settings.ahead)
        flush_locked();
    pthread_mutex_unlock(&link_.lock);
}

void prof_link_quiet(uint64_t releases, bool certain, enum isp_fn fn, const void *chosen)
{
    uint32_t number = chosen ? prof_site_number(chosen) : 0;
    struct isp_buf *frame = prof_link_begin(ISP_MSG_QUIET);
    isp_put_u64(frame, releases);
    isp_put_u8(frame, certain);
    isp_put_u16(frame, (uint16_t)fn);
    isp_put_u32(frame, number);
    prof_link_end();
}

void prof_link_polls(enum isp_fn fn, const void *site, bool waits)
{
    uint32_t number = prof_site_number(site);
    struct isp_buf *b = prof_link_begin(ISP_MSG_POLLS);
    isp_put_u16(b, (uint16_t)fn);
    isp_put_u32(b, number);
    isp_put_u8(b, waits);
    prof_link_end();
}

void prof_link_held(uint64_t event, enum isp_fn fn, const void *site)
{
    uint32_t number = prof_site_number(site);
    struct isp_buf *b = prof_link_begin(ISP_MSG_HELD);
    isp_put_u64(b, event);
    isp_put_u16(b, (uint16_t)fn);
    isp_put_u32(b, number);
    prof_link_end();
}

void prof_link_flush(void)
{
    pthread_mutex_lock(&link_.lock);
    flush_locked();
    pthread_mutex_unlock(&link_.lock);
}

void prof_link_offer(bool wakes)
{
    pthread_mutex_lock(&link_.lock);
    end_calls();
    size_t left = link_.out.size - link_.offered;
    if (left)
        link_.offered += prof_channel_offer(link_.out.data + link_.offered, left, wakes);
    if (link_.offered == link_.out.size)
        link_.out.size = link_.offered = 0;
    else if (link_.out.size - link_.offered > MOST_LATER)
        flush_locked();
    pthread_mutex_unlock(&link_.lock);
}

void prof_link_acted(void)
{
    prof_link_begin(ISP_MSG_ACTED);
    prof_link_end();
    prof_link_flush();
}

void prof_link_spoilt(const char *why)
{
    isp_put_str(prof_link_begin(ISP_MSG_SPOILT), why);
    prof_link_end();
}

static const char *unkept;

void prof_link_unkept(const char *why)
{
    if (unkept || prof_depth > 0 || !prof_is_rank())
        return;
    unkept = why;
    if (!link_.open || prof_phase != PROF_RUNNING)
        return;
    isp_put_str(prof_link_begin(ISP_MSG_NO_FORK), why);
    prof_link_end();
}

const char *prof_link_is_unkept(void) { return unkept; }

bool prof_link_has_input(void) { return link_.in_at < link_.in.size || prof_channel_has(); }

void prof_link_forget_input(void)
{
    link_.in_at = link_.in.size = 0;
    prof_channel_forget();
}

/* Whether a whole frame is in the buffer; where it begins, and its length. */
static bool has_frame(struct isp_reader *r, uint32_t *length)
{
    size_t have = link_.in.size - link_.in_at;
    *r = isp_reader_of_buf(&link_.in, link_.in_at);
    *length = isp_get_u32(r);
    if (!r->ok)
        return false;
    if (*length == 0 || *length > ISP_WIRE_FRAME_MAX)
        prof_link_broken();
    return have >= 4 + (size_t)*length;
}

static bool take_frame(uint8_t *type, struct isp_reader *payload)
{
    struct isp_reader r;
    uint32_t length;
    if (!has_frame(&r, &length))
        return false;
    *type = isp_get_u8(&r);
    *payload = isp_reader_of(r.at, length - 1);
    link_.in_at += 4 + (size_t)length;
    return true;
}

/* Waits for bytes; false: none came in this time (below 0: for ever). */
static bool read_more(int64_t timeout_ns)
{
    struct isp_buf *in = &link_.in;
    if (link_.in_at == in->size) {
        link_.in_at = in->size = 0;
    } else if (link_.in_at > 0) {
        memmove(in->data, in->data + link_.in_at, in->size - link_.in_at);
        in->size -= link_.in_at;
        link_.in_at = 0;
    }
    isp_buf_reserve(in, READ_BYTES);
    size_t n = prof_channel_read(in->data + in->size, in->room - in->size, timeout_ns);
    in->size += n;
    return n > 0;
}

bool prof_link_wait(int64_t timeout_ns)
{
    struct isp_reader r;
    uint32_t length;
    while (!has_frame(&r, &length))
        if (!read_more(timeout_ns))
            return false;
    return true;
}

uint8_t prof_link_receive(struct isp_reader *payload)
{
    uint8_t type;
    while (!take_frame(&type, payload))
        read_more(-1);
    if (type == ISP_MSG_DIE && isp_get_u8(payload))
        prof_link_hooks.over();
    if (type == ISP_MSG_DIE)
        prof_link_leave(0);
    return type;
}

void prof_link_check_end(void)
{
    if (link_.open && prof_channel_is_over())
        prof_link_leave(0);
}

void prof_link_await_end(void)
{
    /* Another thread may be reading: so only look, and let that one take the frames. */
    for (;;) {
        prof_channel_look();
        prof_link_check_end();
        usleep(10000);
    }
}

void prof_link_hold(bool progress)
{
    static bool let_go; /* to its end: nobody will say so again, if it comes by another place on its way
                           out */
    if (link_.open && !let_go)
        prof_channel_hold(progress);
    let_go = true;
}

void prof_link_broken(void)
{
    /* Nothing is said on stderr (law 2): the scheduler sees a rank that left without a word. */
    _exit(ISP_LINK_BROKEN_STATUS);
}

void prof_link_write_last(const struct isp_buf *frame)
{
    if (!link_.open)
        return;
    bool mine = pthread_mutex_trylock(&link_.lock) == 0;
    if (mine)
        flush_locked();
    prof_channel_write(frame->data, frame->size);
    if (mine) /* while it waits for its end MPI may work, and memory that it maps is told */
        pthread_mutex_unlock(&link_.lock);
}
