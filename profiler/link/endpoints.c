/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings for whatever MPICH sends by UCX: the messages of the program, and those of which it makes
 * collectives. So this stands in front of UCX, as progress.c does. Which rank is behind an endpoint of UCX
 * follows from the address that it was created with: an address begins with a number that its worker has
 * drawn, so that its first bytes are enough, and each rank tells the others how its own begins.
 *
 * What is not sent at once (the queue of the receiver is full, or the message is large) and receives that may
 * be large get on only if both sides let UCX work: as long as there are such ones, this rank does not sleep.
 * (As the API of UCX 1.13 has it.)
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

#include "base/alloc.h"
#include "bells.h"

enum {
    OK = 0,
    HAS_ADDRESS = 1 << 0,  /* UCP_EP_PARAM_FIELD_REMOTE_ADDRESS */
    HAS_DATATYPE = 1 << 3, /* UCP_OP_ATTR_FIELD_DATATYPE */
    LARGE = 4096,          /* bytes: UCX sends smaller ones whole */
    MOST_ERRORS = 256,     /* the last addresses stand for errors (UCS_PTR_IS_ERR) */
};

/* The beginnings of ucp_ep_params_t and ucp_request_param_t. */
struct endpoint_parameters {
    uint64_t fields;
    const void *address;
};
struct operation_parameters {
    uint32_t fields;
};

struct endpoint {
    const void *number;
    uint8_t address[ISP_BELL_ADDRESS];
    int rank;       /* -1: not found so far */
    uint32_t tried; /* prof_bells_find */
    UT_hash_handle hh;
};

/* An operation that UCX has not completed at once. */
struct pending {
    const void *request;
    int rank; /* of the receiver, or -1 */
    UT_hash_handle hh;
};

static struct endpoint *endpoints;
static struct pending *pending;
static const void *over; /* the request that was released last: it may be when UCX has not yet returned it */

/* ---- who is where ---- */

static void note_endpoint(const void *number, const void *address)
{
    struct endpoint *e;
    HASH_FIND_PTR(endpoints, &number, e);
    if (!e) {
        e = prof_alloc(1, sizeof *e);
        e->number = number;
        HASH_ADD_PTR(endpoints, number, e);
    }
    memcpy(e->address, address, sizeof e->address);
    e->rank = -1;
    e->tried = 0;
}

static int rank_of(const void *number)
{
    struct endpoint *e;
    HASH_FIND_PTR(endpoints, &number, e);
    if (e && e->rank < 0)
        e->rank = prof_bells_find(e->address, &e->tried);
    return e ? e->rank : -1;
}

/* ---- what is on its way ---- */

static void begin(const void *request, int rank)
{
    if (!request || request == over || (uintptr_t)request >= (uintptr_t)-MOST_ERRORS)
        return;
    struct pending *p = prof_alloc(1, sizeof *p);
    p->request = request;
    p->rank = rank;
    HASH_ADD_PTR(pending, request, p);
    prof_bells_busy(+1);
}

/* Now the message is there. */
static void end(const void *request)
{
    struct pending *p = NULL;
    over = request;
    if (pending)
        HASH_FIND_PTR(pending, &request, p);
    if (!p)
        return;
    prof_bell_ring(p->rank);
    HASH_DEL(pending, p);
    free(p);
    prof_bells_busy(-1);
}

static void *sent(void *request, const void *endpoint)
{
    if (!prof_bells_are_used())
        return request;
    int rank = rank_of(endpoint);
    prof_bell_ring(rank);
    begin(request, rank);
    return request;
}

static void *received(void *request, size_t count, const struct operation_parameters *p)
{
    if (prof_bells_are_used() && (count > LARGE || p->fields & HAS_DATATYPE))
        begin(request, -1);
    return request;
}

/* ---- in front of UCX ---- */

#define IN_FRONT(result, name, ...)                                  \
    __attribute__((visibility("default"))) result name(__VA_ARGS__); \
    static result (*next_##name)(__VA_ARGS__);                       \
    result name(__VA_ARGS__)
#define FIND(name)    \
    if (!next_##name) \
    next_##name = (__typeof__(next_##name))(uintptr_t)dlsym(RTLD_NEXT, #name)

IN_FRONT(int, ucp_worker_get_address, void *worker, void **address, size_t *bytes)
{
    FIND(ucp_worker_get_address);
    int status = next_ucp_worker_get_address(worker, address, bytes);
    if (status == OK && *bytes >= ISP_BELL_ADDRESS)
        prof_bells_address(*address);
    return status;
}

IN_FRONT(int, ucp_ep_create, void *worker, const struct endpoint_parameters *p, void **endpoint)
{
    FIND(ucp_ep_create);
    int status = next_ucp_ep_create(worker, p, endpoint);
    if (status == OK && p->fields & HAS_ADDRESS)
        note_endpoint(*endpoint, p->address);
    return status;
}

IN_FRONT(void *, ucp_tag_send_nbx, void *endpoint, const void *buffer, size_t count, uint64_t tag,
         const struct operation_parameters *p)
{
    FIND(ucp_tag_send_nbx);
    over = NULL;
    return sent(next_ucp_tag_send_nbx(endpoint, buffer, count, tag, p), endpoint);
}

IN_FRONT(void *, ucp_tag_send_sync_nbx, void *endpoint, const void *buffer, size_t count, uint64_t tag,
         const struct operation_parameters *p)
{
    FIND(ucp_tag_send_sync_nbx);
    over = NULL;
    return sent(next_ucp_tag_send_sync_nbx(endpoint, buffer, count, tag, p), endpoint);
}

IN_FRONT(void *, ucp_tag_recv_nbx, void *worker, void *buffer, size_t count, uint64_t tag, uint64_t mask,
         const struct operation_parameters *p)
{
    FIND(ucp_tag_recv_nbx);
    over = NULL;
    return received(next_ucp_tag_recv_nbx(worker, buffer, count, tag, mask, p), count, p);
}

IN_FRONT(void *, ucp_tag_msg_recv_nbx, void *worker, void *buffer, size_t count, void *message,
         const struct operation_parameters *p)
{
    FIND(ucp_tag_msg_recv_nbx);
    over = NULL;
    return received(next_ucp_tag_msg_recv_nbx(worker, buffer, count, message, p), count, p);
}

IN_FRONT(void, ucp_request_release, void *request)
{
    FIND(ucp_request_release);
    end(request);
    next_ucp_request_release(request);
}

IN_FRONT(void, ucp_request_free, void *request)
{
    FIND(ucp_request_free);
    end(request);
    next_ucp_request_free(request);
}
