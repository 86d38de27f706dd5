/* SPDX-License-Identifier: BSD-3-Clause */
/* Ready sends: see ready_send.h. */
#include "ready_send.h"

#include "clock.h"
#include "state_key.h"

uint32_t poe_ready_send_post(struct poe *poe, struct poe_thread *thread)
{
    if (thread->receives_component == POE_NO_COMPONENT)
        thread->receives_component = poe->components++;
    return ++thread->receives;
}

void poe_ready_send_tell(struct poe *poe, struct poe_thread *thread)
{
    if (thread->receives != thread->receives_told)
        thread->now = poe_clock_know(poe->arena, thread->now, thread->receives_component, thread->receives);
    thread->receives_told = thread->receives;
}

bool poe_ready_send_is_blind(const struct poe *poe)
{
    bool blind = poe->grants > 0;
    for (int i = 0; i < poe->config.ranks; i++)
        blind |= poe->ranks[i].n_threads > 1;
    return blind;
}

bool poe_ready_send_may_miss(struct poe *poe, const struct poe_op *send, const struct poe_op *receive)
{
    if (send->t.call.mode != ISP_SEND_READY || poe_ready_send_is_blind(poe))
        return false;
    poe->asked |= 1u << POE_READINESS;
    const struct poe_thread *t = poe_thread_of(poe, receive);
    return poe_clock_at(send->posted, POE_CLOCK_INFINITE, t->receives_component) < receive->number;
}
