/* SPDX-License-Identifier: BSD-3-Clause */
/* See symbols.h. */
#include "symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols {
    const ElfW(Sym) * table;
    const char *strings;
    const ElfW(Half) * versions;
    const uint32_t *hash;
};

/* The C library's functions may be a sanitizer's, which asks for the real ones only now. */
static bool is_same(const char *a, const char *b)
{
    for (; *a == *b; a++, b++)
        if (!*a)
            return true;
    return false;
}

static uint32_t hash_of(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

/* The GNU hash table: sizes, a Bloom filter, buckets, chains. The default version of the symbol has no
 * hidden bit. */
void *prof_symbol_in(const struct link_map *map, const char *name)
{
    struct symbols s = {.table = NULL};
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB: s.table = (const void *)d->d_un.d_ptr; break;
        case DT_STRTAB: s.strings = (const void *)d->d_un.d_ptr; break;
        case DT_VERSYM: s.versions = (const void *)d->d_un.d_ptr; break;
        case DT_GNU_HASH: s.hash = (const void *)d->d_un.d_ptr; break;
        default: break;
        }
    }
    if (!s.table || !s.hash || (uintptr_t)s.hash < map->l_addr || s.hash[0] == 0)
        return NULL;
    uint32_t n_buckets = s.hash[0], offset = s.hash[1], wanted = hash_of(name);
    const uint32_t *buckets = s.hash + 4 + s.hash[2] * (sizeof(ElfW(Addr)) / 4), *chain = buckets + n_buckets;
    uint32_t i = buckets[wanted % n_buckets];
    for (; i >= offset && i != 0; i++) {
        uint32_t h = chain[i - offset];
        const ElfW(Sym) *symbol = &s.table[i];
        bool hidden = s.versions && s.versions[i] & 0x8000;
        bool may = (h | 1) == (wanted | 1) && !hidden && symbol->st_shndx != SHN_UNDEF;
        if (may && is_same(s.strings + symbol->st_name, name))
            return (void *)(map->l_addr + symbol->st_value);
        if (h & 1)
            break;
    }
    return NULL;
}
