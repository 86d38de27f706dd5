/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the record alone: which call of MPI has written a byte of a rank's memory, and which bytes of which
 * ranks it was made of. A byte goes from the type map of the sender's datatype to that of the receiver's, by
 * its place in the message (MPI-4.0, sections 3.3.1 and 4.1; isp/map.h).
 */
#ifndef SCHED_DEBUG_ORIGIN_H
#define SCHED_DEBUG_ORIGIN_H

#include "record.h"

/* A byte, and how many follow it that have come the same way. */
struct sched_origin_bytes {
    struct sched_record_name of; /* the call that gave them */
    uint64_t address, size;
};

/* What `got` has written to a byte. */
struct sched_origin {
    struct sched_record_name got;
    bool reduces;                     /* it is made of all `parts`; else of one */
    struct sched_origin_bytes *parts; /* by rank. None: they cannot be told */
    unsigned n;
};

/* The call that was writing the address while its rank was in call `in`. `names_it`: the program was in that
 * call, and not in one that makes no event. False: no buffer of a call that was under way has it. */
bool sched_origin_writer(const struct sched_record *record, struct sched_record_name in, bool names_it,
                         uint64_t address, struct sched_record_name *writer);
/* The last call that wrote the address and was complete before event `to`, but not before event `from`. */
bool sched_origin_last(const struct sched_record *record, int rank, uint64_t from, uint64_t to,
                       uint64_t address, struct sched_record_name *writer);

/* The next access of another rank, from *k on, that has written the address by a window; NULL: no more. */
const struct sched_record_put *sched_origin_next_put(const struct sched_record *record, int rank,
                                                     uint64_t address, uint32_t *k);

/* Where `size` bytes came from that `writer` has written. Finish it. */
struct sched_origin sched_origin_find(const struct sched_record *record, struct sched_record_name writer,
                                      uint64_t address, uint64_t size);
void sched_origin_finish(struct sched_origin *origin);

#endif
