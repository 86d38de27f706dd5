/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: (module, offset of the return address) to file, line and function, by
 * libdw, looked up once and only when a report needs it. Site numbers are global to the
 * exploration: the same place has the same number in every rank and every run.
 */
#ifndef SCHED_SITES_H
#define SCHED_SITES_H

#include <stdbool.h>
#include <stdint.h>

struct sched_sites;

struct sched_location {
    const char *file;     /* source file as the user would name it, or NULL */
    int line;             /* or 0 */
    const char *function; /* or NULL */
    const char *module;   /* path of the program or library */
    uint64_t offset;
};

struct sched_sites *sched_sites_create(void);
void sched_sites_destroy(struct sched_sites *sites);
/* Number of the site, from 1; 0 means unknown everywhere. `module` need not be terminated. */
uint32_t sched_sites_intern(struct sched_sites *sites, const char *module, uint32_t length, uint64_t offset);
/* The same for a site with its callers (--stacks): frames of sched_sites_intern, the site first. One frame is
 * just that. */
uint32_t sched_sites_intern_stack(struct sched_sites *sites, const uint32_t *frames, uint32_t n);
/* A name for it that means the same in other processes, in one line; caller frees. */
char *sched_sites_name(const struct sched_sites *sites, uint32_t site);
/* The site of such a name; 0 also if it is none. */
uint32_t sched_sites_named(struct sched_sites *sites, const char *name);
/* The site without its callers. */
uint32_t sched_sites_place(const struct sched_sites *sites, uint32_t site);
/* Its callers, innermost first, up to main: as sites. *n is 0 if none are known. */
const uint32_t *sched_sites_callers(struct sched_sites *sites, uint32_t site, uint32_t *n);
/* Never NULL; for 0 or what cannot be resolved, the fields are NULL or 0. */
const struct sched_location *sched_sites_find(struct sched_sites *sites, uint32_t site);
/* Whether the site itself is in the function of this name, also if it, or another one between, is inlined. */
bool sched_sites_is_in(struct sched_sites *sites, uint32_t site, const char *function);

#endif
