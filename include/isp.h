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
 */
#ifndef ISP_H
#define ISP_H

#define ISP_LOOP_BEGIN 1526801
#define ISP_LOOP_END 1526802

#define isp_loop_begin() ((void)MPI_Pcontrol(ISP_LOOP_BEGIN))
#define isp_loop_end() ((void)MPI_Pcontrol(ISP_LOOP_END))

#endif
