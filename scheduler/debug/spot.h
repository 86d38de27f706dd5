/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where exactly a rank is between two events: so exactly that it can be found again when the rank is run
 * anew. By law 4 a rank does the same between the same events; so a spot is the event that it comes to next,
 * the place in the code, and what tells this visit of the place from others: the variables of the frame.
 */
#ifndef SCHED_DEBUG_SPOT_H
#define SCHED_DEBUG_SPOT_H

#include "gdb/lines.h"
#include "isp/visits.h"
#include "motion.h"

struct sched_spot {
    int rank;
    uint64_t at;  /* events that it has made, or is about to make, by then */
    bool at_line; /* else it stands at (or in) that event */
    bool dies;    /* it is about to die there, and made no event since */
    uint64_t pc, cfa;
    char *state; /* an expression that is true there; NULL: not at a line, or at one that is visited
                         once */
    struct isp_visit_word *words; /* the same, as the rank compares it (isp/visits.h) */
    unsigned n_words;
    struct sched_gdb_line here; /* the code there */
    uint8_t known;
    uint64_t registers[ISP_VISIT_REGISTERS];
    uint64_t *limits; /* of all ranks */
};

/* The present one of a rank. False: session->why. */
bool sched_spot_take(struct sched_session *session, int rank, struct sched_spot *spot);
void sched_spot_finish(struct sched_spot *spot);
/* Forgets these of its words, which are in order. */
void sched_spot_forget(struct sched_spot *spot, const uint32_t *words, size_t n);

/* New processes: the rank stands at the call before the spot (or in MPI_Init), the others where they can
 * be. */
bool sched_spot_go_to_call_before(struct sched_session *session, const struct sched_spot *spot);
/* New processes, all ranks that were not needed before the spot stand where they were; this one stands in
 * MPI_Init. */
bool sched_spot_begin_run(struct sched_session *session, const struct sched_spot *spot);

enum sched_spot_end {
    SCHED_SPOT_REACHED, /* the rank is at the spot */
    SCHED_SPOT_STOPPED, /* it has stopped before it: the end of its move, or a breakpoint */
    SCHED_SPOT_PASSED,  /* it has come to the event after the spot: session->why */
    SCHED_SPOT_LOST,    /* session->why: SIGINT among others */
};
/* New processes: the rank stands where the call before the spot has returned (or MPI_Init): STOPPED, or
 * REACHED if that is the spot already. The others stand where they can be. */
enum sched_spot_end sched_spot_begin_segment(struct sched_session *session, const struct sched_spot *spot);
/* A breakpoint at the place of a spot at a line, for this condition (NULL: none). 0: session->why. */
int sched_spot_break(struct sched_session *session, const struct sched_spot *spot, const char *condition);
/* Moves the rank, but not beyond the spot. */
enum sched_spot_end sched_spot_move(struct sched_session *session, const struct sched_spot *spot,
                                    enum sched_gdb_move move);

#endif
