/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: each return address gets a number when it is first seen, and the scheduler is told once
 * where it lies (SITE: module and offset in it). The modules are kept in a table of our own, so that
 * a signal handler can look an address up without the dynamic linker's lock.
 */
#ifndef PROF_SITES_H
#define PROF_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/wire.h"

/* Number of the site of this return address (or stack: stacks.h), from 1; 0 for NULL. May append a SITE frame
 * to the link. */
uint32_t prof_site_number(const void *address);
/* Reads the list of loaded modules again. */
void prof_modules_refresh(void);
/* Path of the module that `address` lies in, or NULL. Safe in a signal handler. */
const char *prof_module_path(const void *address);
/* Puts where `address` lies: u64 offset, str module. Safe in a signal handler if `b` has room. */
void prof_module_put(struct isp_buf *b, const void *address);
/* Puts all modules that are there: u32 n, n times: str path. */
void prof_modules_put(struct isp_buf *b);
/* The module of this path: what offsets count from, and where its variables of this thread are (0: there are
 * none). False: it is not there. */
bool prof_module_find(const char *path, uint32_t length, uintptr_t *base, uintptr_t *thread);

#endif
