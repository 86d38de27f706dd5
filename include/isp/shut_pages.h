/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For a debugger: libisp.so exports a variable isp_shut_pages of this type, which says where the pages are
 * that isp has protected to see who touches them. A SIGSEGV there is isp's own
 * (profiler/watch/watch_pages.c).
 */
#ifndef ISP_SHUT_PAGES_H
#define ISP_SHUT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { ISP_SHUT_MOST = 64 };

struct isp_shut_pages {
    const bool *are_shut;
    const unsigned *n;
    const void *first; /* of n: each begins with two uintptr_t, the lowest address and the one behind */
    uintptr_t stride;
};

#endif
