/* SPDX-License-Identifier: BSD-3-Clause */
/* Verdicts and the exit codes of the isp program. */
#ifndef ISP_VERDICT_H
#define ISP_VERDICT_H

enum isp_exit {
    ISP_EXIT_CLEAN = 0,      /* no finding, and everything was explored */
    ISP_EXIT_FINDINGS = 1,   /* --error-exitcode replaces it */
    ISP_EXIT_USAGE = 2,      /* bad command line, or the program cannot be started */
    ISP_EXIT_INCOMPLETE = 3, /* incomplete or unsupported, without findings */
    ISP_EXIT_TOOL = 5,       /* isp itself failed */
};

enum isp_buffering { ISP_BUFFERING_ZERO, ISP_BUFFERING_INFINITE, ISP_BUFFERING_AUTO };

#endif
