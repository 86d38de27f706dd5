/* SPDX-License-Identifier: BSD-3-Clause */
/* A table from a few numbers to one. Private to cuts/. */
#ifndef CUTS_TABLE_H
#define CUTS_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { CUTS_KEY = 6 };

struct cuts_entry {
    int32_t key[CUTS_KEY];
    int32_t value;
    int32_t used;
};

struct cuts_table {
    struct cuts_entry *entries;
    size_t n, room; /* room: a power of 2, or 0 */
};

/* The value of this key, valid until the next call; a new one is CUTS_NONE. */
int32_t *cuts_table_at(struct cuts_table *table, const int32_t key[CUTS_KEY]);
/* The value, or CUTS_NONE. */
int32_t cuts_table_get(const struct cuts_table *table, const int32_t key[CUTS_KEY]);
void cuts_table_finish(struct cuts_table *table);

#endif
