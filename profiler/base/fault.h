/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading memory that the program may have given back, where to ask the kernel first would cost too much: a
 * fault goes back to where PROF_FAULTS was, which then is true.
 *
 *     if (PROF_FAULTS())
 *         return gone;
 *     read();
 *     prof_faults_over();
 *
 * Only if process/crash.c has the signal, which a handler of the program's may have instead: then the rank
 * crashes. In between nothing may allocate, take a lock or return.
 */
#ifndef PROF_FAULT_H
#define PROF_FAULT_H

#include <setjmp.h>
#include <stdbool.h>

struct prof_fault {
    sigjmp_buf back;
    bool wanted;
};
extern __thread struct prof_fault prof_fault __attribute__((tls_model("initial-exec")));

#define PROF_FAULTS() (prof_fault.wanted = true, sigsetjmp(prof_fault.back, 0) != 0)
static inline void prof_faults_over(void) { prof_fault.wanted = false; }
/* By the handler of the signal: does not return if the fault is one of these. */
void prof_fault_go_back(int signal);

#endif
