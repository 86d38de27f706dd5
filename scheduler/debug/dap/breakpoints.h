/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stops ranks on the client's behalf. Each is for all ranks (data: for one), and is put into a rank's
 * gdb when that is attached: breakpoints once, watchpoints for each process anew.
 */
#ifndef SCHED_DEBUG_DAP_BREAKPOINTS_H
#define SCHED_DEBUG_DAP_BREAKPOINTS_H

#include "dap.h"

enum sched_dap_stop_kind { SCHED_DAP_LINE, SCHED_DAP_FUNCTION, SCHED_DAP_DATA };

struct sched_dap_breakpoint {
    int id; /* the client's */
    enum sched_dap_stop_kind kind;
    char *path;               /* of a line; the function; of data its name */
    int line;                 /* as isp has it: from 1 */
    char *when;               /* a condition, NULL: none */
    char *count;              /* "== 3": of the hits in one run; NULL: each */
    struct sched_bytes bytes; /* of data */
    bool read, written;
    int *in_gdb;   /* of each rank; 0: it is not there */
    bool verified; /* some rank has such a place */
    char *message; /* why not */
};

struct sched_dap_breakpoints {
    struct sched_dap_breakpoint *all;
    size_t n;
    int last; /* id */
};

/* Puts it into all gdbs. Takes what it points to; in_gdb is made here. Returns the client's description. */
json_t *sched_dap_breakpoint_add(struct sched_dap *dap, struct sched_dap_breakpoint b);
/* Those of this kind; of lines those of a file. */
void sched_dap_breakpoints_forget(struct sched_dap *dap, enum sched_dap_stop_kind kind, const char *path);
void sched_dap_breakpoints_destroy(struct sched_dap *dap);
/* gdb has been attached to another process of the rank. */
void sched_dap_breakpoints_attached(struct sched_dap *dap, int rank);
/* What has stopped a rank; NULL: none of these. */
const struct sched_dap_breakpoint *sched_dap_breakpoint_find(const struct sched_dap *dap, int rank,
                                                             int in_gdb);
/* "3", ">= 3", "% 3" as "== 3", ">= 3", "% 3"; NULL: it is none of these. Caller frees. */
char *sched_dap_count(const char *text);

#endif
