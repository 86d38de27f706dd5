/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand: one world of an interleaving, in which each rank is at its limit (world/hold.h), and everything is
 * done that can be done without going beyond it. The first stand goes to the end, and is recorded. In all
 * others each decision is the one that was recorded, whatever is held (world/decisions.h), and each call is
 * compared with the record: so by law 4 the same limits are the same state.
 */
#ifndef SCHED_DEBUG_STAND_H
#define SCHED_DEBUG_STAND_H

#include <event2/event.h>

#include "checkpoint/run_state.h"
#include "explore/run.h"
#include "marks.h"
#include "record.h"

/* What all stands of a session have in common. */
struct sched_stands {
    struct sched_engine *engine; /* options, result (sites, findings), source, signatures */
    bool buffered;
    const struct sched_record *record;   /* NULL: none is there yet */
    const struct sched_decisions *guide; /* the recorded decisions */
    const bool *wanted;                  /* somebody wants attention: sched_stand_go returns */
    unsigned launched;                   /* worlds, so far */
    const struct sched_printed *printed; /* who is told what all of them print */
    bool plain;                          /* each way back is a launch */
};

/* Why it has come to rest. */
enum sched_arrival {
    SCHED_ARRIVED,   /* all that the limits allow is done, or the interleaving is over */
    SCHED_ATTENTION, /* somebody has asked for attention on the way */
    SCHED_STRAYED,   /* a rank has done something else than was recorded: `why` */
    SCHED_LOST,      /* there is no world (it was killed, or could not be launched): `why` */
};

struct sched_stand {
    struct sched_stands *of;
    struct sched_run_state s;
    struct sched_marks marks;
    struct sched_record *recording; /* of the first one */
    const unsigned *forced;         /* ... its decisions; then the first alternatives */
    unsigned n_forced;
    struct sched_record_name strayed; /* rank -1: none has */
    char *why;
};

/* A world in which each rank is to hold in MPI_Init. */
struct sched_stand *sched_stand_create(struct sched_stands *of);
/* The first one: goes by these decisions, and is recorded into `recording`, up to sched_stand_recorded. */
struct sched_stand *sched_stand_create_first(struct sched_stands *of, struct sched_record *recording,
                                             const unsigned *forced, unsigned n_forced);
/* of->record and of->guide have it now. */
void sched_stand_recorded(struct sched_stand *stand);
/* Ends its processes. Whoever has stopped them must have let go of them. */
void sched_stand_destroy(struct sched_stand *stand);

/* Other limits. One that is below what its rank has done makes it hold at its next event. */
void sched_stand_limit(struct sched_stand *stand, const uint64_t *limits);
/* Goes on until it has come to rest. */
enum sched_arrival sched_stand_go(struct sched_stand *stand);

#endif
