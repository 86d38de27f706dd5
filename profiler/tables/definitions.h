/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The history of this rank's calls that define something in MPI: datatypes, communicators, attributes and
 * so on (profiler/state/definitions.c). Where two histories are equal, equal handles mean the same. What
 * keeps a handle for later notes which history it comes from.
 */
#ifndef PROF_DEFINITIONS_H
#define PROF_DEFINITIONS_H

#include <stdbool.h>

#include "base/hash.h"

struct prof_definitions {
    bool kept; /* states of this rank are wanted */
    struct prof_hash history;
    const char *unknown; /* the function that has made the history say less than it should; or NULL */
};
extern struct prof_definitions prof_definitions;

#endif
