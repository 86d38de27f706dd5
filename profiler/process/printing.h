/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rank prints, by a way of its own to isp (ISP_PIPE_NAME). */
#ifndef PROF_PRINTING_H
#define PROF_PRINTING_H

/* In the first process of a rank, before the program has printed anything; nothing, if isp has made no pipe.
 * What such a process starts prints to the same pipe, or to where it was sent by a shell. */
void prof_printing_begin(int rank);

#endif
