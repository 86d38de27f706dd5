/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs: marks for isp. Include this header beside mpi.h, or copy the calls; nothing must be linked,
 * and without isp the marks do nothing (MPI_Pcontrol is a function that every MPI has, and whose levels are
 * the tools' own).
 *
 *     isp_loop_begin();
 *     while (!converged)
 *         exchange();          // its wildcards, tests and waits take their first alternative only
 *     isp_loop_end();
 *
 * Between the two, what a thread calls is not explored further: a receive with MPI_ANY_SOURCE takes the first
 * message that it could take, MPI_Waitany the first request, and so on. The report says how many choices that
 * concerned. Loops may be nested. In Fortran: call MPI_Pcontrol(1526801) and call MPI_Pcontrol(1526802).
 *
 *     int tries = 0;
 *     isp_ignore(&tries, sizeof tries);       // how often it was asked does not matter to what comes
 *     for (int done = 0; !done; tries++)
 *         MPI_Test(&request, &done, MPI_STATUS_IGNORE);
 *
 * Where all ranks are in a state in which they were before, isp does not explore again what comes after it.
 * These bytes then do not count. Of a local variable that holds until its function returns, of memory of
 * malloc or mmap until it is given back, else to the end; or until isp_unignore. That it does not matter is
 * your word: if it decides what the program does, errors may be missed, and the verdict says that it was
 * assumed. isp --ignore NAME has the same effect without a change to the program.
 */
#ifndef ISP_H
#define ISP_H

#include <stddef.h>

#define ISP_LOOP_BEGIN 1526801
#define ISP_LOOP_END 1526802
#define ISP_IGNORE 1526803
#define ISP_UNIGNORE 1526804

#define isp_loop_begin() ((void)MPI_Pcontrol(ISP_LOOP_BEGIN))
#define isp_loop_end() ((void)MPI_Pcontrol(ISP_LOOP_END))
#define isp_ignore(pointer, bytes) \
    ((void)MPI_Pcontrol(ISP_IGNORE, (const volatile void *)(pointer), (size_t)(bytes)))
#define isp_unignore(pointer, bytes) \
    ((void)MPI_Pcontrol(ISP_UNIGNORE, (const volatile void *)(pointer), (size_t)(bytes)))

#endif
