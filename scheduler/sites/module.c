/* SPDX-License-Identifier: BSD-3-Clause */
/* See module.h. */
#include "module.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/regular_file.h"
#include "scopes.h"

char *sched_module_begin(void)
{
    const char *servers = getenv("DEBUGINFOD_URLS");
    char *keep = servers ? sched_strdup(servers) : NULL;
    unsetenv("DEBUGINFOD_URLS");
    return keep;
}

void sched_module_end(char *servers)
{
    if (servers)
        setenv("DEBUGINFOD_URLS", servers, 1);
    free(servers);
}

static void report(struct sched_module *m)
{
    static char *debuginfo_path; /* NULL: libdw's default, .debug beside the file and /usr/lib/debug */
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &debuginfo_path,
    };
    m->dwfl = dwfl_begin(&callbacks);
    int fd = m->dwfl ? sched_regular_file_open(m->path, INT64_MAX) : -1;
    if (fd < 0)
        return;
    dwfl_report_begin(m->dwfl);
    m->mod = dwfl_report_elf(m->dwfl, m->path, m->path, fd, 0, true);
    dwfl_report_end(m->dwfl, NULL, NULL);
    if (!m->mod)
        close(fd);
}

bool sched_module_open(struct sched_module *m)
{
    if (!m->opened)
        report(m);
    m->opened = true;
    return m->mod;
}

void sched_module_destroy(struct sched_module *m)
{
    sched_scopes_destroy(m->scopes);
    if (m->dwfl)
        dwfl_end(m->dwfl);
    free(m->path);
    free(m);
}

/* clang writes no .debug_aranges, in which libdw looks it up: then the units are asked one by one. */
Dwarf_Die *sched_module_unit(const struct sched_module *m, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(m->mod, address, bias);
    if (unit && dwarf_haspc(unit, address - *bias) != 0)
        return unit;
    /* that was merely the last one before the address, of those in .debug_aranges (in a static program, libc
     * comes after it) */
    unit = NULL;
    while ((unit = dwfl_module_nextcu(m->mod, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    return NULL;
}

struct sched_scopes *sched_module_scopes(struct sched_module *m)
{
    if (!m->scopes)
        m->scopes = sched_scopes_create();
    return m->scopes;
}

const char *sched_module_symbol(const struct sched_module *m, Dwarf_Addr address)
{
    GElf_Sym symbol;
    GElf_Off offset;
    const char *name = dwfl_module_addrinfo(m->mod, address, &offset, &symbol, NULL, NULL, NULL);
    return name && offset < symbol.st_size ? name : NULL;
}
