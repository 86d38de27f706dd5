/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files. To the scheduler an open file is a communicator of its own, with the members of the one that it was
 * opened on: its number is alike on all ranks. What is collective is recorded there; what one rank does by
 * itself happens inside MPI alone.
 */
#ifndef PROF_FILES_H
#define PROF_FILES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "file_accesses.h"
#include "file_rules.h"

struct prof_file {
    MPI_File handle;
    int32_t number;
    struct prof_file_state state;
    struct prof_file_identity identity;
    struct prof_file *next;
};

/* NULL: not a file that is known; MPI has to say what is wrong with it. */
struct prof_file *prof_file_find(MPI_File file);
/* An error on it would end the rank: the program has asked for that. */
bool prof_file_is_fatal(MPI_File file);
/* All members are there. */
void prof_file_match(const struct prof_file *file);

struct prof_op;
/* Issues a nonblocking collective access; returns MPI's code. */
int prof_file_issue(struct prof_op *op);

#endif
