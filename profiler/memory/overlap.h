/* SPDX-License-Identifier: BSD-3-Clause */
/* What buffer-overlap says: which bytes of which buffers are the same. The call that the thread is in is to
 * blame. */
#ifndef PROF_OVERLAP_H
#define PROF_OVERLAP_H

#include "pending.h"

/* The buffer of the current call shares `common` with that of a pending operation. */
void prof_overlap_tell(const struct prof_region *r, enum prof_use use, const struct prof_pending *p,
                       struct prof_run common);
/* The collective that the rank is in reads and writes the same bytes. */
void prof_overlap_tell_alias(const struct prof_region *read, const struct prof_region *written,
                             struct prof_run common);
/* It receives into the same bytes twice. */
void prof_overlap_tell_twice(const struct prof_region *r, struct prof_run twice);

/* Where a byte is in a buffer, as its user counts: from the address that was passed, or, of addresses in the
 * datatype, from its first byte. */
size_t prof_overlap_offset(const struct prof_region *r, uintptr_t at);

#endif
