/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of imports of a loaded module: the slots that the dynamic linker fills with the addresses of
 * functions of others. */
#ifndef PROF_IMPORTS_H
#define PROF_IMPORTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_imports {
    uintptr_t low, high;              /* the module */
    uintptr_t base, relro, relro_end; /* relro: pages that are read-only by now */
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * tables[2];
    size_t sizes[2];
};

void prof_imports_read(struct prof_imports *m, const struct dl_phdr_info *info);
/* For each slot of a function: `lead` is given its name and what is in it, and returns what shall be there,
 * or NULL. */
typedef void *prof_imports_leads(const char *name, void *slot, void *context);
void prof_imports_lead(const struct prof_imports *m, prof_imports_leads *lead, void *context);

#endif
