/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank finds wrong by itself, told to the scheduler (ISP_MSG_FINDING). */
#ifndef PROF_FINDING_H
#define PROF_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/change.h"
#include "isp/functions.h"
#include "isp/rules.h"
#include "isp/wire.h"

#define PROF_FINDING_PLACES 10 /* that a finding can name beside its own */

struct prof_place {
    enum isp_fn fn; /* ISP_FN_NONE: no MPI call (an access to memory; then site is the address behind the
                       instruction) */
    const void *site;
};

struct prof_finding {
    enum isp_rule rule;
    struct prof_place at; /* where it is shown */
    uint32_t count;       /* 0: 1 */
    const char *text;     /* one line without the function's name; NULL: the scheduler's own words for the
                             rule */
    const char *story;    /* further lines, each ended by \n; or NULL. "%0" to "%9" stand for the places of
                             `more` ("MPI_Isend at app.c:12 main") */
    const struct prof_place *more;
    uint32_t n_more;
    uint64_t buffer;    /* number of the pending buffer that it is about (pending.h); 0: it is about none */
    uint64_t buffer_at; /* ... and its first changed byte, counted from 1; 0: it is not known */
    const struct isp_change *change; /* ... what was changed, or touched; or NULL */
    bool flush;                      /* tells it at once */
    enum isp_death death; /* ... not ISP_LIVES: call prof_link_hold next; or, if it is able, prof_fence_act
                             for ever */
};

void prof_finding_tell(const struct prof_finding *finding);

#endif
