/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program or library that a rank has named, and its debug information. It is opened once, offline, at base
 * 0, and only when a report needs it.
 *
 * A debuginfod server is never asked: a look-up must not touch the network. The variable that turns it on is
 * hidden only while libdw works, since the ranks inherit our environment.
 */
#ifndef SCHED_MODULE_H
#define SCHED_MODULE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include <uthash.h>

struct sched_scopes;

struct sched_module {
    char *path; /* key */
    Dwfl *dwfl;
    Dwfl_Module *mod; /* NULL: cannot be read */
    bool opened;
    struct sched_scopes *scopes; /* NULL: not asked for */
    UT_hash_handle hh;
};

/* False: it cannot be read. */
bool sched_module_open(struct sched_module *module);
/* Frees it; it must be in no table. */
void sched_module_destroy(struct sched_module *module);

/* Around what asks for debug information; what begin gives is for end. */
char *sched_module_begin(void);
void sched_module_end(char *servers);

/* The compilation unit around the address, or NULL. */
Dwarf_Die *sched_module_unit(const struct sched_module *module, Dwarf_Addr address, Dwarf_Addr *bias);
/* Its functions; they go with it. */
struct sched_scopes *sched_module_scopes(struct sched_module *module);
/* The symbol around the address, not merely the nearest one; or NULL. */
const char *sched_module_symbol(const struct sched_module *module, Dwarf_Addr address);

#endif
