/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of one loaded module. dlsym cannot be asked for these: it looks into what the module depends on
 * as well, where that is known. */
#ifndef PROF_SYMBOLS_H
#define PROF_SYMBOLS_H

#include <link.h>

/* What the module itself exports under this name; NULL: nothing. */
void *prof_symbol_in(const struct link_map *map, const char *name);

#endif
