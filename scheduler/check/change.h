/* SPDX-License-Identifier: BSD-3-Clause */
/* What would have to change in the program, so that ranks that wait in vain do not. */
#ifndef SCHED_CHECK_CHANGE_H
#define SCHED_CHECK_CHANGE_H

#include "picture.h"

/* In a few words, with the places of the calls; NULL: nothing is likelier than the calls that the ranks are
 * in. Caller frees. */
char *sched_change(const struct sched_picture *picture);

#endif
