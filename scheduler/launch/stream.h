/* SPDX-License-Identifier: BSD-3-Clause */
/* A standard stream of a world: what comes through the pipe is passed on, or not, and its end is remembered.
 * */
#ifndef SCHED_STREAM_H
#define SCHED_STREAM_H

#include <event2/event.h>
#include <stddef.h>

struct sched_stream;
struct sched_apart;

/* Makes a pipe; sets *end to the writing end. to: where it is passed on, or -1; so much of it, at most. NULL
 * if the machine has none left. */
struct sched_stream *sched_stream_create(struct event_base *base, int to, size_t most, int *end);
/* Passes on what is still in the pipe. */
void sched_stream_destroy(struct sched_stream *stream);
/* Told rank by rank, and passed on to nobody. Takes `apart`. */
void sched_stream_tell(struct sched_stream *stream, struct sched_apart *apart);
/* What came by another way belongs to its last words, too. */
void sched_stream_note(struct sched_stream *stream, const char *bytes, size_t n);
/* From now on without what the launcher itself says, which isp tells better. All that the program prints
 * comes as it is, an empty line perhaps a little later. stream: may be NULL, also below. */
void sched_stream_hush(struct sched_stream *stream);
/* The last that has come, at most 4 KiB. */
const char *sched_stream_words(struct sched_stream *stream);

#endif
