/* SPDX-License-Identifier: BSD-3-Clause */
/* See unseen.h. */
#include "unseen.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "entries.h"
#include "imports.h"

bool prof_unseen_possible;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- modules whose imports lead to MPICH ---- */

struct search {
    const char *function;
    char *text;
    size_t size;
};

static void *look(const char *name, void *slot, void *context)
{
    struct search *s = context;
    if (!s->function && prof_entries_is_mpis(slot) && prof_entries_wrapper(name))
        s->function = name;
    return NULL;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *s = context;
    struct prof_imports m;
    prof_imports_read(&m, info);
    if (prof_entries_is_mpis((const void *)m.low))
        return 0;
    prof_imports_lead(&m, look, s);
    if (!s->function)
        return 0;
    snprintf(s->text, s->size, "%s was opened with RTLD_DEEPBIND: its calls of MPI (%s ...) go past isp",
             base_name(info->dlpi_name), s->function);
    return 1;
}

/* ---- copies of MPICH ---- */

/* A file is mapped from its beginning once for each copy of it. */
static bool has_copies(char *text, size_t size)
{
    char line[4352], path[4096], first[4096] = "";
    unsigned long offset;
    bool several = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !several && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%*s %*s %lx %*s %*s %4095s", &offset, path) != 2 || offset != 0)
            continue;
        if (strncmp(base_name(path), "libmpich.so", 11) != 0 && strncmp(base_name(path), "libmpi.so", 9) != 0)
            continue;
        several = first[0] != '\0';
        strcpy(first, path);
    }
    if (maps)
        fclose(maps);
    if (several)
        snprintf(text, size,
                 "a module was opened with dlmopen: it has a copy of MPI (%s), whose calls isp does not see",
                 first);
    return several;
}

bool prof_unseen_find(char *text, size_t size)
{
    struct search s = {.text = text, .size = size};
    if (!prof_unseen_possible)
        return false;
    return dl_iterate_phdr(visit, &s) != 0 || has_copies(text, size);
}
