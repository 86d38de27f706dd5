/* SPDX-License-Identifier: BSD-3-Clause */
/* See linked.h. The program is the first object that the dynamic linker names, also when there is no dynamic
 * linker. */
#include "linked.h"

#include <link.h>
#include <stdint.h>
#include <string.h>

#include "isp/note.h"

/* In every copy of the profiler; only the one in the program itself says anything. */
__asm__(".pushsection .note.isp,\"a\",@note\n"
        ".balign 4\n"
        ".long 4, 0, 1\n" /* sizes of name and content, type */
        ".asciz \"" ISP_NOTE_NAME "\"\n"
        ".popsection\n");

static bool is_here(const struct dl_phdr_info *info)
{
    static const char here;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + p->p_vaddr, at = (uintptr_t)&here;
        if (p->p_type == PT_LOAD && at >= low && at < low + p->p_memsz)
            return true;
    }
    return false;
}

/* ---- the note ---- */

static bool has_note(const char *notes, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *n = (const void *)notes;
        size_t length = sizeof *n + ((n->n_namesz + 3u) & ~3u) + ((n->n_descsz + 3u) & ~3u);
        if (n->n_type == ISP_NOTE_TYPE && n->n_namesz == sizeof ISP_NOTE_NAME &&
            memcmp(n + 1, ISP_NOTE_NAME, sizeof ISP_NOTE_NAME) == 0)
            return true;
        if (length > size)
            break;
        notes += length;
        size -= length;
    }
    return false;
}

/* Looks at the program only. */
static int look_for_note(struct dl_phdr_info *info, size_t size, void *found)
{
    if (is_here(info))
        return 1;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_NOTE && has_note((const char *)(info->dlpi_addr + p->p_vaddr), p->p_memsz))
            *(bool *)found = true;
    }
    return 1;
}

bool prof_linked_elsewhere(void)
{
    bool found = false;
    dl_iterate_phdr(look_for_note, &found);
    return found;
}

/* ---- MPI ---- */

struct search {
    bool is_program; /* the next object is the program */
};

static bool names_mpi(const ElfW(Dyn) * dynamic, const char *strings)
{
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && strncmp(strings + d->d_un.d_val, "libmpi", 6) == 0)
            return true;
    return false;
}

/* Non-zero for a loaded object, other than this library, that was linked with MPI; and for a program that
 * this is a part of. */
static int needs_mpi(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    bool is_program = search->is_program;
    search->is_program = false;
    if (is_here(info))
        return is_program;
    const ElfW(Dyn) *dynamic = NULL;
    const char *strings = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (const ElfW(Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)d->d_un.d_ptr;
    if (!strings || (uintptr_t)strings < info->dlpi_addr)
        return 0; /* the vdso, whose addresses are not relocated */
    return names_mpi(dynamic, strings);
}

bool prof_linked_mpi(void)
{
    struct search search = {.is_program = true};
    return dl_iterate_phdr(needs_mpi, &search) != 0;
}
