/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables: see table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"

static struct cuts_entry *find(const struct cuts_table *table, const int32_t key[CUTS_KEY])
{
    uint64_t hash = 0;
    for (int i = 0; i < CUTS_KEY; i++)
        hash = (hash ^ (uint32_t)key[i]) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & (table->room - 1);
    while (table->entries[at].used && memcmp(table->entries[at].key, key, sizeof table->entries[at].key) != 0)
        at = (at + 1) & (table->room - 1);
    return &table->entries[at];
}

static void grow(struct cuts_table *table)
{
    struct cuts_table old = *table;
    table->room = old.room ? 2 * old.room : 64;
    table->entries = cuts_new(table->room, sizeof *table->entries);
    for (size_t i = 0; i < old.room; i++)
        if (old.entries[i].used)
            *find(table, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

int32_t *cuts_table_at(struct cuts_table *table, const int32_t key[CUTS_KEY])
{
    if (2 * table->n >= table->room)
        grow(table);
    struct cuts_entry *e = find(table, key);
    if (!e->used) {
        memcpy(e->key, key, sizeof e->key);
        e->value = CUTS_NONE;
        e->used = 1;
        table->n++;
    }
    return &e->value;
}

int32_t cuts_table_get(const struct cuts_table *table, const int32_t key[CUTS_KEY])
{
    const struct cuts_entry *e = table->room ? find(table, key) : NULL;
    return e && e->used ? e->value : CUTS_NONE;
}

void cuts_table_finish(struct cuts_table *table) { free(table->entries); }
