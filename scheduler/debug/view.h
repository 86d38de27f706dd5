/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks of a session stand, in words: for the console and for editors. Texts are escaped. */
#ifndef SCHED_DEBUG_VIEW_H
#define SCHED_DEBUG_VIEW_H

#include "motion.h"

struct sched_view_row {
    enum sched_standing standing;
    bool held;   /* by the user: it is not moved with the others */
    char *place; /* "ring.c:12 main" */
    char *file;  /* as it can be opened; NULL: not known */
    int line;
    char *function; /* NULL: not known */
    char *call;     /* "MPI_Recv(from 2, tag 1)": what it stands at or in; NULL: at a line of the program */
    char *what;     /* what it waits for, or why it has stopped; NULL: nothing to say */
    struct sched_record_name event; /* that it stands at or in, or will come to next */
};

struct sched_view_row sched_view_rank(struct sched_session *session, int rank);
void sched_view_finish(struct sched_view_row *row);

/* "MPI_Recv(from 2, tag 1)"; NULL: no such event was recorded. Caller frees. */
char *sched_view_call(struct sched_session *session, struct sched_record_name name);
/* "ring.c:12 main", of an event. Caller frees. */
char *sched_view_place(struct sched_session *session, struct sched_record_name name);

/* A line of the row's file; NULL: it cannot be read. Caller frees. */
char *sched_view_source(const char *file, int line);

#endif
