/* SPDX-License-Identifier: BSD-3-Clause */
/* What lower layers ask of higher ones: the one place where it is set. */
#ifndef PROF_HOOKS_H
#define PROF_HOOKS_H

/* Before the process acts as a rank: nothing asks earlier. */
void prof_hooks_set(void);

#endif
