/* SPDX-License-Identifier: BSD-3-Clause */
/* See imports.h. */
#include "imports.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_dynamic(struct prof_imports *m, const ElfW(Dyn) * dynamic)
{
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB: m->symbols = (const void *)d->d_un.d_ptr; break;
        case DT_STRTAB: m->strings = (const void *)d->d_un.d_ptr; break;
        case DT_JMPREL: m->tables[0] = (const void *)d->d_un.d_ptr; break;
        case DT_PLTRELSZ: m->sizes[0] = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_RELA: m->tables[1] = (const void *)d->d_un.d_ptr; break;
        case DT_RELASZ: m->sizes[1] = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        default: break;
        }
    }
}

void prof_imports_read(struct prof_imports *m, const struct dl_phdr_info *info)
{
    *m = (struct prof_imports){.base = info->dlpi_addr, .low = UINTPTR_MAX};
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t begin = m->base + p->p_vaddr, end = begin + p->p_memsz;
        if (p->p_type == PT_LOAD) {
            m->low = begin < m->low ? begin : m->low;
            m->high = end > m->high ? end : m->high;
        } else if (p->p_type == PT_DYNAMIC) {
            read_dynamic(m, (const void *)begin);
        } else if (p->p_type == PT_GNU_RELRO) {
            m->relro = begin & ~(page - 1);
            m->relro_end = end & ~(page - 1);
        }
    }
    if ((uintptr_t)m->strings < m->base)
        m->strings = NULL; /* the vdso, whose addresses are not relocated */
}

void prof_imports_lead(const struct prof_imports *m, prof_imports_leads *lead, void *context)
{
    if (!m->symbols || !m->strings)
        return;
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; m->tables[t] && i < m->sizes[t]; i++) {
            const ElfW(Rela) *r = &m->tables[t][i];
            unsigned long type = ELF64_R_TYPE(r->r_info);
            if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64)
                continue;
            void **slot = (void **)(m->base + r->r_offset);
            void *to = lead(m->strings + m->symbols[ELF64_R_SYM(r->r_info)].st_name, *slot, context);
            if (!to)
                continue;
            bool is_shut = (uintptr_t)slot >= m->relro && (uintptr_t)slot < m->relro_end;
            if (is_shut && mprotect((void *)m->relro, m->relro_end - m->relro, PROT_READ | PROT_WRITE) != 0)
                continue;
            *slot = to;
            if (is_shut)
                mprotect((void *)m->relro, m->relro_end - m->relro, PROT_READ);
        }
}
