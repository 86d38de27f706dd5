/* SPDX-License-Identifier: BSD-3-Clause */
#include "state.h"

#include "arena_link.h"
#include "base/phase.h"
#include "definitions.h"
#include "engine/fence.h"
#include "engine/hold.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "memory.h"
#include "operations.h"
#include "outside.h"
#include "outside/caller.h"
#include "rewind/rewind.h"
#include "threads/thread.h"
#include "watch/watching.h"

void prof_state_begin(void)
{
    prof_definitions.kept = true;
    /* What is looked up later would take away the error of a lookup of the program's. */
    prof_rewind_is_sanitized();
    prof_caller_begin();
    prof_state_outside_begin();
}

/* ---- the call ---- */

/* Its arguments, where it was made, how far it has come, and what it was told. */
static const char *add_call(struct prof_hash *h)
{
    const struct prof_told *t = prof_told_current;
    struct prof_hash answers = prof_fence_answers();
    if (!t)
        return "it is in a call that is not known";
    if (t->outer || prof_depth != 1)
        return "it is in a function that MPI has called";
    prof_hash_word(h, t->how->fn);
    prof_hash_pointer(h, t->site);
    for (int i = 0; i < t->how->n_values; i++)
        prof_hash_word(h, (uint64_t)t->values[i]);
    prof_hash_word(h, prof_records() - t->records);
    prof_hash_word(h, answers.low);
    prof_hash_word(h, answers.high);
    prof_hash_word(h, (uint64_t)prof_phase << 1 | prof_finalizing);
    return NULL;
}

/* ---- the processor ---- */

#if defined __x86_64__

/* How numbers are rounded, and which exceptions were raised. */
static void add_modes(struct prof_hash *h)
{
    struct {
        uint16_t control, u1, status, u2, tags, u3;
        uint32_t rest[4];
    } x87;
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(x87));
    prof_hash_word(h, (uint64_t)mxcsr << 32 | (uint32_t)x87.control << 16 | (x87.status & 0x3f));
}

static const bool is_known_processor = true;

#else

static void add_modes(struct prof_hash *h) { (void)h; }

static const bool is_known_processor =
    false; /* which registers belong to the caller, with those of numbers */

#endif

/* ---- all of it ---- */

static const char *refuses(void)
{
    const char *doubt;
    if (!prof_definitions.kept)
        return "it was not told that states are wanted";
    if (!is_known_processor)
        return "this processor's registers are not known";
    if ((doubt = prof_arena_doubt()))
        return doubt;
    if (!prof_threads_never())
        return "it has had several threads";
    if (prof_rewind_is_sanitized())
        return "it runs under a sanitizer";
    if (prof_hold_is_used())
        return "somebody debugs it";
    if (prof_settings()->memory == ISP_MEMORY_WATCH || prof_settings()->watch.buffer)
        return "its memory is watched";
    return prof_definitions.unknown;
}

const char *prof_state_of_rank(struct prof_hash *h)
{
    struct prof_caller caller;
    const char *why = refuses();
    *h = (struct prof_hash){0};
    if (why || (why = add_call(h)))
        return why;
    if (!prof_caller_find_at(prof_told_current->site, &caller))
        return "its frames cannot be found";
    prof_hash_pointer(h, (const void *)caller.stack);
    for (unsigned i = 0; i < caller.n_values; i++)
        prof_hash_word(h, caller.values[i]);
    add_modes(h);
    prof_hash_word(h, prof_definitions.history.low);
    prof_hash_word(h, prof_definitions.history.high);
    prof_watch_rest();
    if ((why = prof_state_operations(h)) || (why = prof_state_outside(h)))
        return why;
    return prof_state_memory(h, caller.stack, prof_saved_errno());
}
