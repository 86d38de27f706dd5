/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts of one recorded run, as values: its calls and matches go in; how far each rank must or may have come
 * where one of them stands at a given call, and who must move to get there, comes out. It knows no sockets,
 * no MPI and no time.
 *
 * An event (rank, index) is a transition, index in its rank's program order as in a trace. It is *issued*
 * when the rank has made the call, and *done* when the call has returned. Transitions of one call
 * (MPI_Sendrecv) are done together. An event is issued if the one before it is done; it is done if it is
 * issued and so are all others that it needs (needs.c: the send for a receive, and so on). All of that
 * follows from the matches of the run, so it is the same in each run that is led by the same decisions.
 *
 * A cut is a vector of limits: rank r may issue its events 0 .. limits[r] - 1, and nothing after them. What
 * can be done with these limits is done: they determine the state. Where rank r has issued limits[r] events
 * it is *at* the next one if all of these are done; else it waits *in* the last one. The cut is consistent if
 * each rank can issue as many as its limit says. Limits in the middle of a call mean its end. Cuts that are
 * consistent are a lattice under minimum and maximum, so the earliest and the latest ones are unique.
 *
 * Costs: of a question, the time is linear in the events and needs that it looks at: for an earliest cut
 * those in the cut, for the others at most all. Memory: about 160 bytes for each event, none for each pair of
 * an event and a rank: no clocks are kept. Figures are in cuts/README.md. A run is used by one thread at a
 * time.
 */
#ifndef CUTS_H
#define CUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"

struct cuts_run;

/* ---- a run in ---- */

/* One transition: fields of struct isp_call, and who called. */
struct cuts_call {
    uint8_t op, mode, flow;
    uint32_t flags;
    int32_t rank, comm, peer, tag, root;
    bool same_call; /* part of one MPI call with the rank's event before */
    int32_t color;  /* ISP_F_PARTITIONED: which unit it is, or 0 */
    bool unkept;    /* MPI does not keep it, though standard sends are buffered in this run (poe/kept.h) */
    const int32_t *named; /* events that it names by handles: requests, a probe, what it cancels; or -1 */
    uint32_t n_named;
    const uint32_t *sources; /* COLLECTIVE with flow LIST or SOURCES: the list of the call */
    uint32_t n_sources;
};

/* buffered: standard sends complete at once (infinite), or with their receive (zero). */
struct cuts_run *cuts_create(int ranks, bool buffered);
void cuts_destroy(struct cuts_run *run);

/* The next event of its rank. Returns its number, which is how the functions below name it; events are
 * numbered as they are added, in any order of the ranks. READY and ADMIT, which have no index, are no
 * events: -1. */
int32_t cuts_add(struct cuts_run *run, const struct cuts_call *call);

/* The receive or probe took, or found, the message of the send. Of a message that a matched probe took
 * out: both are told, that of the probe and that of its Mrecv. */
void cuts_match(struct cuts_run *run, int32_t send, int32_t receive);
/* The members of one collective, in the order of the communicator (of both sides, one after the other); -1
 * for one that did not call it. */
void cuts_collect(struct cuts_run *run, const int32_t *members, uint32_t n);
/* What a Wait for some of several, or a Test, has completed; n == 0, also of a probe or a LOCK: the call
 * returned (of a poll: *not yet*). A Wait for all completes all. Of a poll or LOCK of which nothing is
 * told that much is taken for told if its rank went on. */
void cuts_completed(struct cuts_run *run, int32_t fence, const int32_t *operations, uint32_t n);
/* MPI_Cancel was successful. */
void cuts_cancelled(struct cuts_run *run, int32_t operation);
/* The event can be done only when `earlier` is, for a reason that is not told otherwise: who was first at
 * a lock, a window or a file. Of a lock: `earlier` is the UNLOCK of the one before. */
void cuts_after(struct cuts_run *run, int32_t event, int32_t earlier);

/* All is told; now it may be asked. False: by what was told, some event that was made cannot be made
 * (*stuck is the first one of its rank; or NULL): then the run was another one, and the answers are those
 * for what can be made. */
bool cuts_finish(struct cuts_run *run, int32_t *stuck);

/* ---- events ---- */

int cuts_ranks(const struct cuts_run *run);
int32_t cuts_count(const struct cuts_run *run, int rank);                /* its events */
int32_t cuts_event(const struct cuts_run *run, int rank, int32_t index); /* its number, or -1 */
int cuts_rank_of(const struct cuts_run *run, int32_t event);
int32_t cuts_index_of(const struct cuts_run *run, int32_t event);
/* Where the call of this event begins and ends: its first event, and the one after its last. */
int32_t cuts_call_begin(const struct cuts_run *run, int rank, int32_t index);
int32_t cuts_call_end(const struct cuts_run *run, int rank, int32_t index);

/* ---- cuts: `limits` has an entry for each rank ---- */

/* The earliest cut in which the rank is at its event `index` (all before it done, it not issued); index
 * may be cuts_count: it has done all. False, and limits as they were: it never gets there. */
bool cuts_earliest(struct cuts_run *run, int rank, int32_t index, int32_t *limits);
/* ... in which the event is done. */
bool cuts_earliest_after(struct cuts_run *run, int rank, int32_t index, int32_t *limits);
/* The latest cut in which the rank is at its event `index`: the others as far as they get without it. */
bool cuts_latest(struct cuts_run *run, int rank, int32_t index, int32_t *limits);

/* Whether event a must be issued before event b is done: a is in the earliest cut after b (so is b). False
 * if b is never done. */
bool cuts_before(struct cuts_run *run, int32_t a, int32_t b);

/* What a rank has come to: `done` <= `issued` <= its limit. done == issued: it is at the event `issued`;
 * else it waits in the call of the event `done`. */
struct cuts_at {
    int32_t issued, done;
};

/* The state at this cut; limits of any size. `at` has an entry for each rank. True: it is consistent. */
bool cuts_state(struct cuts_run *run, const int32_t *limits, struct cuts_at *at);

/* Both, or either: again consistent. `a` becomes it. */
void cuts_min(const struct cuts_run *run, int32_t *a, const int32_t *b);
void cuts_max(const struct cuts_run *run, int32_t *a, const int32_t *b);

/* ---- how to get there ---- */

struct cuts_move {
    int rank;
    int32_t limit; /* its new one */
};

enum cuts_way {
    CUTS_FORWARD,      /* the moves lead there */
    CUTS_BACK,         /* some rank is already beyond */
    CUTS_INCONSISTENT, /* no state has these limits */
};

/* The moves from one cut to another one, one at a time: when those before it are made, the rank of a move
 * can issue all up to its new limit. Its last call may still wait then, for a later move (a send that is
 * not buffered), but `focus` comes last of those that its last call waits for, where it can. Demand-driven
 * (Hong and Kim 2001): `focus` runs, or the lowest rank that must; where it needs a call of another rank,
 * that one runs just up to it first, and so on. `moves` is valid until the next call. */
enum cuts_way cuts_plan(struct cuts_run *run, const int32_t *from, const int32_t *to, int focus,
                        const struct cuts_move **moves, uint32_t *n);

#endif
