/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that the program must not use as it does. */
#ifndef PROF_REFUSED_H
#define PROF_REFUSED_H

#include "tables/requests.h"

/* The error of a call that was given an old handle: tells request-reuse (or what MPI's error handlers do),
 * and returns the code. position: in the program's array, or -1. */
int prof_request_refuse_old(MPI_Request request, int position);
/* The same for an array that holds one request twice. */
int prof_request_refuse_twice(int position);
/* The same for a start of a request that is active. started: where. */
int prof_request_refuse_start(const struct prof_place *started, int position);

#endif
