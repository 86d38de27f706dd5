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

#include "file_bytes.h"

struct prof_file;

/* Part of a struct prof_file. */
struct prof_file_identity {
    uint64_t device, inode, name; /* 0: not known */
    struct prof_file_view view;
    bool atomic; /* mode */
    int64_t ahead; /* bytes by which the individual file pointer moves when all that was posted is issued */
};

/* Before MPI_File_open: whether there is such a file. */
bool prof_file_is_there(const char *filename);
/* MPI has opened it, or could not; the wrapper knows the call. */
void prof_file_tell_open(struct prof_file *file, const char *filename, int amode, bool was_there);
void prof_file_tell_not_open(const char *filename, int amode);
/* An access by the shared file pointer is about to be made; it has its turn. */
void prof_file_tell_shared(struct prof_file *file, MPI_Count count, MPI_Datatype datatype);
/* A nonblocking collective access by the individual file pointer is issued. */
void prof_file_issued(struct prof_file *file, MPI_Count count, MPI_Datatype datatype);

#endif
