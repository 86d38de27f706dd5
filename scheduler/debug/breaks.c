/* SPDX-License-Identifier: BSD-3-Clause */
/* See breaks.h. */
#include "breaks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "world/hold.h"

struct sched_breaks {
    int ranks;
    struct one {
        int number;
        struct sched_message_break what;
        bool *set;
    } * all;
    unsigned n;
    uint64_t *stopped; /* of each rank: the event at which it has stopped last, + 1 */
};

struct sched_breaks *sched_breaks_create(int ranks)
{
    struct sched_breaks *b = sched_alloc(1, sizeof *b);
    b->ranks = ranks;
    b->stopped = sched_alloc((size_t)ranks, sizeof *b->stopped);
    return b;
}

static void finish(struct one *one)
{
    sched_message_break_finish(&one->what);
    free(one->set);
}

void sched_breaks_destroy(struct sched_breaks *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < b->n; i++)
        finish(&b->all[i]);
    free(b->all);
    free(b->stopped);
    free(b);
}

void sched_breaks_delete(struct sched_breaks *b, int number)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->all[i].number == number) {
            finish(&b->all[i]);
            memmove(&b->all[i], &b->all[i + 1], (b->n - i - 1) * sizeof *b->all);
            b->n--;
            return;
        }
}

const bool *sched_breaks_ranks(const struct sched_breaks *b, int number)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->all[i].number == number)
            return b->all[i].set;
    return NULL;
}

/* ---- events ---- */

static bool had_choice(const struct sched_record *record, struct sched_record_name name)
{
    int64_t k = sched_record_choice_of(record, name);
    return k >= 0 && record->choices[k].n > 1;
}

static struct sched_message_event describe(const struct sched_record *record, struct sched_record_name name)
{
    struct sched_record_name send;
    const struct isp_call *call = &sched_record_find(record, name)->call;
    struct sched_message_event e = {.rank = name.rank,
                                    .call = call,
                                    .from = SCHED_MESSAGE_WHATEVER,
                                    .tag = SCHED_MESSAGE_WHATEVER,
                                    .is_choice = had_choice(record, name)};
    if (call->op == ISP_OP_RECV && sched_record_partner(record, name, &send)) {
        const struct sched_record_event *sent = sched_record_find(record, send);
        e.from = send.rank;
        e.tag = sent ? sent->call.tag : e.tag;
    }
    for (uint32_t k = 0; k < record->n_comms; k++)
        if (record->comms[k].number == call->comm) {
            e.members = record->comms[k].members;
            e.n = record->comms[k].n;
        }
    return e;
}

static bool continues(const struct sched_record *record, struct sched_record_name name)
{
    const struct sched_record_event *e = sched_record_find(record, name);
    return e && e->call.flags & ISP_F_CONTINUES;
}

int sched_breaks_at(const struct sched_session *s, struct sched_record_name name)
{
    const struct sched_breaks *b = s->breaks;
    if (!b || !b->n || continues(s->record, name))
        return 0;
    do {
        if (!sched_record_find(s->record, name))
            return 0;
        struct sched_message_event e = describe(s->record, name);
        for (unsigned i = 0; i < b->n; i++)
            if (b->all[i].set[name.rank] && sched_message_break_matches(&b->all[i].what, &e))
                return b->all[i].number;
        name.number++;
    } while (continues(s->record, name));
    return 0;
}

uint64_t sched_breaks_add(struct sched_session *s, int number, const struct sched_message_break *what,
                          const bool *set)
{
    struct sched_breaks *b = s->breaks;
    uint64_t found = 0;
    SCHED_GROW(b->all, b->n);
    b->all[b->n++] = (struct one){number, *what, sched_copy(set, (size_t)b->ranks * sizeof *set)};
    for (int r = 0; r < b->ranks; r++)
        for (uint32_t k = 0; set[r] && k < s->record->of[r].n; k++) {
            struct sched_message_event e = describe(s->record, (struct sched_record_name){r, k});
            found += sched_message_break_matches(what, &e);
        }
    return found;
}

bool sched_breaks_before(const struct sched_session *s, struct sched_record_name event, uint64_t *number)
{
    while (event.number > 0) {
        event.number--;
        if (sched_breaks_at(s, event)) {
            *number = event.number;
            return true;
        }
    }
    return false;
}

/* ---- motions ---- */

/* From this event on; UINT64_MAX: there is none. */
static uint64_t next(const struct sched_session *s, int rank, uint64_t from)
{
    for (uint64_t k = from; k < s->record->of[rank].n; k++)
        if (sched_breaks_at(s, (struct sched_record_name){rank, (uint32_t)k}))
            return k;
    return UINT64_MAX;
}

struct sched_motion_cap *sched_breaks_caps(struct sched_session *s, const bool *set)
{
    struct sched_motion_cap *caps = sched_motion_caps(s);
    for (int r = 0; r < s->n && s->breaks && s->breaks->n; r++) {
        struct sched_held_view view = sched_hold_view(s->now->s.world, r);
        bool stands = view.held && !s->inferiors[r].at_line && s->limits[r] != ISP_HOLD_IN_INIT;
        bool passes = stands && (set[r] || s->breaks->stopped[r] == view.at + 1);
        caps[r].most = next(s, r, view.at + passes);
        if (!stands)
            s->breaks->stopped[r] = 0;
    }
    return caps;
}

void sched_breaks_stop(struct sched_session *s, struct sched_motion_cap *caps)
{
    for (int r = 0; r < s->n; r++) {
        struct sched_inferior *i = &s->inferiors[r];
        struct sched_held_view view = sched_hold_view(s->now->s.world, r);
        caps[r].reached &= view.held && view.at == caps[r].most && !i->at_line;
        if (!caps[r].reached)
            continue;
        if (i->moving && i->attached) /* what it was to do is over, for its gdb too */
            sched_inferior_look(s, r);
        i->moving = false;
        s->breaks->stopped[r] = view.at + 1;
    }
}
