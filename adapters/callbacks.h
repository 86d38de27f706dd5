/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the program gives to MPI: what the front of C and that of Fortran (fortran.c) share. */
#ifndef ADAPTERS_CALLBACKS_H
#define ADAPTERS_CALLBACKS_H

#include "front.h"

/* MPI_Op_create, and the functions that create error handlers. fortran: the function is one of Fortran, which
 * gets numbers for handles. */
int front_op_create(void *function, bool fortran, int commute, MPI_Op *op);
int front_comm_handler(void *function, bool fortran, MPI_Errhandler *errhandler);
int front_win_handler(void *function, bool fortran, MPI_Errhandler *errhandler);
int front_file_handler(void *function, bool fortran, MPI_Errhandler *errhandler);
int front_session_handler(void *function, bool fortran, MPI_Errhandler *errhandler); /* Open MPI 5 */

/* Of attributes of communicators, types and windows. A handle is a pointer in Open MPI. */
struct front_attributes {
    int (*copy)(void *handle, int key, void *extra, void *in, void *out, int *flag);
    int (*delete)(void *handle, int key, void *value, void *extra);
};
/* name: of the function of MPI. */
int front_create_keyval(const char *name, const struct front_attributes *program, int *key, void *extra);

#endif
