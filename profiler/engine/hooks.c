/* SPDX-License-Identifier: BSD-3-Clause */
#include "hooks.h"

struct prof_engine_hooks prof_engine_hooks;
bool prof_engine_looks, prof_engine_returns;
