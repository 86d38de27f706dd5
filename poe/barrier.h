/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functionally irrelevant barriers (Sharma, Vakkalanka, Gopalakrishnan, Kirby, Thakur, Gropp: "A Formal
 * Approach to Detect Functionally Irrelevant Barriers in MPI Programs", EuroPVM/MPI 2008): MPI_Barriers
 * without which every receive, probe, wait and test would have the same possible matches.
 *
 * A barrier *matters* if some run shows a message (or a completion) that a decision could have taken, and did
 * not have to wait for but because of the barrier: it happens after the decision, and would not without the
 * barrier. The clocks know both (clock.h). If no run of a complete exploration shows that, its runs are all
 * there is without the barrier too: they are runs of the program without it, and no race (race.h) leads out
 * of them. The paper looks for such a pair in the graph of each run; here the clocks are that graph. It asks
 * for wildcard receives; here all decisions count, those with buffered sends included.
 *
 * Calls of MPI_Barrier are judged by *group*: all at one call site, with those at other sites that were in
 * one barrier with them; the question is what happens without all of the group. A group that grows together
 * from two that were told apart before counts as mattering.
 */
#ifndef POE_BARRIER_H
#define POE_BARRIER_H

#include "instance.h"
#include "state.h"

#define POE_NO_BARRIER UINT32_MAX

/* The group of a barrier that fires; POE_NO_BARRIER: it is another collective. */
uint32_t poe_barrier_group(struct poe *poe, const struct poe_instance *instance);
/* What the member knows after it. */
struct poe_clock *poe_barrier_clock(struct poe *poe, struct poe_clock *all, struct poe_op *member,
                                    uint32_t group);
/* `clock` was that of something that could be an alternative for the thread's decision, but for its order. */
void poe_barrier_see(struct poe *poe, const struct poe_clock *clock, const struct poe_thread *thread,
                     uint32_t decision);
/* The same for all decisions of the thread of which is_alternative says so. */
void poe_barrier_see_all(struct poe *poe, const struct poe_op *send, const struct poe_thread *thread,
                         bool (*is_alternative)(const struct poe_decided *, const struct poe_op *send));
/* A ready send that needs the thread's receive of this number. */
void poe_barrier_see_ready(struct poe *poe, const struct poe_op *send, const struct poe_thread *thread,
                           uint32_t receive);
/* A record that the clocks do not tell everything of. */
void poe_barrier_note(struct poe *poe, const struct isp_call *call);

#endif
