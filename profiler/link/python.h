/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of Python: where a script has called MPI, by mpi4py or another module, the site is the script's line.
 * The interpreter is asked in the rank, if there is one in the process. A place stands for an address in
 * tables of sites; what the wire has of it is described at ISP_MSG_SITE.
 */
#ifndef PROF_PYTHON_H
#define PROF_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/wire.h"

/* Looks for an interpreter. True: there is one. */
bool prof_python_find(void);

/* The places of this thread's frames, innermost first, without those of mpi4py itself; returns how many there
 * are. address: where MPI was called, the same for a place and what leads to it. */
uint32_t prof_python_places(const void *address, const void **places, uint32_t most);

/* The address that stands behind a place; itself, if it is none. */
const void *prof_python_address(const void *place);

/* Puts the place as prof_module_put puts an address. False: it is an address. */
bool prof_python_put(struct isp_buf *b, const void *place);

#endif
