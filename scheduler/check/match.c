/* SPDX-License-Identifier: BSD-3-Clause */
/* Fired match sets, many per second: tells apart what is to be looked at. */
#include "collectives.h"
#include "deeds.h"
#include "messages.h"
#include "types.h"

bool sched_check_fits(const struct sched_run *run, const struct poe_fired *fired)
{
    const struct poe_transition *send = fired->members[0], *receive = fired->members[1];
    return send->call.bytes <= receive->call.bytes && sched_types_match(run, send, receive);
}

bool sched_check_match(struct sched_run *run, const struct poe_fired *fired)
{
    if (fired->n_members < 2)
        return true;
    const struct poe_transition *const *m = fired->members;
    if (m[0]->call.op == ISP_OP_COLLECTIVE)
        return sched_check_collective(run, fired);
    if (m[0]->call.op == ISP_OP_SEND && m[1]->call.op == ISP_OP_RECV) {
        sched_check_types(run, m[0], m[1]);
        sched_check_truncation(run, m[0], m[1]);
        sched_check_ready(run, m[0], m[1]);
        sched_check_space(run, m[0]);
        sched_deeds_match(&run->deeds, run->options->ranks, m[0], m[1]);
    }
    return true;
}
