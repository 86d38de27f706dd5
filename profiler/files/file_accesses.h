/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells which bytes of files the rank reads and writes (ISP_MSG_FILE_ACCESS). The scheduler compares them
 * with those of other ranks, and of earlier interleavings.
 */
#ifndef PROF_FILE_ACCESSES_H
#define PROF_FILE_ACCESSES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/functions.h"

#include "file_bytes.h"

struct prof_file;

/* Part of a struct prof_file. */
struct prof_file_identity {
    uint64_t device, inode, name; /* 0: not known */
    bool linked;                  /* it had several names */
    struct prof_file_view view;
    bool atomic;     /* mode */
    MPI_Comm ranks;  /* isp's own; MPI_COMM_NULL: one rank, or it could not be made */
    int64_t ordered; /* bytes of the ordered access that this rank is in; -1: not known */
    int64_t ahead;   /* bytes by which the individual file pointer moves when all that was posted is issued */
};

/* Before MPI_File_open: whether there is such a file. */
bool prof_file_is_there(const char *filename);
/* Those of comm, for isp's own use. All are here. */
MPI_Comm prof_file_ranks(MPI_Comm comm);
/* MPI has opened it, or could not; the wrapper knows the call. */
void prof_file_tell_open(struct prof_file *file, MPI_Comm ranks, const char *filename, int amode,
                         bool was_there);
void prof_file_tell_not_open(const char *filename, int amode);
/* An access by the shared file pointer is about to be made; it has its turn. */
void prof_file_tell_shared(struct prof_file *file, MPI_Count count, MPI_Datatype datatype);
/* A collective on the file has matched, and MPI is about to be called. */
void prof_file_tell_matched(struct prof_file *file, enum isp_fn fn, const void *site);
/* All its ranks are about to close it. */
void prof_file_identity_finish(struct prof_file_identity *identity);
/* A nonblocking collective access by the individual file pointer is issued. */
void prof_file_issued(struct prof_file *file, MPI_Count count, MPI_Datatype datatype);

#endif
