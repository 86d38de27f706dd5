/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's program is not run: only the dynamic linker is asked what it would load, as ldd does. */
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/subprocess.h"
#include "launch/mpi.h"
#include "launch/program.h"
#include "checks.h"
#include "launch/libraries.h"

/* ---- its libraries ---- */

static bool is_mpi(const char *name)
{
    return strncmp(name, "libmpi", 6) == 0 && strncmp(name, "libmpicxx", 9) != 0 && !strstr(name, "fort") &&
           !strstr(name, "cxx");
}

struct libraries {
    char *missing; /* that are not found */
    char *mpi;     /* paths of different MPI libraries */
    int n_mpi;
};

static void join(char **list, const char *word)
{
    char *longer = sched_format("%s%s%s", *list ? *list : "", *list ? ", " : "", word);
    free(*list);
    *list = longer;
}

/* A line of the dynamic linker: "name => path (address)", or "name => not found". */
static void see(struct libraries *l, char *line)
{
    char name[256], path[4096];
    if (sscanf(line, " %255s => %4095s", name, path) != 2)
        return;
    if (strcmp(path, "not") == 0) {
        join(&l->missing, name);
    } else if (is_mpi(name)) {
        char *real = realpath(path, NULL);
        const char *which = real ? real : path;
        if (!l->mpi || !strstr(l->mpi, which)) {
            join(&l->mpi, which);
            l->n_mpi++;
        }
        free(real);
    }
}

/* With isp's, or alone. */
static struct libraries libraries_of(const char *path, bool preloaded)
{
    struct libraries l = {0};
    char *library = preloaded ? sched_launch_library() : NULL,
         *preload = sched_format("LD_PRELOAD=%s", library ? library : "");
    char *words[] = {(char *)"env", (char *)"LD_TRACE_LOADED_OBJECTS=1", preload, (char *)path, NULL};
    int status;
    char *said = sched_subprocess_run(words, NULL, 20, &status);
    for (char *rest = said, *line; (line = strsep(&rest, "\n"));)
        see(&l, line);
    free(said);
    free(preload);
    free(library);
    return l;
}

static void check_libraries(struct sched_doctor *doctor, const char *path)
{
    struct libraries l = libraries_of(path, true), own = libraries_of(path, false);
    char *const command[] = {(char *)path, NULL};
    const struct sched_mpi *other = sched_mpi_of(path, command);
    if (l.missing)
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "its libraries",
                         sched_format("not found: %s", l.missing), "install them, or set LD_LIBRARY_PATH");
    else if (other)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "its libraries",
                         sched_format("it is built with %s: isp runs it on MPICH", other->with), NULL);
    else if (own.n_mpi > 1)
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "its libraries",
                         sched_format("it loads two MPI libraries: %s", own.mpi),
                         "build it, and its libraries, with one MPI, or set LD_LIBRARY_PATH");
    else if (l.n_mpi >= 1) /* the program's comes first: isp works on that */
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "its libraries",
                         sched_format("with isp it uses %s", own.n_mpi ? own.mpi : l.mpi), NULL);
    free(l.missing);
    free(l.mpi);
    free(own.missing);
    free(own.mpi);
}

/* ---- its debug information ---- */

enum lines { NO_LINES, SOME_LINES, ITS_LINES /* those of main */ };

/* Whether main is in what has lines. True if there is no main to be seen. */
static bool main_has_lines(Dwfl_Module *module)
{
    int n = dwfl_module_getsymtab(module);
    for (int i = 0; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr at;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &at, NULL, NULL, NULL);
        if (name && strcmp(name, "main") == 0 && symbol.st_shndx != SHN_UNDEF)
            return dwfl_module_getsrc(module, at);
    }
    return true;
}

/* In the program, or in a file of its own beside it or in /usr/lib/debug. */
static enum lines has_lines(const char *path)
{
    static char *folders;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = &folders};
    unsetenv("DEBUGINFOD_URLS"); /* isp asks no server either */
    Dwfl *dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = dwfl ? dwfl_report_offline(dwfl, path, path, -1) : NULL;
    Dwarf_Addr bias;
    bool found = false;
    Dwarf_Die *unit = NULL;
    if (module && dwfl_report_end(dwfl, NULL, NULL) == 0 && dwfl_module_getdwarf(module, &bias))
        while (!found && (unit = dwfl_module_nextcu(module, unit, &bias))) {
            Dwarf_Lines *lines;
            size_t n = 0;
            found = dwarf_getsrclines(unit, &lines, &n) == 0 && n > 0;
        }
    bool its = found && main_has_lines(module);
    if (dwfl)
        dwfl_end(dwfl);
    return its ? ITS_LINES : found ? SOME_LINES : NO_LINES;
}

static void check_debug_information(struct sched_doctor *doctor, const char *path)
{
    enum lines lines = has_lines(path);
    if (lines == ITS_LINES)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "its lines",
                         sched_strdup("findings will name files and lines"), NULL);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "its lines",
                         sched_strdup(lines == SOME_LINES ? "main has no debug information, other parts have"
                                                          : "it has no debug information"),
                         lines == SOME_LINES ? "findings there cannot name files and lines: compile with -g"
                                             : "findings cannot name files and lines: compile with -g");
}

/* ---- */

static bool is_elf(const char *path)
{
    char begin[4] = "";
    FILE *file = fopen(path, "re");
    bool elf = file && fread(begin, 1, 4, file) == 4 && memcmp(begin, "\177ELF", 4) == 0;
    if (file)
        fclose(file);
    return elf;
}

void sched_doctor_program(struct sched_doctor *doctor, const char *name)
{
    char *path = sched_program_find(name), *why = path ? sched_program_refuse(name, path) : NULL;
    if (!path) {
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "program", sched_format("%s is not found", name),
                         "give its path: ./name");
    } else if (why) {
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "program", sched_strdup(why), NULL);
    } else if (!is_elf(path)) {
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "program",
                         sched_format("%s is a script: what it starts is not known", path),
                         "ask for the program itself");
    } else {
        bool linked = sched_program_has_profiler(path);
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "program",
                         sched_format("%s %s", path, linked ? "was built with isp-cc" : "can be watched"),
                         NULL);
        if (!linked)
            check_libraries(doctor, path);
        check_debug_information(doctor, path);
    }
    free(why);
    free(path);
}
