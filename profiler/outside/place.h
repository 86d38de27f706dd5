/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in the process an address is, told in such a way that isp can say which variable is there
 * (isp/differs.h). */
#ifndef PROF_PLACE_H
#define PROF_PLACE_H

#include "caller.h"
#include "isp/differs.h"

enum { PROF_WHERE_FRAMES = 64 };

struct prof_where {
    struct prof_frame frames[PROF_WHERE_FRAMES];
    unsigned n;
    uintptr_t stack, top; /* that of the frames that are known */
};

/* The frames of the program, from that on to which a call of MPI returns at `site`. */
void prof_where_find(struct prof_where *where, const void *site);
/* The module of an address, and how far in it. */
void prof_place_put_module(struct isp_place *place, const void *address);
struct isp_place prof_place_of(const struct prof_where *where, uintptr_t at);

#endif
