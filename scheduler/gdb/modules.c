/* SPDX-License-Identifier: BSD-3-Clause */
/* See modules.h. */
#include "modules.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/begins.h"

/* ---- names ---- */

/* Beginnings of the names of files. */
static const char *const isp_files[] = {"libisp.so", "libisp-arena.so", "libisp-openmpi.so", "libisp-abi.so",
                                        NULL};
static const char *const mpi_files[] = {"libmpi",       "libpmpi",      "libfmpich", "libopa",  "libmpl",
                                        "libuc",        "libfabric",    "libhwloc",  "libnuma", "libudev",
                                        "libibverbs",   "librdmacm",    "libmlx",    "libefa",  "libnl-",
                                        "libpsm",       "libpciaccess", "libxpmem",  "libpmi",  "libcxi",
                                        "libze_loader", "libcuda",      "libibumad", "libbsd",  NULL};
static const char *const system_files[] = {
    "libc.so",     "libc-",    "libpthread", "ld-",      "libm.so",   "libm-",     "libdl",
    "librt.",      "librt-",   "libresolv",  "libgcc_s", "libstdc++", "libc++",    "libgfortran",
    "libquadmath", "libgomp",  "libomp",     "libmvec",  "[vdso",     "[vsyscall", "libasan",
    "libtsan",     "libubsan", "vgpreload",  NULL};

/* Beginnings of the names of functions, where MPI and isp are archives in the program. */
static const char *const isp_functions[] = {"prof_", "isp_", NULL};
static const char *const mpi_functions[] = {"MPI_",   "PMPI_", "mpi_",  "pmpi_",  "pmpir_", "MPIR_",
                                            "MPID",   "MPIC_", "MPII_", "MPIU_",  "MPIX_",  "PMPIX_",
                                            "MPIDU_", "MPL_",  "ucp_",  "uct_",   "ucs_",   "ucm_",
                                            "hwloc_", "fi_",   "ofi_",  "yaksa_", "yaksi_", NULL};
static const char *const system_functions[] = {"__libc_", "__GI_",         "__pthread_",
                                               "_IO_",    "__assert_fail", NULL};

static enum sched_module_kind kind_of_file(const char *path, const char *program)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(path, program) == 0)
        return SCHED_MODULE_OWN;
    if (sched_begins(name, isp_files))
        return SCHED_MODULE_ISP;
    if (sched_begins(name, mpi_files) || strstr(path, "/ucx/libu") || strstr(path, "/libibverbs/"))
        return SCHED_MODULE_MPI;
    return sched_begins(name, system_files) ? SCHED_MODULE_SYSTEM : SCHED_MODULE_OWN;
}

static enum sched_module_kind kind_of_function(const char *function)
{
    if (sched_begins(function, isp_functions))
        return SCHED_MODULE_ISP;
    if (sched_begins(function, mpi_functions))
        return SCHED_MODULE_MPI;
    return sched_begins(function, system_functions) ? SCHED_MODULE_SYSTEM : SCHED_MODULE_OWN;
}

/* ---- maps ---- */

static void add_line(struct sched_modules *m, const char *line, const char *program)
{
    uint64_t low, high;
    char access[5];
    int at = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &low, &high, access, &at) < 3 || !at ||
        access[2] != 'x')
        return;
    SCHED_GROW(m->all, m->n);
    struct sched_module *new = &m->all[m->n++];
    *new = (struct sched_module){.low = low, .high = high, .path = sched_strdup(line + at)};
    new->path[strcspn(new->path, "\n")] = '\0';
    new->kind = kind_of_file(new->path, program);
    m->has_mpi |= new->kind == SCHED_MODULE_MPI || new->kind == SCHED_MODULE_ISP;
}

void sched_modules_init_from(struct sched_modules *m, const char *maps, const char *program)
{
    char *line = NULL;
    size_t room = 0;
    *m = (struct sched_modules){0};
    FILE *in = fopen(maps, "re");
    while (in && getline(&line, &room, in) > 0)
        add_line(m, line, program);
    free(line);
    if (in)
        fclose(in);
}

void sched_modules_init(struct sched_modules *m, pid_t pid)
{
    char maps[64], link[64], program[PATH_MAX];
    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)pid);
    snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(link, program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    sched_modules_init_from(m, maps, program);
}

void sched_modules_finish(struct sched_modules *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(m->all[i].path);
    free(m->all);
    *m = (struct sched_modules){0};
}

const struct sched_module *sched_modules_find(const struct sched_modules *m, uint64_t pc)
{
    for (size_t i = 0; i < m->n; i++)
        if (pc >= m->all[i].low && pc < m->all[i].high)
            return &m->all[i];
    return NULL;
}

enum sched_module_kind sched_modules_kind(const struct sched_modules *m, uint64_t pc, const char *function)
{
    const struct sched_module *module = sched_modules_find(m, pc);
    if (!module && m->n > 0) /* a jump to nowhere, or gdb has lost its way */
        return SCHED_MODULE_SYSTEM;
    if (module && (m->has_mpi || module->kind != SCHED_MODULE_OWN))
        return module->kind;
    return function ? kind_of_function(function) : SCHED_MODULE_OWN;
}

/* ---- functions of MPI ---- */

/* Of Fortran: behind "mpi_". */
static char *name_of_fortran(const char *rest)
{
    char *name = sched_format("MPI_%s", rest), *end = name + strlen(name);
    static const char *const endings[] = {"_", "_f08ts", "_f08", NULL};
    for (bool again = true; again;) {
        again = false;
        for (const char *const *e = endings; *e; e++) {
            size_t n = strlen(*e);
            if ((size_t)(end - name) > n + 5 && memcmp(end - n, *e, n) == 0)
                *(end -= n) = '\0', again = true;
        }
    }
    name[4] = (char)toupper((unsigned char)name[4]);
    return name;
}

char *sched_mpi_name(const char *function)
{
    static const char *const fortran[] = {"pmpir_", "mpir_", "pmpi_", "mpi_", NULL};
    const char *name = strncmp(function, "isp_", 4) == 0 ? function + 4 : function;
    if (strncmp(name, "prof_", 5) == 0 && isupper((unsigned char)name[5])) /* what its wrapper calls */
        return sched_format("MPI_%s", name + 5);
    if (strncmp(name, "PMPI", 4) == 0)
        name++;
    if (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0)
        return sched_strdup(name);
    for (const char *const *f = fortran; *f; f++)
        if (strncmp(name, *f, strlen(*f)) == 0 && name[strlen(*f)])
            return name_of_fortran(name + strlen(*f));
    return NULL;
}
