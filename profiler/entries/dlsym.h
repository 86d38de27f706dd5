/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamic linker's own functions, of which dlsym_front.S has others in front. */
#ifndef PROF_DLSYM_H
#define PROF_DLSYM_H

/* Finds them, the first time. */
void prof_dlsym_find(void);

#endif
