/* SPDX-License-Identifier: BSD-3-Clause */
#include "states_library.h"

volatile int states_library_exported;
static volatile int hidden;

void states_library_change(void) { states_library_exported = 1; }

int states_library_count(void) { return ++hidden; }
