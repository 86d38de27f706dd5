/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code of a process is the program's own: by the file that is mapped where it is. */
#ifndef SCHED_GDB_MODULES_H
#define SCHED_GDB_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum sched_module_kind {
    SCHED_MODULE_OWN,    /* the program, and whatever libraries it uses */
    SCHED_MODULE_SYSTEM, /* the C library, those of the compilers, the kernel's */
    SCHED_MODULE_MPI,    /* the MPI library, and what it is made of */
    SCHED_MODULE_ISP,
};

struct sched_module {
    uint64_t low, high;
    char *path;
    enum sched_module_kind kind;
};

struct sched_modules {
    struct sched_module *all; /* by addresses */
    size_t n;
    bool has_mpi; /* as a library: none of it is in the program itself */
};

/* Those of a process now: what /proc/PID/maps has of code. None if it cannot be read. */
void sched_modules_init(struct sched_modules *m, pid_t pid);
/* The same of such a file. */
void sched_modules_init_from(struct sched_modules *m, const char *maps, const char *program);
void sched_modules_finish(struct sched_modules *m);

/* NULL: none. */
const struct sched_module *sched_modules_find(const struct sched_modules *m, uint64_t pc);
/* Of code, and of the function that it is in (NULL: not known): in a static program the name decides. */
enum sched_module_kind sched_modules_kind(const struct sched_modules *m, uint64_t pc, const char *function);

/* "MPI_Send" of PMPI_Send, isp_MPI_Send, mpi_send_, pmpir_send_f08_ ...; NULL: it is none of these. Caller
 * frees. */
char *sched_mpi_name(const char *function);

#endif
