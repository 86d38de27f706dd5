/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which mutexes a thread holds when it calls MPI: those of pthreads and C11, locks of readers and writers when they write, spin locks, semaphores
 * that begin with more than 0, and OpenMP's critical sections and locks. Two threads that call MPI under one mutex cannot do so in another order than they got it, and who gets it
 * is not decided by isp: if the order of these calls matters, not all of it is explored, and the scheduler says so (poe/admission.h).
 * Only where libisp.so is preloaded: in a program that is linked statically nobody knows.
 */
#ifndef PROF_MUTEXES_H
#define PROF_MUTEXES_H

#include <stdint.h>

/* A bit for each that the calling thread holds; with very many some share one. NULL in a static program. */
extern uint64_t prof_mutexes_held(void) __attribute__((weak));

#endif
