/* SPDX-License-Identifier: BSD-3-Clause */
#include "definitions.h"

struct prof_definitions prof_definitions;
