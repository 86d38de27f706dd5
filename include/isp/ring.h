/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the scheduler and a rank on its host share: a ring of bytes in each direction. The bytes are
 * the frames that would go through the socket otherwise; the socket then carries two things only: single
 * bytes ISP_RING_BELL, which wake whoever has said that it sleeps, and DIE, which must reach a rank that does
 * not read frames.
 *
 * One memory file serves a world: a head, and a slot for each rank. Its descriptor comes with WELCOME; a
 * rank that has mapped its slot says so in `attached`, and from then on uses the rings. One that has not goes
 * on with the socket.
 *
 * All positions are here and nobody keeps a copy, so a process that was forked off a rank can go on in its
 * place, and it in that one's, as long as no frame is half read or half written then.
 *
 * Going to sleep: say so, look once more, sleep. Writing: write, then look whether the other one sleeps. Each
 * needs a full fence in between, or both may miss each other.
 */
#ifndef ISP_RING_H
#define ISP_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ISP_RING_UP_BYTES (32u << 10)   /* to the scheduler ... */
#define ISP_RING_UP_AHEAD (256u << 10)  /* ... of a rank that does not wait for it */
#define ISP_RING_DOWN_BYTES (16u << 10) /* to the rank */
#define ISP_RING_LINE 64                /* bytes of a cache line */
#define ISP_RING_PAGE 4096
#define ISP_RING_BELL 0     /* no type of a frame */
#define ISP_RING_BELLS 1023 /* ranks that have one */
#define ISP_BELL_ADDRESS 16 /* its first bytes */

/* Both count bytes since the beginning, modulo 2^32; the room is a power of 2. */
struct isp_ring {
    _Alignas(ISP_RING_LINE) _Atomic uint32_t written;
    _Alignas(ISP_RING_LINE) _Atomic uint32_t read;
    _Atomic uint32_t full; /* the writer has more: the reader wakes it when there is room */
};

/* Of a rank that goes ahead: by it other ranks wake it (profiler/link/bells.h). */
struct isp_bell {
    _Alignas(ISP_RING_LINE) _Atomic uint32_t asleep;
    _Atomic uint32_t has_address;
    uint8_t address[ISP_BELL_ADDRESS]; /* under which UCX reaches it */
};

struct isp_ring_head {
    _Alignas(ISP_RING_PAGE) _Atomic uint32_t asleep; /* the scheduler */
    _Atomic uint32_t n_addresses;
    struct isp_bell bells[ISP_RING_BELLS]; /* what is not used is no memory */
};

struct isp_ring_slot {
    _Alignas(ISP_RING_PAGE) _Atomic uint32_t attached;
    _Alignas(ISP_RING_LINE) _Atomic uint32_t asleep; /* the rank */
    struct isp_ring up, down;
    _Alignas(ISP_RING_PAGE) uint8_t up_bytes[ISP_RING_UP_AHEAD]; /* what is not used is no memory */
    uint8_t down_bytes[ISP_RING_DOWN_BYTES];
};

static inline uint32_t isp_ring_up_bytes(bool ahead) { return ahead ? ISP_RING_UP_AHEAD : ISP_RING_UP_BYTES; }

static inline size_t isp_ring_slot_at(int rank)
{
    return sizeof(struct isp_ring_head) + (size_t)rank * sizeof(struct isp_ring_slot);
}

/* How much there is to read; above the ring's room if the other side is wrong. */
static inline uint32_t isp_ring_used(const struct isp_ring *r)
{
    uint32_t read = atomic_load_explicit(&r->read, memory_order_acquire);
    return atomic_load_explicit(&r->written, memory_order_acquire) - read;
}

/* Writes as much as fits; returns how much that was. */
static inline size_t isp_ring_write(struct isp_ring *r, uint8_t *bytes, uint32_t room, const uint8_t *data,
                                    size_t size)
{
    uint32_t used = isp_ring_used(r), at = atomic_load_explicit(&r->written, memory_order_relaxed);
    uint32_t n = used > room ? 0 : room - used;
    if (n > size)
        n = (uint32_t)size;
    uint32_t from = at & (room - 1), first = n < room - from ? n : room - from;
    memcpy(bytes + from, data, first);
    memcpy(bytes, data + first, n - first);
    atomic_store_explicit(&r->written, at + n, memory_order_release);
    return n;
}

/* Takes at most `size` bytes out; returns how many. */
static inline size_t isp_ring_read(struct isp_ring *r, const uint8_t *bytes, uint32_t room, uint8_t *data,
                                   size_t size)
{
    uint32_t n = isp_ring_used(r), at = atomic_load_explicit(&r->read, memory_order_relaxed);
    if (n > room)
        return 0;
    if (n > size)
        n = (uint32_t)size;
    uint32_t from = at & (room - 1), first = n < room - from ? n : room - from;
    memcpy(data, bytes + from, first);
    memcpy(data + first, bytes, n - first);
    atomic_store_explicit(&r->read, at + n, memory_order_release);
    return n;
}

/* For who has written: whether the reader sleeps and is to be woken. True to one caller only. */
static inline bool isp_ring_wakes(_Atomic uint32_t *flag)
{
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(flag, memory_order_relaxed) && atomic_exchange(flag, 0);
}

/* For who is about to sleep; then it must look once more. */
static inline void isp_ring_doze(_Atomic uint32_t *flag)
{
    atomic_store_explicit(flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
}

#endif
