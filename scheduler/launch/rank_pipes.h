/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pipes by which ranks of this host print, past the launcher (ISP_PIPE_NAME): a rank that waits for isp has
 * nothing under way in them that isp could not read at once.
 */
#ifndef SCHED_RANK_PIPES_H
#define SCHED_RANK_PIPES_H

#include <event2/event.h>
#include <stdbool.h>
#include <stddef.h>

struct sched_rank_pipes;

struct sched_rank_reader {
    void (*take)(void *context, int rank, bool error, const char *bytes, size_t n);
    void *context;
};

/* In this folder, before ranks are started. NULL: the machine has no room for them. */
struct sched_rank_pipes *sched_rank_pipes_create(struct event_base *base, const char *folder, int ranks,
                                                 struct sched_rank_reader reader);
/* Reads what is in them now; who goes on printing is not waited for. pipes: may be NULL, also below. */
void sched_rank_pipes_drain(struct sched_rank_pipes *pipes);
/* Reads what the dead have left. */
void sched_rank_pipes_destroy(struct sched_rank_pipes *pipes);

#endif
