/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symbols of libraries are read once. gdb forgets what it knows of a file when the last of its inferiors
 * lets go of it; so a second inferior, which never has a process, has the libraries of MPI and the system
 * too.
 */
#include "session.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool is_own(struct sched_gdb *g, const json_t *library)
{
    unsigned long long pc = 0;
    sched_mi_number(json_array_get(json_object_get(library, "ranges"), 0), "from", &pc);
    return sched_modules_kind(sched_gdb_modules(g), pc, NULL) == SCHED_MODULE_OWN;
}

static void share(struct sched_gdb *g, const char *file)
{
    char *command = sched_format("add-symbol-file %s", file), *quoted = sched_mi_quote(command);
    sched_gdb_do(g, "-interpreter-exec console %s", quoted);
    free(command);
    free(quoted);
}

void sched_gdb_share_symbols(struct sched_gdb *g)
{
    if (g->shares_symbols || !sched_gdb_do(g, "-add-inferior"))
        return;
    g->shares_symbols = true;
    json_t *values = sched_gdb_call(g, "-file-list-shared-libraries");
    size_t i;
    json_t *library;
    sched_gdb_do(g, "-interpreter-exec console \"inferior 2\"");
    json_array_foreach (json_object_get(values, "shared-libraries"), i, library) {
        const char *file = sched_mi_text(library, "host-name");
        if (file && !is_own(g, library))
            share(g, file);
    }
    sched_gdb_do(g, "-interpreter-exec console \"inferior 1\"");
    json_decref(values);
}
