/* SPDX-License-Identifier: BSD-3-Clause */
/* See states.h. A rank moves when it is sent something to do (delivery.c): then what it has said is over. */
#include "states.h"

#include "base/mix.h"
#include "base/now.h"
#include "files.h"
#include "inside.h"
#include "steps.h"

static void add(struct poe_key *key, uint64_t value)
{
    key->low = sched_mix(key->low, value);
    key->high = sched_mix(value ^ 0x9ddfea08eb382d69u, key->high);
}

static bool is_asked(const struct sched_rank *r) { return r->state.asked && !r->state.told; }

static void ask(struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        struct sched_rank *r = &w->in->ranks[i];
        if (r->state.told || !r->waiting || w->in->keeper->has_ended(w, i))
            continue;
        if (!sched_steps_flush(w))
            return;
        r->state.asked = true;
        sched_world_ask(w, i, ISP_GO_STATE, 0);
    }
}

/* A rank that was asked and has not answered, or -1. One that has crashed will not. */
static int first_asked(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if (is_asked(r) && !r->gone && !r->stopped)
            return i;
    }
    return -1;
}

/* A rank does what it was told before it answers, and that may be the program's, and never end. */
static void await(struct sched_world *w, int (*first)(const struct sched_world *w))
{
    double limit_s = w->run->options->timeout_s, until_s = limit_s > 0 ? sched_now_s() + limit_s : 0;
    for (int rank; (rank = first(w)) >= 0 && w->ending == SCHED_END_NONE;) {
        sched_world_listen(w);
        if (until_s > 0 && sched_now_s() >= until_s && first(w) == rank) {
            w->hanging = rank;
            sched_world_end(w, SCHED_END_HANG);
        }
    }
}

/* What is told at the end, or changes what is said of one; in which order it came depends on time. */
static uint64_t hash_told(const struct sched_world *w)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n_told; i++) {
        const struct sched_told *t = &w->told[i];
        uint64_t h = sched_mix((uint64_t)t->rank << 32 | t->type, (uint64_t)t->rule << 32 | t->fn);
        sum += sched_mix(h, (uint64_t)t->site << 32 | t->count);
    }
    return sum;
}

static bool add_rank(struct poe_key *key, const struct sched_rank *r, const char **why)
{
    if (!r->state.told || !r->state.known || r->stopped || r->gone || r->exited || r->finalized) {
        *why = r->state.told && !r->state.known ? r->state.why : "a rank does not wait";
        return false;
    }
    add(key, r->state.low);
    add(key, r->state.high);
    add(key, (uint64_t)r->truncated << 1 | r->misfit);
    return true;
}

bool sched_world_states(struct sched_world *w, struct poe_key *key, const char **why)
{
    sched_world_deliver(w);
    sched_steps_doubt(w);
    ask(w);
    await(w, first_asked);
    sched_steps_take_states(w);
    bool known = w->ending == SCHED_END_NONE && !sched_files_are_read_back(w->files);
    *why = known ? "" : w->ending != SCHED_END_NONE ? "the run has ended" : "a file is written and looked at";
    for (int i = 0; i < w->n && known; i++)
        known = add_rank(key, &w->in->ranks[i], why);
    add(key, hash_told(w));
    add(key, w->run->n_overwritten);
    add(key, sched_files_hash(w->files));
    return known;
}

/* ---- how they differ ---- */

bool sched_world_states_can_be_compared(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (w->in->keeper->has_ended(w, i))
            return false;
    return true;
}

void sched_world_state(const struct sched_world *w, int rank, uint64_t *low, uint64_t *high)
{
    *low = w->in->ranks[rank].state.low;
    *high = w->in->ranks[rank].state.high;
}

void sched_world_keep_state(struct sched_world *w, int rank, uint32_t number)
{
    if (sched_steps_flush(w))
        sched_world_ask(w, rank, ISP_GO_KEEP, number);
}

static int first_comparing(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if (r->comparing && !r->gone && !r->stopped)
            return i;
    }
    return -1;
}

bool sched_world_compare_state(struct sched_world *w, int rank, uint32_t number, struct isp_reader *told)
{
    struct sched_rank *r = &w->in->ranks[rank];
    r->differs.size = 0;
    if (!sched_steps_flush(w))
        return false;
    r->comparing = true;
    sched_world_ask(w, rank, ISP_GO_COMPARE, number);
    await(w, first_comparing);
    *told = isp_reader_of_buf(&r->differs, 0);
    return r->differs.size > 0;
}
