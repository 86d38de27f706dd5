/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matches-before in a run that is known: which calls of its rank have to complete or match before a call
 * does, the immediate ones (Vo's dissertation, chapter 3, conditions C1 to C5). Whoever shows a run asks
 * here: the page of --html, the graph, the log.
 *
 *   C1  a blocking call comes before all later calls of its thread
 *   C2  an operation comes before the call that waits for it, on any thread
 *   C3  a send comes before a later one to the same rank with the same tag; with another tag, if a receive of
 *       any tag took that one: it would have taken this one too
 *   C4  a receive comes before a later receive or probe that accepts no more than it does; else (C4'), if it
 *       would have accepted the message that the later one took. Collectives of one communicator come in
 *       their order
 *   C5  if a call comes before another, so does each call that it is in a match with; but not a receive: that
 *       it is posted orders nothing (poe_ancestor_leads). This leads on from rank to rank, and is left to
 *       the reader
 *
 * Deviations: C3 and C4' are decided by the message that was taken, as poe does it for pairs that may match
 * (matches_before.h), and not by what some receive of the run could take. A test, and a wait for any of
 * several, count as if they had completed all that they name; a send that MPI buffers comes before its wait,
 * though it may match later. Of partitioned messages nothing is told by C3 and C4: their parts match one by
 * one, and a trace does not know which is which.
 *
 * Calls are numbered from 0 as they are added. Only the immediate ancestors are kept: of two that follow from
 * each other the later one. The run may be a tree of runs: back to a mark, and on with another branch.
 */
#ifndef POE_ANCESTORS_H
#define POE_ANCESTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"

/* What the conditions look at: fields of struct isp_call, and who called. */
struct poe_ancestor_call {
    uint8_t op, mode;
    uint32_t flags;
    int32_t rank, comm, peer, tag;
    uint32_t thread;
    const int32_t *named; /* the calls that it names by their handles, or -1 where one is unknown */
    uint32_t n_named;
};

struct poe_ancestors;

struct poe_ancestors *poe_ancestors_create(void);
void poe_ancestors_destroy(struct poe_ancestors *ancestors);

/* The next call, in program order of its thread. Returns its number. */
int32_t poe_ancestors_add(struct poe_ancestors *ancestors, const struct poe_ancestor_call *call);

/* A receive or probe has taken, or found, the message of a send: so they may get more ancestors, and what
 * waits for them fewer. The calls of which that is so, valid until the next call is added or matched. */
unsigned poe_ancestors_match(struct poe_ancestors *ancestors, int32_t send, int32_t receive,
                             const int32_t **changed);

/* The immediate ancestors of a call, latest first; valid until the next call is added or matched. */
unsigned poe_ancestors_of(const struct poe_ancestors *ancestors, int32_t call, const int32_t **list);
/* Whether a call comes before what the calls come before that it is in a match with. */
bool poe_ancestor_leads(const struct poe_ancestor_call *call);

struct poe_ancestors_mark {
    int32_t calls;
    uint32_t lists, changes;
};

struct poe_ancestors_mark poe_ancestors_mark(struct poe_ancestors *ancestors);
/* Forgets all that has come since the mark. Marks are gone back to in the reverse of their order. */
void poe_ancestors_back(struct poe_ancestors *ancestors, const struct poe_ancestors_mark *mark);

#endif
