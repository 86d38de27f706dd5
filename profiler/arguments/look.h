/* SPDX-License-Identifier: BSD-3-Clause */
/* One look at the arguments of a call (arguments.c): what the checks share. A check returns true if all is
 * right. */
#ifndef PROF_LOOK_H
#define PROF_LOOK_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "arguments.h"
#include "link/finding.h"
#include "tables/communicators.h"
#include "tables/handles.h"
#include "windows/windows.h"

struct prof_look {
    const struct prof_arguments *d;
    const int64_t *v;
    struct prof_comm *c; /* NULL: none, or not known to isp */
    struct prof_win *w;
    bool is_root;
    bool gives, takes; /* this rank is one of those that give data to the collective, that take data from
                          it */
    bool in_place;     /* and one of the two stays where it is */
};

/* What was found wrong, by this thread. */
struct prof_wrong {
    enum isp_rule rule;
    int code;     /* MPI's error class */
    bool goes_on; /* MPICH allows it all the same: the call is made */
    char text[600];
    struct prof_place freed; /* fn: ISP_FN_NONE if there is none; the text has it as %0 */
};

/* Notes it; always false. */
bool prof_wrong(enum isp_rule rule, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* After prof_wrong: the call is made all the same. Always false. */
bool prof_wrong_goes_on(void);
/* The same of a handle that the program has freed at this place. */
bool prof_wrong_freed(enum isp_rule rule, int code, const char *name, const struct prof_place *freed);
/* The same of a file that was closed there. */
bool prof_wrong_closed(MPI_File file, const char *name, const struct prof_place *closed);
/* The name of an argument, with its place in an array: in a buffer that the next call overwrites. */
const char *prof_argument_name(const struct prof_argument *a, int64_t i);

/* How many values an array has; -1: unknown. */
int64_t prof_look_length(const struct prof_look *l, const struct prof_argument *a);
/* The value of an argument, or one of an array's. */
int64_t prof_look_value(const struct prof_look *l, const struct prof_argument *a, int64_t i);

/* Handles (look_handles.c). i: place in an array, or -1 */
bool prof_look_comm(struct prof_look *l, const struct prof_argument *a, MPI_Comm comm);
bool prof_look_type(const struct prof_argument *a, int64_t i, MPI_Datatype type, bool committed);
bool prof_look_handle(struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value);
/* An operation for this type (operators.c); `accesses`: of a window. */
bool prof_look_op(const struct prof_argument *a, MPI_Op op, MPI_Datatype type, bool accesses);
bool prof_look_swapped(const struct prof_argument *a, MPI_Datatype type);
/* Numbers whose meaning is their function's own (look_numbers.c). */
bool prof_look_number(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value);

#endif
