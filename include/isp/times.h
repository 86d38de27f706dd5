/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The times of day that ranks have asked for, so that they get the same again: a file, with ISP_TIMES_BYTES
 * for each rank, zero at first. The ranks themselves write it.
 */
#ifndef ISP_TIMES_H
#define ISP_TIMES_H

#include <stdint.h>

/* Names the file, where somebody debugs. */
#define ISP_ENV_TIMES "ISP_TIMES"

struct isp_time {
    int64_t seconds;
    uint32_t nanoseconds, known;
};

enum { ISP_TIMES_MOST = 65536, ISP_TIMES_BYTES = ISP_TIMES_MOST * sizeof(struct isp_time) };

#endif
