/* SPDX-License-Identifier: BSD-3-Clause */
/* See mpi.h. Libraries are the dynamic linker's to find, so it is asked. */
#include "mpi.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/subprocess.h"
#include "program.h"

enum { LIMIT_S = 20, LINE = 512 };

/* A library's name, or more about it. */
static bool is_open_mpis(const char *library)
{
    static const char *const names[] = {"libmpi.so.40", "libmpi.so.20", "libmpi_mpifh.so", "libmpi_usempi",
                                        "libmpi_cxx.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(library, names[i]))
            return true;
    return false;
}

/* Of a program, or a library: what it names itself, or else what comes with its libraries. */
static bool loads_open_mpi(const char *path)
{
    char *named = sched_program_mpi(path), *words[] = {(char *)"ldd", (char *)path, NULL};
    int status;
    char *list = named ? NULL : sched_subprocess_run(words, NULL, LIMIT_S, &status);
    bool loads = is_open_mpis(named ? named : list);
    free(list);
    free(named);
    return loads;
}

/* The interpreter of a script's first line, with `env` left out; caller frees. NULL: it is none. */
static char *interpreter_of(const char *path)
{
    char line[LINE] = "", first[LINE], second[LINE] = "";
    FILE *file = fopen(path, "re");
    bool script = file && fgets(line, sizeof line, file) && strncmp(line, "#!", 2) == 0;
    if (file)
        fclose(file);
    if (!script || sscanf(line + 2, "%511s %511s", first, second) < 1)
        return NULL;
    return sched_strdup(strcmp(sched_program_base(first), "env") == 0 && *second ? second : first);
}

/* mpi4py's, which the interpreter itself must say where it is. */
static bool python_loads_open_mpi(const char *python)
{
    char *words[] = {(char *)python, (char *)"-c",
                     (char *)"import importlib.util as u; s = u.find_spec('mpi4py');"
                             "print('at', s.submodule_search_locations[0] if s else '')",
                     NULL};
    int status;
    char *said = sched_subprocess_run(words, NULL, LIMIT_S, &status), *at = strstr(said, "at /");
    bool loads = false;
    if (at) {
        at += strlen("at ");
        char *pattern = sched_format("%.*s/MPI*.so", (int)strcspn(at, "\n"), at);
        glob_t found;
        if (glob(pattern, 0, NULL, &found) == 0) {
            loads = loads_open_mpi(found.gl_pathv[0]);
            globfree(&found);
        }
        free(pattern);
    }
    free(said);
    return loads;
}

bool sched_mpi_is_open(const char *program, char *const *command)
{
    char *script = interpreter_of(program);
    const char *runs = script ? script : command[0];
    bool python = strncmp(sched_program_base(runs), "python", strlen("python")) == 0;
    bool is = python ? python_loads_open_mpi(script ? script : program) : !script && loads_open_mpi(program);
    free(script);
    return is;
}
