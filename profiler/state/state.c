/* SPDX-License-Identifier: BSD-3-Clause */
#include "state.h"

#include "arena_link.h"
#include "base/phase.h"
#include "base/sanitized.h"
#include "definitions.h"
#include "engine/fence.h"
#include "engine/hold.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "memory.h"
#include "operations.h"
#include "outside.h"
#include "outside/caller.h"
#include "outside/polled.h"
#include "rewind/rewind.h"
#include "threads/thread.h"
#include "watch/watching.h"

void prof_state_begin(void)
{
    prof_definitions.kept = true;
    /* What is looked up later would take away the error of a lookup of the program's. */
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

/* ... to tell its memory from MPI's. */
static const char *refuses_memory(void)
{
    const char *doubt;
    if (!prof_definitions.kept)
        return "it was not told that states are wanted";
    if ((doubt = prof_arena_doubt()))
        return doubt;
    if (!prof_threads_never())
        return "it has had several threads";
    if (prof_is_sanitized())
        return "it runs under a sanitizer";
    if (prof_settings()->memory == ISP_MEMORY_WATCH || prof_settings()->watch.buffer)
        return "its memory is watched";
    return NULL;
}

static const char *refuses(void)
{
    if (!is_known_processor)
        return "this processor's registers are not known";
    if (prof_hold_is_used())
        return "somebody debugs it";
    const char *why = refuses_memory();
    return why ? why : prof_definitions.unknown;
}

struct prof_state_made prof_state_made;

/* Frames of a library of MPI's between the program and the call (Fortran's) are MPI's. */
static const void *programs_site(void)
{
    struct prof_frame frames[16];
    const void *site = prof_told_current->site;
    unsigned n = prof_arena_is_mpis((uintptr_t)site)
                     ? prof_caller_frames(site, frames, sizeof frames / sizeof *frames)
                     : 0;
    for (unsigned i = 0; i < n; i++)
        if (!prof_arena_is_mpis(frames[i].address))
            return (const void *)frames[i].address;
    return site;
}

static const char *add_parts(struct prof_state_made *m)
{
    struct prof_hash *parts = m->parts;
    const char *why;
    if ((why = add_call(&parts[ISP_PART_CALL])))
        return why;
    m->site = programs_site();
    if (!prof_caller_find_at(m->site, &m->caller))
        return "its frames cannot be found";
    prof_hash_pointer(&parts[ISP_PART_CALL], (const void *)m->caller.stack);
    for (unsigned i = 0; i < m->caller.n_values; i++)
        prof_hash_word(&parts[ISP_PART_REGISTERS], m->caller.values[i]);
    add_modes(&parts[ISP_PART_REGISTERS]);
    parts[ISP_PART_DEFINITIONS] = prof_definitions.history;
    prof_watch_rest();
    if ((why = prof_state_operations(&parts[ISP_PART_OPERATIONS])) ||
        (why = prof_polled_hash(&parts[ISP_PART_POLLS])) ||
        (why = prof_state_outside(&parts[ISP_PART_OUTSIDE])))
        return why;
    return prof_state_memory(&parts[ISP_PART_MEMORY], m->caller.stack, m->caller.ignored, prof_saved_errno());
}

const char *prof_state_of_rank(struct prof_hash *h)
{
    const char *why = refuses();
    prof_state_made = (struct prof_state_made){0};
    if (why || (why = add_parts(&prof_state_made)))
        return why;
    *h = (struct prof_hash){0};
    for (unsigned i = 0; i < ISP_PARTS; i++) {
        prof_hash_word(h, prof_state_made.parts[i].low);
        prof_hash_word(h, prof_state_made.parts[i].high);
    }
    return NULL;
}

bool prof_state_of_program(uint64_t *value, uintptr_t stack, const struct prof_ignored *ignored)
{
    return !refuses_memory() && prof_state_memory_sum(value, stack, ignored);
}
