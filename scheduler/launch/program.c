/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isp watches a program through a preloaded library: that needs a dynamic linker that loads it,
 * the same machine, and the MPI that it was written for, in a library of its own. Otherwise the profiler must
 * have been linked into the program (isp-cc), which then has a note that says so. Whatever is not an ELF file
 * is left to execve (a script's interpreter is dynamic on every system that we know).
 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "isp/note.h"

static char *join(const char *folder, size_t n, const char *name)
{
    return sched_format("%.*s%s%s", (int)n, folder, n ? "/" : "", name);
}

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

const char *sched_program_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *sched_program_find(const char *name)
{
    if (strchr(name, '/'))
        return access(name, F_OK) == 0 ? join("", 0, name) : NULL;
    const char *search = getenv("PATH");
    if (!search)
        search = "/bin:/usr/bin";
    for (const char *at = search; *name; at++) {
        size_t n = strcspn(at, ":");
        char *path = n ? join(at, n, name) : join(".", 1, name);
        if (is_program(path))
            return path;
        free(path);
        at += n;
        if (!*at)
            break;
    }
    return NULL;
}

/* ---- ELF ---- */

/* Calls `look` with each library that the program names, until it returns something. */
static const char *among_libraries(Elf *elf, const char *(*look)(const char *library))
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Dyn dyn;
            if (!gelf_getdyn(data, (int)i, &dyn) || dyn.d_tag == DT_NULL)
                break;
            const char *library =
                dyn.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, dyn.d_un.d_val) : NULL;
            const char *found = library ? look(library) : NULL;
            if (found)
                return found;
        }
    }
    return NULL;
}

static const char *any_mpi(const char *library)
{
    return strncmp(library, "libmpi", strlen("libmpi")) == 0 ? library : NULL;
}

/* What MPICH says when MPI_Init fails. In two parts, so that isp itself, of which isp doctor runs two ranks,
 * does not have it. */
static bool contains_words(const char *file, size_t size)
{
    static const char begin[] = "MPI_Init(argc=%p, argv=", end[] = "%p) failed";
    const char *at = file;
    while ((at = memmem(at, size - (size_t)(at - file), begin, sizeof begin - 1))) {
        at += sizeof begin - 1;
        if (size - (size_t)(at - file) >= sizeof end - 1 && memcmp(at, end, sizeof end - 1) == 0)
            return true;
    }
    return false;
}

/* Whether MPI itself is in the program: MPI_Init under its other name; or, if that was stripped, its
 * words. */
static bool contains_mpi(Elf *elf)
{
    Elf_Scn *section = NULL;
    bool stripped = true;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
            continue;
        stripped = false;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            const char *name = gelf_getsym(data, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF
                                   ? elf_strptr(elf, header.sh_link, symbol.st_name)
                                   : NULL;
            if (name && strcmp(name, "PMPI_Init") == 0)
                return true;
        }
    }
    size_t size = 0;
    char *file = stripped ? elf_rawfile(elf, &size) : NULL;
    return file && contains_words(file, size);
}

/* Whether the profiler was linked into the program. */
static bool has_profiler(Elf *elf)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Nhdr note;
        size_t name, content;
        for (size_t at = 0; data && (at = gelf_getnote(data, at, &note, &name, &content)) > 0;)
            if (note.n_type == ISP_NOTE_TYPE && note.n_namesz == sizeof ISP_NOTE_NAME &&
                memcmp((char *)data->d_buf + name, ISP_NOTE_NAME, sizeof ISP_NOTE_NAME) == 0)
                return true;
    }
    return false;
}

static bool is_dynamic(Elf *elf)
{
    size_t n = 0;
    bool interpreter = false, dynamic = false;
    if (elf_getphdrnum(elf, &n) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header))
            return false;
        interpreter |= header.p_type == PT_INTERP;
        dynamic |= header.p_type == PT_DYNAMIC;
    }
    return interpreter && dynamic;
}

/* The machine that isp itself, and with it libisp.so, was built for. */
static bool is_own_machine(const GElf_Ehdr *header)
{
    GElf_Ehdr own;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    bool same = !elf || !gelf_getehdr(elf, &own) ||
                (own.e_machine == header->e_machine && own.e_ident[EI_CLASS] == header->e_ident[EI_CLASS] &&
                 own.e_ident[EI_DATA] == header->e_ident[EI_DATA]);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return same;
}

static char *refuse(const char *name, const char *why) { return sched_format("%s %s", name, why); }

static char *refuse_elf(const char *name, Elf *elf)
{
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header))
        return refuse(name, "is a damaged ELF file: build it again");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return refuse(name, "is an object file, not a program: link it first");
    if (!is_own_machine(&header))
        return refuse(name, "is built for another machine than isp: build both for the same");
    if (has_profiler(elf))
        return NULL;
    if (!is_dynamic(elf))
        return refuse(name, "is linked statically, so isp cannot watch it: build it with isp-cc (isp-cxx, "
                            "isp-fort) in place of mpicc, or without -static");
    if (!among_libraries(elf, any_mpi) && contains_mpi(elf))
        return refuse(name, "has MPI linked into it, so isp cannot watch it: build it with isp-cc (isp-cxx, "
                            "isp-fort), or with MPICH as a shared library");
    return NULL;
}

/* Opens a program as an ELF file; NULL if it is none, or cannot be read. */
static Elf *open_elf(const char *path, int *fd)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = *fd < 0 ? NULL : elf_begin(*fd, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        return elf;
    elf_end(elf);
    if (*fd >= 0)
        close(*fd);
    return NULL;
}

bool sched_program_has_profiler(const char *path)
{
    int fd;
    Elf *elf = open_elf(path, &fd);
    if (!elf)
        return false;
    bool has = has_profiler(elf);
    elf_end(elf);
    close(fd);
    return has;
}

char *sched_program_mpi(const char *path)
{
    int fd;
    Elf *elf = open_elf(path, &fd);
    const char *library = elf ? among_libraries(elf, any_mpi) : NULL;
    char *name = library ? sched_strdup(library) : NULL;
    if (elf) {
        elf_end(elf);
        close(fd);
    }
    return name;
}

char *sched_program_refuse(const char *name, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return refuse(name, "cannot be read: give the path of a program");
    if (S_ISDIR(st.st_mode))
        return refuse(name, "is a directory: give the path of a program");
    if (!is_program(path))
        return refuse(name, "is not executable: give the path of a program, or chmod +x it");
    int fd;
    Elf *elf = open_elf(path, &fd);
    if (!elf) /* a script, or it may be executed but not read: leave it to execve */
        return NULL;
    char *text = refuse_elf(name, elf);
    elf_end(elf);
    close(fd);
    return text;
}
