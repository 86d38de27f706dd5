/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks, calls and places put into words, alike in all findings. Callers free what they get. */
#ifndef SCHED_WORDS_H
#define SCHED_WORDS_H

#include "isp/call.h"
#include "run/run.h"
#include "base/alloc.h"
#include "sites/sites.h"

/* Appends to *text (NULL: empty) and moves it. */
__attribute__((format(printf, 2, 3))) void sched_words_add(char **text, const char *format, ...);
__attribute__((format(printf, 2, 0))) void sched_words_add_list(char **text, const char *format,
                                                                va_list args);

/* "rank 3", "ranks 0, 2-4"; ranks ascending. */
char *sched_words_ranks(const int *ranks, size_t n);
/* A world rank as the program names it on the communicator of the call: "3", "1 (world rank 3)". */
char *sched_words_rank_of(const struct sched_run *run, const struct isp_call *call, int rank);
/* "MPI_Send(to 1, tag 0)", and the communicator if it is not MPI_COMM_WORLD. */
char *sched_words_call(const struct sched_run *run, const struct isp_call *call);
/* What the call works on: "MPI_COMM_WORLD", "communicator of ranks 0, 2", "window of ranks 0, 1". */
char *sched_words_comm(const struct sched_run *run, const struct isp_call *call);
/* "communicator", "window", "file" */
const char *sched_words_scope(const struct isp_call *call);
/* The same as sched_words_comm, with sched_words_comm_maker. */
char *sched_words_comm_made(const struct sched_run *run, const struct isp_call *call);
/* "app.c:12 main", "app+0x1234", "unknown place": the line that matters, if the site has its callers. */
char *sched_words_place(const struct sched_run *run, uint32_t site);
/* "app.c:12": the same, in short. */
char *sched_words_spot(const struct sched_run *run, uint32_t site);
/* " made by MPI_Comm_split at app.c:9"; NULL: it was not made by a call. */
char *sched_words_comm_maker(const struct sched_run *run, int comm);
char *sched_sites_words(struct sched_sites *sites, uint32_t site);
char *sched_location_words(const struct sched_location *at);

#endif
