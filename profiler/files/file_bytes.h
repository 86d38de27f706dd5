/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which bytes of a file an access means (MPI-4.0, section 14.3): so many bytes of data of a view, from one of
 * them on. The view is one filetype behind the other; so what is regular is told as repetitions, not as
 * bytes.
 */
#ifndef PROF_FILE_BYTES_H
#define PROF_FILE_BYTES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/file.h"

struct prof_shape;

struct prof_file_view {
    int64_t disp, extent;
    const struct prof_shape *shape; /* of the filetype; NULL: the bytes are not known */
};

/* The types are MPI's own, or committed. One hold on a shape, which `finish` drops. */
struct prof_file_view prof_file_view_of(MPI_Offset disp, MPI_Datatype filetype, const char *datarep);
void prof_file_view_finish(struct prof_file_view *view);
/* Data bytes [from, to) of the view. runs: room for ISP_FILE_RUNS_MAX. False: not known, or too many runs. */
bool prof_file_bytes(const struct prof_file_view *view, int64_t from, int64_t to, struct isp_file_run *runs,
                     uint32_t *n);

#endif
