/* SPDX-License-Identifier: BSD-3-Clause */
/* See hydra.h. */
#include "hydra.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

/* Debian's alternatives, and what Open MPI installs, are links to a program of one of these names. */
bool sched_hydra_is_open_mpis(const char *name)
{
    static const char *const names[] = {"orterun", "prterun", "prte", "mpirun.openmpi", "mpiexec.openmpi"};
    char *path = sched_program_find(name), *real = path ? realpath(path, NULL) : NULL;
    const char *base = real ? sched_program_base(real) : "";
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is |= strcmp(base, names[i]) == 0;
    free(real);
    free(path);
    return is;
}

static const char *find_name(void)
{
    static const char *const others[] = {"mpiexec.hydra", "mpiexec.mpich"};
    if (!sched_hydra_is_open_mpis("mpiexec"))
        return "mpiexec";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *path = sched_program_find(others[i]);
        free(path);
        if (path)
            return others[i];
    }
    return "mpiexec";
}

const char *sched_hydra_name(void)
{
    static const char *name; /* PATH stays as it is, and each launch asks */
    if (!name)
        name = find_name();
    return name;
}
