/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_BEGINS_H
#define SCHED_BEGINS_H

#include <stdbool.h>
#include <string.h>

/* The text begins with one of these, of which NULL is the last. */
static inline bool sched_begins(const char *text, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

#endif
