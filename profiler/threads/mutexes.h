/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which mutexes a thread holds when it calls MPI: those of pthreads and C11, locks of readers and writers
 * when they write, spin locks, semaphores that are used as one, and OpenMP's critical sections and locks. Two
 * threads that call MPI under one mutex cannot do so in another order than they got it, and who gets it is
 * not decided by isp: if the order of these calls matters, not all of it is explored, and the scheduler says
 * so (poe/admission.h). And which ones it has had since its last call, and given back without a call in
 * between: what it calls next may depend on who had them first. Of those it counts only what the program and
 * its libraries take, not what MPI's and OpenMP's do; not what is had while there is no other thread; and
 * nothing from before the thread signals a condition: that is for those that wait for it, who come behind
 * whether they wait already or not. Nor more than the first 63 that are taken at all. A semaphore is a mutex
 * if it begins with more than 0, or from when the thread that has waited for it last is the one that posts
 * it. What that thread has called before it did so is told as *perhaps* under it: nobody else can have got
 * the semaphore before it was one. Only where libisp.so is preloaded: in a program that isp-cc has linked
 * nobody knows, and the records say so (ISP_F_BLIND).
 */
#ifndef PROF_MUTEXES_H
#define PROF_MUTEXES_H

#include <semaphore.h>
#include <stdint.h>

/* A bit for each that the calling thread holds; with very many some share one. */
struct prof_held {
    uint64_t surely, perhaps;
};
/* NULL in a program that isp-cc has linked. */
extern void prof_mutexes_held(struct prof_held *what) __attribute__((weak));
/* Likewise for those that it has had since this was asked last. */
extern uint64_t prof_mutexes_had(void) __attribute__((weak));
/* The program has opened a named semaphore, which may be there already, and begin with anything. */
void prof_mutexes_opened(sem_t *semaphore);

#endif
