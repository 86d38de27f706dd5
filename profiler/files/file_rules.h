/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a file may not be used for (MPI-4.0, chapter 14), by how it was opened and by what is under way on it:
 * the rule io-misuse. Looked at before MPI sees the call, which is taken to be made if nothing is wrong with
 * it.
 */
#ifndef PROF_FILE_RULES_H
#define PROF_FILE_RULES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/functions.h"
#include "isp/rules.h"

#include "link/finding.h"

struct prof_file;
struct prof_op;

/* What a function does. */
enum prof_file_trait {
    PROF_FILE_READS = 1,
    PROF_FILE_WRITES = 2,
    PROF_FILE_DIRECT = 4,     /* by an offset, or by the individual file pointer: not in sequential mode */
    PROF_FILE_COLLECTIVE = 8, /* access: not while a split collective is under way */
    PROF_FILE_BEGINS = 16,    /* a split collective */
    PROF_FILE_ENDS = 32,
    PROF_FILE_SETTLED = 64,      /* nothing may be under way on the file */
    PROF_FILE_SHARED_SEEK = 128, /* of the shared file pointer: not in sequential mode */
    PROF_FILE_REQUEST = 256,     /* it is complete when its request is */
    PROF_FILE_TURN = 512,        /* by the shared file pointer */
};

/* Where the buffer and count are among the arguments; 0: there is none (argument 0 is the file). */
struct prof_file_use {
    unsigned traits;
    int buffer, count;
    enum isp_fn begin; /* what ENDS ends, or the function itself, without _c */
};

struct prof_file_use prof_file_use_of(enum isp_fn fn);

/* What is known of an open file. */
struct prof_file_state {
    struct prof_place opened;
    int amode;
    MPI_Count etype_bytes;
    struct prof_place split; /* the begin of a split collective that has not ended; fn: ISP_FN_NONE */
    enum isp_fn split_begin; /* without _c */
    const void *split_buffer;
    bool split_told;           /* something about split collectives was wrong: what follows from that is not
                                  told */
    struct prof_file_pending { /* accesses with a request, some of which are complete by now */
        uint32_t op;
        struct prof_place at;
    } * pending;
    uint32_t n_pending, room;
};

void prof_file_state_finish(struct prof_file_state *state);

struct prof_file_wrong {
    int code;       /* MPI's error class */
    char text[400]; /* may name `at` as %0 */
    struct prof_place at;
};

/* The arguments of a call on an open file, as numbers. False: *wrong says what. */
bool prof_file_allows(struct prof_file *file, enum isp_fn fn, const int64_t *arguments,
                      struct prof_file_wrong *wrong);
/* Nothing is under way on the file that this call forbids. False: *wrong says what; MPI makes the call all
 * the same, since isp has completed all that it could. */
bool prof_file_is_settled(struct prof_file *file, enum isp_fn fn, struct prof_file_wrong *wrong);
/* Of a handle that is no open file: whether the program has closed it. */
bool prof_file_was_closed(MPI_File handle, struct prof_place *closed);
void prof_file_note_closed(MPI_File handle, struct prof_place here);
/* An access with a request was started. */
void prof_file_note_pending(struct prof_file *file, struct prof_op *op, struct prof_place here);

/* The value that all members of a collective on files must give alike (access mode, size ...; 0 where there
 * is none): kept for the record of the call that the thread is in, which takes it. */
void prof_file_keep_common(enum isp_fn fn, const int64_t *arguments);
int64_t prof_file_take_common(void);

#endif
