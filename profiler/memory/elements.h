/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of a pending buffer as the program's elements: which one it is, what it was and is, and where it is,
 * so that isp can name the variable (isp/change.h). */
#ifndef PROF_ELEMENTS_H
#define PROF_ELEMENTS_H

#include "isp/change.h"
#include "pending.h"

/* Of the element in which one of these bytes is; the first that was changed, if that is known. values: also
 * what it was. */
void prof_elements_tell(struct isp_change *change, const struct prof_pending *p, struct prof_run touched,
                        bool values);

#endif
