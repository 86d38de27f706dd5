/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of a rank that goes ahead: messages that its probes have found, and that no receive was called for. A poll
 * that finds one of these tells nothing new, which is no success (poe/POLLS.md). There may be some here that
 * are not known any more, but none is missing.
 */
#ifndef PROF_PROBED_H
#define PROF_PROBED_H

#include <stdbool.h>

#include "tables/communicators.h"

/* The first message of a source and tag; both as MPI has them. */
struct prof_probed {
    const struct prof_comm *comm;
    int source, tag;
};

bool prof_probed_is_known(struct prof_probed message);
void prof_probed_note(struct prof_probed message);
/* A receive is called that takes it, or a matched probe has. */
void prof_probed_forget(struct prof_probed message);

#endif
