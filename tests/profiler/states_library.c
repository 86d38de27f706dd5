/* SPDX-License-Identifier: BSD-3-Clause */
#include "states_library.h"

int states_library_exported;
static int hidden;

void states_library_change(void) { states_library_exported = 1; }

int states_library_count(void) { return ++hidden; }
