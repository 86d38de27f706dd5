/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signature of an MPI datatype, as a record names it: so many times a basic type, or so many times a
 * type that was told to the scheduler (include/isp/wire.h, ISP_MSG_TYPE).
 */
#ifndef PROF_SIGNATURES_H
#define PROF_SIGNATURES_H

#include <mpi.h>
#include <stdint.h>

struct prof_signature {
    uint32_t type;  /* see isp_call.type */
    uint64_t times; /* that many of it are in one item of the datatype */
};

/* Of a builtin type, by a table. */
struct prof_signature prof_signature_builtin(MPI_Datatype handle);
/* Of any other type that is not freed. It is taken apart; what is not one basic type only is told to the
 * scheduler, each signature once, whatever type has it. */
struct prof_signature prof_signature_derived(MPI_Datatype handle);

#endif
