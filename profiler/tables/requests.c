/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See requests.h. The table's size is a power of two, and a request sits where the low bits of its number
 * say. A number whose place is taken is passed over, so there are no collisions; an ended request stays until
 * its place is needed.
 */
#include "requests.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/phase.h"
#include "link/bindings.h"

#define NUMBERS PROF_HANDLE_MESSAGE_BIT
#define FIRST_ROOM 1024u

static struct prof_request *table;
static uint32_t room, live, latest; /* latest: the number that was given last */
static bool wrapped;

static bool is_ours(MPI_Request request)
{
    unsigned bits = (unsigned)request & ~(NUMBERS - 1);
    return bits == PROF_HANDLE_BITS || bits == (PROF_HANDLE_BITS | PROF_HANDLE_PERSISTENT);
}

static struct prof_request *place_of(uint32_t number)
{
    struct prof_request *r = room ? &table[number & (room - 1)] : NULL;
    return r && number && r->number == number ? r : NULL;
}

const struct prof_request *prof_request_of_number(uint32_t number) { return place_of(number); }

/* Numbers that differ in their low bits differ in more of them. */
static void grow(void)
{
    if (room >= NUMBERS / 2)
        abort();
    uint32_t more = room ? 2 * room : FIRST_ROOM;
    struct prof_request *bigger = prof_alloc(more, sizeof *bigger);
    for (uint32_t i = 0; i < room; i++)
        if (table[i].number)
            bigger[table[i].number & (more - 1)] = table[i];
    free(table);
    table = bigger;
    room = more;
}

static struct prof_request *take(void)
{
    if (2 * live >= room)
        grow();
    struct prof_request *r;
    do {
        if (++latest == NUMBERS) {
            latest = 1;
            wrapped = true;
        }
        r = &table[latest & (room - 1)];
    } while (r->target);
    live++;
    return r;
}

/* The variable may hold anything: what is in it counts if that is a request that was put there. */
static void note_overwritten(const MPI_Request *variable)
{
    struct prof_request *r = is_ours(*variable) ? place_of(prof_request_number(*variable)) : NULL;
    if (r && r->target && r->variable == variable && !r->overwritten.fn)
        r->overwritten = (struct prof_place){prof_current.fn, prof_current.site};
}

uint32_t prof_request_make(void *target, bool persistent, MPI_Request *request)
{
    bool variable = !prof_bindings_is_temporary(request);
    if (variable)
        note_overwritten(request);
    struct prof_request *r = take();
    *r = (struct prof_request){.number = latest,
                               .target = target,
                               .persistent = persistent,
                               .variable = variable ? request : NULL,
                               .made = {prof_current.fn, prof_current.site}};
    *request = (MPI_Request)(PROF_HANDLE_BITS | (persistent ? PROF_HANDLE_PERSISTENT : 0) | latest);
    return latest;
}

void prof_request_end(uint32_t number)
{
    struct prof_request *r = place_of(number);
    if (!r || !r->target)
        return;
    r->target = NULL;
    r->ended = (struct prof_place){prof_current.fn, prof_current.site};
    live--;
}

void *prof_request_target(MPI_Request request, bool persistent)
{
    struct prof_request *r = is_ours(request) ? place_of(prof_request_number(request)) : NULL;
    if (!r || !r->target || r->persistent != persistent ||
        persistent != (((unsigned)request & PROF_HANDLE_PERSISTENT) != 0))
        return NULL;
    r->overwritten.fn = ISP_FN_NONE; /* the program has it elsewhere */
    return r->target;
}

bool prof_request_is_old(MPI_Request request)
{
    uint32_t number = is_ours(request) ? prof_request_number(request) : 0;
    if (number == 0 || (number > latest && !wrapped))
        return false;
    const struct prof_request *r = place_of(number);
    bool persistent = ((unsigned)request & PROF_HANDLE_PERSISTENT) != 0;
    return !r || (!r->target && r->persistent == persistent);
}

/* ---- the state of the rank ----
 * Of a request that has ended it does not matter where it was made and ended: only the text of a finding has
 * that, about an old copy of its handle, and such findings are one by the place of the call that uses it.
 */

static void add_place(struct prof_hash *h, const struct prof_place *place)
{
    prof_hash_word(h, place->fn);
    prof_hash_pointer(h, place->site);
}

void prof_requests_hash(struct prof_hash *hash)
{
    prof_hash_word(hash, (uint64_t)latest << 32 | room);
    prof_hash_word(hash, wrapped);
    for (uint32_t i = 0; i < room; i++) {
        const struct prof_request *r = &table[i];
        if (!r->number)
            continue;
        prof_hash_word(hash, (uint64_t)r->number << 2 | (r->target != NULL) << 1 | r->persistent);
        if (!r->target)
            continue;
        prof_hash_pointer(hash, r->variable);
        add_place(hash, &r->made);
        add_place(hash, &r->ended);
        add_place(hash, &r->overwritten);
    }
}
