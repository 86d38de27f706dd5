/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables of modules, by libdw: where one of this name is (--ignore), and what is at an address, down to
 * the member or element. Static variables of C, C++ and Fortran (modules, common blocks), of functions, and
 * local ones, by the frame of their function. Without debugging information what the symbol table names is
 * known.
 */
#ifndef SCHED_VARIABLES_H
#define SCHED_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/ignored.h"
#include "sites.h"

void sched_variables_destroy(struct sched_variables *variables);

/* ---- by name ---- */

/*
 * Appends to *all the places of the variable of this name in these modules: NAME (static, also A::NAME),
 * FILE:NAME, FUNCTION:NAME (of that function, local or static). NULL; or why there are none, in words, which
 * the caller frees.
 */
char *sched_variables_find(struct sched_sites *sites, const char *const *modules, size_t n_modules,
                           const char *name, struct isp_ignored **all, size_t *n);

/* ---- by place ---- */

enum sched_value_kind {
    SCHED_VALUE_BYTES,
    SCHED_VALUE_SIGNED,
    SCHED_VALUE_UNSIGNED,
    SCHED_VALUE_FLOAT,
    SCHED_VALUE_POINTER
};

struct sched_variable {
    char *name;   /* "main:x[3]", "status.MPI_SOURCE"; NULL: none is known */
    char *option; /* what --ignore calls the whole variable */
    char *file;   /* where it is declared; NULL: not known */
    int line;
    bool is_status; /* it is an MPI_Status, or part of one */
    enum sched_value_kind kind;
    Dwarf_Die type;         /* what the rest is of */
    uint64_t before, bytes; /* the member or element begins so many bytes before the place, and has so many */
};

/* What is there; false: not known. */
bool sched_variable_static(struct sched_sites *sites, const char *module, uint64_t offset,
                           struct sched_variable *variable);
bool sched_variable_thread(struct sched_sites *sites, const char *module, uint64_t offset,
                           struct sched_variable *variable);
/* Of the frame that stands at `at` (return address): so far from its end, its frame pointer's place, its
 * stack. */
struct sched_frame_place {
    uint64_t at;
    int64_t from_end, from_pointer, from_stack;
};
bool sched_variable_local(struct sched_sites *sites, const char *module,
                          const struct sched_frame_place *place, struct sched_variable *variable);
/* The local variable in this register, while its function stands at `at` (return address). */
bool sched_variable_register(struct sched_sites *sites, const char *module, uint64_t at, int reg,
                             struct sched_variable *variable);
/* The variable is a pointer: it becomes what lies so far behind where that leads. False: it is none. */
bool sched_variable_behind(struct sched_variable *pointer, uint64_t distance);
void sched_variable_finish(struct sched_variable *variable);

/* ---- what is taken for granted ---- */

/* That this does not matter; once of the same words. */
void sched_variables_assume(struct sched_sites *sites, const char *words);
/* The k-th of them, or NULL. */
const char *sched_variables_assumed(struct sched_sites *sites, size_t k);

#endif
