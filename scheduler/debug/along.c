/* SPDX-License-Identifier: BSD-3-Clause */
/* See along.h. */
#include "along.h"

#include "inferior.h"
#include "isp/functions.h"
#include "world/hold.h"

struct sched_record_name sched_along_present(const struct sched_session *s)
{
    bool in;
    struct sched_record_name name = sched_session_event(s, s->focus, &in);
    if (s->inferiors[s->focus].at_line && name.number > 0)
        name.number--;
    return name;
}

static const char *function_of(const struct sched_record_event *e)
{
    return isp_fn_name((enum isp_fn)e->call.fn);
}

static bool find(struct sched_session *s, struct sched_record_name of, const struct sched_record_event **e)
{
    *e = sched_record_find(s->record, of);
    return *e || sched_session_fail(s, "rank %d has made %u calls: there is no call %d:%u", of.rank,
                                    s->record->of[of.rank].n, of.rank, of.number);
}

static bool is_message(const struct sched_record_event *e, bool sends)
{
    uint8_t op = e->call.op;
    return sends ? op == ISP_OP_SEND : op == ISP_OP_RECV || op == ISP_OP_PROBE;
}

/* The send (or receive) that an event is, or that it waits for, or that belongs to the same call. */
static bool message_of(struct sched_session *s, struct sched_record_name of, bool sends,
                       struct sched_record_name *message)
{
    const struct sched_record_event *e, *other;
    if (!find(s, of, &e))
        return false;
    *message = of;
    if (is_message(e, sends))
        return true;
    for (uint32_t i = 0; i < e->n_named; i++) {
        message->number = e->named[i];
        other = e->named[i] == SCHED_RECORD_NONE ? NULL : sched_record_find(s->record, *message);
        if (other && is_message(other, sends))
            return true;
    }
    message->number = of.number + 1; /* MPI_Sendrecv sends first */
    other = sched_record_find(s->record, *message);
    if (other && other->call.flags & ISP_F_CONTINUES && is_message(other, sends))
        return true;
    return sched_session_fail(s, "%d:%u %s %s", of.rank, of.number, function_of(e),
                              sends ? "sends no message" : "receives no message");
}

static bool partner_of(struct sched_session *s, struct sched_record_name of, bool sends,
                       struct sched_record_name *to)
{
    struct sched_record_name message;
    if (!message_of(s, of, sends, &message))
        return false;
    return sched_record_partner(s->record, message, to) ||
           sched_session_fail(s, sends ? "the message of %d:%u was never received" : "%d:%u got no message",
                              message.rank, message.number);
}

/* Of a poll that has said `not yet`, or a Waitany that took another one: no. */
static bool completes(const struct sched_record *r, const struct sched_record_event *e, uint32_t position)
{
    const struct isp_result *answer = e->answer ? &r->answers[e->answer - 1] : NULL;
    if (!answer || (e->call.flags & ISP_F_POLL && !answer->flag))
        return false;
    if (e->call.mode != ISP_COMPLETE_ANY && e->call.mode != ISP_COMPLETE_SOME)
        return true;
    for (uint32_t k = 0; k < answer->n; k++)
        if (answer->list[k] == position)
            return true;
    return false;
}

bool sched_along_completion(const struct sched_record *r, struct sched_record_name *name)
{
    struct sched_record_name wait = *name;
    const struct sched_record_event *e = sched_record_find(r, *name);
    if (e->call.flags & ISP_F_FENCE)
        return true;
    while (++wait.number, (e = sched_record_find(r, wait)))
        for (uint32_t i = 0; i < e->n_named && e->call.op == ISP_OP_COMPLETE; i++)
            if (e->named[i] == name->number && completes(r, e, i)) {
                *name = wait;
                return true;
            }
    return false;
}

bool sched_along_receive(struct sched_session *s, struct sched_record_name of, struct sched_record_name *to)
{
    if (!partner_of(s, of, true, to))
        return false;
    sched_along_completion(s->record, to);
    return true;
}

bool sched_along_send(struct sched_session *s, struct sched_record_name of, struct sched_record_name *to)
{
    return partner_of(s, of, false, to);
}

/* It has brought data of others to its rank, or told it something of them. */
static bool brings(const struct sched_session *s, struct sched_record_name name)
{
    const struct sched_record_event *e = sched_record_find(s->record, name);
    if (is_message(e, false) || e->call.op == ISP_OP_COLLECTIVE)
        return e->match;
    for (uint32_t i = 0; i < e->n_named; i++) {
        struct sched_record_name of = {name.rank, e->named[i]};
        const struct sched_record_event *other = sched_record_find(s->record, of);
        if (other && other->call.op == ISP_OP_RECV && other->match)
            return true;
    }
    return false;
}

bool sched_along_cause(struct sched_session *s, struct sched_record_name of, struct sched_record_name *to)
{
    struct sched_record_name send = of;
    const struct sched_record_event *e;
    if (!find(s, of, &e))
        return false;
    bool got = sched_along_send(s, of, &send);
    for (*to = send; to->number > 0;)
        if (--to->number, brings(s, *to))
            return true;
    return sched_session_fail(s, "rank %d got nothing before %s%d:%u", send.rank, got ? "its send " : "",
                              send.rank, send.number);
}

bool sched_along_match(struct sched_session *s, struct sched_record_name of, bool forward,
                       struct sched_record_name *to)
{
    *to = of;
    for (;;) {
        if (!forward && to->number == 0)
            return sched_session_fail(s, "rank %d is in no match before this one", of.rank);
        to->number += forward ? 1 : -1u;
        const struct sched_record_event *e = sched_record_find(s->record, *to);
        if (!e)
            return sched_session_fail(s, "rank %d is in no match after this one", of.rank);
        if (e->match)
            return true;
    }
}
