/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of an operation for the program, and the requests that stand for operations. */
#ifndef PROF_COMPLETION_H
#define PROF_COMPLETION_H

#include "engine/operations.h"

enum prof_request_state {
    PROF_REQUEST_NOTHING, /* null or inactive */
    PROF_REQUEST_ACTIVE,
    PROF_REQUEST_OLD, /* a copy of a handle that has ended: request-reuse */
    PROF_REQUEST_INVALID,
};

/* Not one of ours, nor null. One that MPI itself made is refused (prof_unsupported); so true means that it is
 * no request at all, and MPI will say so. */
bool prof_request_is_foreign(MPI_Request request);

/* Sets *op if the request is active. */
enum prof_request_state prof_request_look(MPI_Request request, struct prof_op **op);

/* The program is told that the operation is complete: fills in its status, and forgets it. A send that has
 * not been issued yet (it is buffered) keeps a copy of its data. Returns MPI's code for the operation. */
int prof_op_deliver(struct prof_op *op, MPI_Status *status);

#endif
