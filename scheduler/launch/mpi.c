/* SPDX-License-Identifier: BSD-3-Clause */
/* See mpi.h. Libraries are the dynamic linker's to find, so it is asked. */
#include "mpi.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/subprocess.h"
#include "program.h"

enum { LIMIT_S = 20, LINE = 512 };

const struct sched_mpi sched_open_mpi = {"openmpi", "Open MPI", "libisp-openmpi.so"};
static const struct sched_mpi standard = {"abi", "the standard ABI of MPI 5", "libisp-abi.so"};
static const struct sched_mpi *const all[] = {&standard, &sched_open_mpi};

const struct sched_mpi *sched_mpi_named(const char *option)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->option, option) == 0)
            return all[i];
    return NULL;
}

/* libraries: a library's name, or more about it. */
static const struct sched_mpi *whose(const char *libraries)
{
    static const struct {
        const char *name;
        const struct sched_mpi *mpi;
    } known[] = {{"libmpi_abi.so.1", &standard},     {"libmpi.so.40", &sched_open_mpi},
                 {"libmpi.so.20", &sched_open_mpi},  {"libmpi_mpifh", &sched_open_mpi},
                 {"libmpi_usempi", &sched_open_mpi}, {"libmpi_cxx.so", &sched_open_mpi}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(libraries, known[i].name))
            return known[i].mpi;
    return NULL;
}

/* Of a program, or a library: what it names itself, or else what comes with its libraries. */
static const struct sched_mpi *loaded_by(const char *path)
{
    char *named = sched_program_mpi(path), *words[] = {(char *)"ldd", (char *)path, NULL};
    int status;
    char *list = named ? NULL : sched_subprocess_run(words, NULL, LIMIT_S, &status);
    const struct sched_mpi *found = whose(named ? named : list);
    free(list);
    free(named);
    return found;
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

/* Interpreters whose programs load MPI with a module, which the interpreter itself must say where it is. */
static const struct interpreter {
    const char *name;          /* the beginning of it */
    const char *option, *asks; /* what prints "at FOLDER" */
    const char *module;        /* there; a pattern */
} interpreters[] = {
    {"python", "-c",
     "import importlib.util as u; s = u.find_spec('mpi4py');"
     "print('at', s.submodule_search_locations[0] if s else '')",
     "MPI*.so"},
    {"Rscript", "-e", "cat('at', system.file('libs', package = 'Rmpi'))", "Rmpi.so"},
};

static const struct interpreter *interpreter_named(const char *path)
{
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
        if (strncmp(sched_program_base(path), interpreters[i].name, strlen(interpreters[i].name)) == 0)
            return &interpreters[i];
    return NULL;
}

static const struct sched_mpi *loaded_by_module(const char *path, const struct interpreter *one)
{
    char *words[] = {(char *)path, (char *)one->option, (char *)one->asks, NULL};
    int status;
    char *said = sched_subprocess_run(words, NULL, LIMIT_S, &status), *at = strstr(said, "at /");
    const struct sched_mpi *loads = NULL;
    if (at) {
        at += strlen("at ");
        char *pattern = sched_format("%.*s/%s", (int)strcspn(at, "\n"), at, one->module);
        glob_t found;
        if (glob(pattern, 0, NULL, &found) == 0) {
            loads = loaded_by(found.gl_pathv[0]);
            globfree(&found);
        }
        free(pattern);
    }
    free(said);
    return loads;
}

const struct sched_mpi *sched_mpi_of(const char *program, char *const *command)
{
    char *script = interpreter_of(program);
    const struct interpreter *one = interpreter_named(script ? script : command[0]);
    const struct sched_mpi *mpi = one      ? loaded_by_module(script ? script : program, one)
                                  : script ? NULL
                                           : loaded_by(program);
    free(script);
    return mpi;
}
