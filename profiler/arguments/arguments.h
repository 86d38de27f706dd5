/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments that the standard forbids (the rules invalid-*), found before MPI sees the call. The generator
 * describes for each function what to look at, from the kinds and marks in the table
 * (include/functions/checks.py); the wrapper hands the arguments over as numbers. The ordinary case is a few
 * comparisons; nothing here communicates.
 */
#ifndef PROF_ARGUMENTS_H
#define PROF_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"
#include "isp/functions.h"

enum prof_check {
    /* clang-format off */
    PROF_CHECK_ANY, /* an array of anything: it must be there */
    /* handles */
    PROF_CHECK_COMM, PROF_CHECK_COMM_INTRA, PROF_CHECK_COMM_INTER, PROF_CHECK_COMM_CART,
    PROF_CHECK_COMM_GRAPH, PROF_CHECK_COMM_DIST, PROF_CHECK_COMM_TOPOLOGY,
    PROF_CHECK_COMM_LEADER, /* means something on the local leader only (MPI_Intercomm_create) */
    PROF_CHECK_COMM_FREE,
    PROF_CHECK_GROUP, PROF_CHECK_GROUP_FREE,
    PROF_CHECK_SUBGROUP, PROF_CHECK_SUBGROUP_WINDOW, /* of the communicator, of the window */
    PROF_CHECK_TYPE, /* committed */
    PROF_CHECK_TYPE_ANY, PROF_CHECK_TYPE_FREE,
    PROF_CHECK_OP, /* fit for the type */
    PROF_CHECK_OP_ANY, PROF_CHECK_OP_FREE,
    PROF_CHECK_INFO, PROF_CHECK_INFO_OR_NULL, PROF_CHECK_INFO_OWN, PROF_CHECK_INFO_FREE,
    PROF_CHECK_ERRHANDLER, PROF_CHECK_ERRHANDLER_FREE,
    PROF_CHECK_WIN, PROF_CHECK_FILE, PROF_CHECK_FILE_OR_NULL, PROF_CHECK_SESSION,
    PROF_CHECK_KEYVAL, PROF_CHECK_KEYVAL_OWN, PROF_CHECK_KEYVAL_FREE,
    PROF_CHECK_REQUEST, PROF_CHECK_REQUEST_GIVEN, PROF_CHECK_REQUEST_START, PROF_CHECK_REQUEST_PARTITIONED,
    PROF_CHECK_REQUEST_ARRIVED, PROF_CHECK_REQUEST_GENERAL,
    PROF_CHECK_MESSAGE,
    /* ranks */
    PROF_CHECK_PEER, PROF_CHECK_SOURCE, PROF_CHECK_TARGET, PROF_CHECK_MEMBER, PROF_CHECK_LEADER,
    PROF_CHECK_RANK_WINDOW, PROF_CHECK_RANK_GROUP, PROF_CHECK_RANK_DISTINCT, PROF_CHECK_RANK_SIZE,
    PROF_CHECK_RANGES, PROF_CHECK_ROOT,
    /* tags and numbers */
    PROF_CHECK_TAG, PROF_CHECK_TAG_ANY, PROF_CHECK_TAG_LEADER,
    PROF_CHECK_COUNT, PROF_CHECK_NONNEGATIVE, PROF_CHECK_POSITIVE, PROF_CHECK_OFFSET, PROF_CHECK_SIZE,
    PROF_CHECK_UNIT, PROF_CHECK_COLOR, PROF_CHECK_SPLIT_TYPE, PROF_CHECK_DISTRIBUTION,
    PROF_CHECK_DISTRIBUTION_ARGUMENT, PROF_CHECK_ORDER, PROF_CHECK_TYPE_CLASS, PROF_CHECK_SUBSIZE,
    PROF_CHECK_START, PROF_CHECK_DIMENSIONS, PROF_CHECK_GRID, PROF_CHECK_COORDINATE, PROF_CHECK_DIRECTION,
    PROF_CHECK_FACTORS, PROF_CHECK_NODES, PROF_CHECK_DEGREES, PROF_CHECK_EDGE, PROF_CHECK_PARTITION,
    PROF_CHECK_ASSERT, PROF_CHECK_LOCK_TYPE, PROF_CHECK_AMODE, PROF_CHECK_WHENCE, PROF_CHECK_SEEK,
    PROF_CHECK_DISPLACEMENT, PROF_CHECK_NTH, PROF_CHECK_ERROR_CLASS, PROF_CHECK_ADDED_CODE,
    /* pointers */
    PROF_CHECK_OUT, PROF_CHECK_STATUS, PROF_CHECK_STATUS_IN, PROF_CHECK_STRING, PROF_CHECK_KEY,
    PROF_CHECK_VALUE, PROF_CHECK_FUNCTION, PROF_CHECK_BUFFER, PROF_CHECK_MEMORY,
    /* clang-format on */
};

enum prof_argument_flags {
    PROF_ARGUMENT_ARRAY = 1,    /* `of` is its length */
    PROF_ARGUMENT_INDIRECT = 2, /* a pointer to the handle */
    PROF_ARGUMENT_SEND = 4,     /* means something where this rank gives data to the collective */
    PROF_ARGUMENT_RECV = 8,     /* ... takes data */
};

/* Lengths that are no argument. */
enum prof_argument_of {
    PROF_OF_NONE = -1,
    PROF_OF_PEERS = -2,   /* of the communicator: whom it can send to */
    PROF_OF_MEMBERS = -3, /* of the local group */
    PROF_OF_SOURCES = -4,
    PROF_OF_DESTINATIONS = -5, /* of the neighbourhood */
    PROF_OF_DIMS = -6,         /* of the Cartesian topology */
    PROF_OF_EDGES = -7,        /* the last entry of the graph's index */
    PROF_OF_DEGREES = -8,      /* the sum of the degrees */
};

struct prof_argument {
    const char *name;
    uint8_t check;        /* enum prof_check */
    int8_t at;            /* which argument */
    int8_t of, type;      /* others that it is looked at with: a buffer's count and type; an array's length
                             (enum prof_argument_of) */
    uint8_t flags, bytes; /* bytes: of an element of an array */
};

struct prof_arguments {
    enum isp_fn fn, base; /* base: without _c */
    int n;
    const struct prof_argument *each;               /* those first that others are looked at with */
    int8_t comm, win, file, root, sendbuf, recvbuf; /* which argument; -1: there is none */
    uint8_t flow;                                   /* enum isp_flow */
    bool collective;                                /* that moves data */
    bool neighbour;
};

/* True: one of them is wrong; then call prof_arguments_refuse, and nothing else unless that returns
 * MPI_SUCCESS. */
bool prof_arguments_wrong(const struct prof_arguments *d, const int64_t *values);
/* Tells what the last call has found, and does what the program or --on-error wants done then. Returns the
 * error class, or MPI_SUCCESS if MPICH allows it all the same. */
int prof_arguments_refuse(const struct prof_arguments *d, const int64_t *values, const void *site);

#endif
