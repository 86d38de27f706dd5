/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user (or the exploration) has decided that concerns the ranks: told to each of them once, in
 * WELCOME. */
#ifndef ISP_SETTINGS_H
#define ISP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* After an error that a rank finds in its own call (invalid-*, request-reuse ...). */
enum isp_on_error {
    ISP_ON_ERROR_STOP,     /* the rank ends there, as with MPI_ERRORS_ARE_FATAL, unless the program has asked
                              for error codes */
    ISP_ON_ERROR_CONTINUE, /* the call returns its error code, and no error handler hears of it */
};

/* How accesses to the buffers of pending operations are found. */
enum isp_memory { ISP_MEMORY_OFF, ISP_MEMORY_CHECKSUM, ISP_MEMORY_WATCH };

/*
 * This run repeats another one in which the bytes of a buffer of a pending operation were changed, to find
 * out who does it: the buffer with this number (profiler/memory/pending.h) of this rank, at this byte,
 * counted from 1; 0: the run is to find out which byte is changed.
 */
struct isp_watch_order {
    int32_t rank;
    uint64_t buffer; /* 0: it is a run like any other */
    uint64_t at;
};

/*
 * The event at which a rank holds, before it makes it, for who debugs it: an index of its transitions. It
 * holds at MPI_Finalize in any case, unless it never does.
 */
#define ISP_HOLD_NEVER UINT64_MAX
#define ISP_HOLD_AT_END (UINT64_MAX - 1)  /* at MPI_Finalize only */
#define ISP_HOLD_IN_INIT (UINT64_MAX - 2) /* in MPI_Init already, and not at the first event */

/* A rank that has made so many events holds at the next one. */
static inline bool isp_hold_stops(uint64_t hold, uint64_t made)
{
    return hold == ISP_HOLD_IN_INIT || made >= hold;
}

/* It lets the rank go no further than `other` does, and not as far. */
static inline bool isp_hold_is_before(uint64_t hold, uint64_t other)
{
    return hold != other && (hold == ISP_HOLD_IN_INIT || (other != ISP_HOLD_IN_INIT && hold < other));
}

struct isp_settings {
    bool buffered; /* standard sends complete at once (infinite) */
    bool mixed;    /* ... but some: a blocking send waits until the scheduler says that it is complete */
    enum isp_on_error on_error;
    enum isp_memory memory;
    bool stacks;    /* call sites are told with their callers */
    bool unchecked; /* arguments and accesses to windows are not looked at */
    bool apart;     /* MPI's memory is, and ranks may be asked for their states (ISP_GO_STATE) */
    bool explains;  /* ... and how they differ (ISP_GO_COMPARE) */
    bool ignores;   /* where variables are that do not count is to be asked (ISP_MSG_MODULES) */
    struct isp_watch_order watch;
    uint64_t hold; /* of this rank */
    bool ahead;    /* ranks go ahead: they give their calls to MPI at once (engine/ahead.h) ... */
    bool eager;    /* ... and as they are: MPI may buffer, even if the run is to be one without buffers */
};

#endif
