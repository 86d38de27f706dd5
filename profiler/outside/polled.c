/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash of a state is linear in its words, or in its pages where the program's memory is kept apart from
 * MPI's: so what changes inside a call is a difference that is added to the hashes of earlier states, and
 * what remains is the program's doing. Where hashes are equal by chance, a `not yet` is missed; by 2^-64.
 *
 * A series begins with a poll that fails and ends with one that succeeds. Its states are kept by place.
 * Reading a megabyte takes a tenth of a millisecond, so a long series is looked at in stretches that get
 * rarer, and in between the last finding holds.
 */
#include "polled.h"

#include "alive.h"
#include "base/hash.h"
#include "base/phase.h"
#include "caller.h"
#include "hooks.h"
#include "isp/call.h"
#include "threads/mpi_threads.h"
#include "threads/thread.h"
#include "writable.h"
#include "written.h"

#pragma weak prof_mpi_threads_hold
#pragma weak prof_mpi_threads_let_go
#pragma weak prof_written_looks

enum {
    STATES = 24,      /* of a series that are kept */
    LOOKS_FIRST = 32, /* polls of a series that are all looked at */
    LOOKS = 24,       /* from each power of two on, so many */
    LONG = 16,        /* polls of a series before it matters what else may end it */
};

struct state {
    const void *place;
    uint64_t entered; /* the hash when it was called */
    uint64_t left;    /* ... and when it had failed; and what MPI has changed since */
};

__thread struct prof_polled prof_polled __attribute__((tls_model("initial-exec")));

static __thread struct series {
    struct state states[STATES];
    uint32_t n, next;
    bool timed;   /* the time was asked */
    bool outside; /* others than MPI may change what it sees (alive.h), or the files that it looks at */
    unsigned looked;
    bool blind;   /* too much memory */
    bool alone;   /* states are of the program's memory alone */
    bool changed; /* what was found last */
    /* the present call */
    bool looks, failed, over;
    uint64_t entered;
} series __attribute__((tls_model("initial-exec")));

struct prof_outside_hooks prof_outside_hooks;

/* ---- states ---- */

/* False: it cannot be told. */
static bool hash_of_state(struct series *s, uint64_t *hash)
{
    struct prof_caller c;
    if (!prof_caller_find(&c))
        return false;
    *hash = c.registers;
    bool alone = prof_outside_hooks.program && prof_outside_hooks.program(hash, c.stack, c.ignored);
    if (alone != s->alone)
        s->n = s->next = 0; /* the others were of another kind */
    s->alone = alone;
    return alone || prof_writable_hash(c.stack, c.ignored, !prof_threads_several(), hash);
}

static bool is_time_to_look(void)
{
    uint64_t power = LOOKS_FIRST;
    if (prof_polled.polls < LOOKS_FIRST)
        return true;
    while (2 * power <= prof_polled.polls)
        power *= 2;
    return prof_polled.polls - power < LOOKS;
}

/* The program may be where it was before: in this state it called here, or went on from here and has changed
 * nothing since. */
static bool is_known(const struct series *s, uint64_t hash, bool *any)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const struct state *state = &s->states[i];
        if (state->place != prof_caller_place())
            continue;
        *any = true;
        if (state->left == hash || state->entered == hash)
            return true;
    }
    return false;
}

static bool is_poll(enum isp_fn fn)
{
    switch (fn) {
    case ISP_FN_MPI_Test:
    case ISP_FN_MPI_Testall:
    case ISP_FN_MPI_Testany:
    case ISP_FN_MPI_Testsome:
    case ISP_FN_MPI_Request_get_status:
    case ISP_FN_MPI_Iprobe:
    case ISP_FN_MPI_Improbe:
    case ISP_FN_MPI_Parrived:
    case ISP_FN_MPI_Win_test: return true;
    default: return false;
    }
}

static void look_outside(struct series *s)
{
    unsigned looked = prof_written_looks ? prof_written_looks() : 0;
    s->outside = prof_alive_any() || (prof_polled.polls > LONG && looked != s->looked);
    s->looked = looked;
}

static void look(struct series *s)
{
    if (!is_time_to_look()) {
        s->n = s->next = 0; /* what MPI changes meanwhile is not known */
        return;
    }
    if (prof_polled.polls >= LONG)
        look_outside(s);
    if (!hash_of_state(s, &s->entered)) {
        s->blind = true;
        return;
    }
    s->looks = true;
    bool any = false, known = is_known(s, s->entered, &any);
    if (any)
        s->changed = !known;
}

void prof_polled_enter(void)
{
    struct series *s = &series;
    s->looks = s->failed = s->over = false;
    if (!s->blind && is_poll(prof_current.fn))
        look(s);
    if (prof_mpi_threads_let_go)
        prof_mpi_threads_let_go();
}

uint16_t prof_polled_flags(void)
{
    const struct series *s = &series;
    if (!prof_polled.polls)
        return 0;
    return (uint16_t)((s->changed ? ISP_F_CHANGED : 0) |
                      (s->timed || s->outside || s->blind ? ISP_F_UNSEEN : 0));
}

void prof_polled_answer(int flag)
{
    prof_polled.answered = true;
    series.failed = flag == 0;
    series.over = flag == 1;
}

static void keep(struct series *s, uint64_t hash)
{
    struct state *state = &s->states[s->next];
    s->next = (s->next + 1) % STATES;
    s->n = s->n < STATES ? s->n + 1 : STATES;
    *state =
        (struct state){.place = prof_caller_place(), .entered = s->looks ? s->entered : hash, .left = hash};
}

static void leave_series(struct series *s)
{
    uint64_t hash;
    if (s->failed && prof_polled.polls++ == 0)
        s->timed = s->outside = false; /* what was before it */
    if (!s->blind && (s->looks || (s->failed && is_time_to_look()))) {
        if (prof_mpi_threads_hold && !prof_threads_several())
            prof_mpi_threads_hold();
        if (!hash_of_state(s, &hash)) {
            s->blind = true;
            return;
        }
        for (uint32_t i = 0; s->looks && i < s->n; i++)
            s->states[i].left += hash - s->entered;
        if (s->failed)
            keep(s, hash);
    }
}

void prof_polled_leave(void)
{
    struct series *s = &series;
    prof_polled.answered = false;
    if (s->over) {
        if (prof_polled.polls) {
            *s = (struct series){0};
            prof_polled.polls = 0;
        }
    } else if (s->failed || s->looks) {
        leave_series(s);
        prof_caller_sweep();
    }
    s->looks = false;
}

void prof_polled_time(void)
{
    if (prof_depth == 0)
        series.timed = true;
}

/* ---- the state of the rank ---- */

/* Of a state that is kept it does not matter how often it is there, nor in which order. How many polls there
 * were matters when they are not all looked at any more. */
const char *prof_polled_hash(struct prof_hash *h)
{
    const struct series *s = &series;
    struct prof_hash sum = {0};
    if (s->blind)
        return "it polls, and has too much memory to compare";
    prof_hash_word(h, prof_polled.polls < LOOKS_FIRST ? prof_polled.polls > 0 : prof_polled.polls);
    prof_hash_word(h, s->timed << 1 | s->changed);
    if (!prof_polled.polls || s->n == 0)
        return NULL;
    if (!s->alone)
        return "it polls, and MPI's memory is not apart from the program's";
    for (uint32_t i = 0; i < s->n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i && !again; k++)
            again = s->states[k].place == s->states[i].place &&
                    s->states[k].entered == s->states[i].entered && s->states[k].left == s->states[i].left;
        if (again)
            continue;
        struct prof_hash one = {0};
        prof_hash_pointer(&one, s->states[i].place);
        prof_hash_word(&one, s->states[i].entered);
        prof_hash_word(&one, s->states[i].left);
        prof_hash_add(&sum, one);
    }
    prof_hash_word(h, sum.low);
    prof_hash_word(h, sum.high);
    return NULL;
}
