/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads of which the program does not know that they are over: created, and not joined. Whether a
 * thread still runs depends on time, so nothing that is told of a call may depend on it; that it was
 * created before the call, and not joined, is alike in every run. One that is never joined counts to the
 * end; and so does each in a program that is linked statically, where nobody sees it join (joins.c).
 */
#ifndef PROF_UNJOINED_H
#define PROF_UNJOINED_H

#include <pthread.h>
#include <stdbool.h>

void prof_unjoined_add(pthread_t thread);
void prof_unjoined_remove(pthread_t thread);
bool prof_unjoined_any(void);

#endif
