/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ELF note of a program that has the profiler linked in (isp-cc): by it isp knows that nothing is to be
 * preloaded, and a preloaded profiler knows that it is one too many. Notes survive strip.
 */
#ifndef ISP_NOTE_H
#define ISP_NOTE_H

#define ISP_NOTE_NAME "isp" /* four bytes with its end */
#define ISP_NOTE_TYPE 1

#endif
