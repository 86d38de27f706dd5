/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: (module, offset of the return address) to file, line and function, by
 * libdw, looked up once and only when a report needs it. Site numbers are global to the
 * exploration: the same place has the same number in every rank and every run.
 */
#ifndef SCHED_SITES_H
#define SCHED_SITES_H

#include <stdbool.h>
#include <stddef.h>
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
/* The call in the source, of which a compiler makes several where it unrolls a loop or inlines a function: a
 * text that all of them share, in this process and others; with `callers` also the calls on the way to it, as
 * far as they are known. NULL: its line is not known. Caller frees. */
char *sched_sites_call(struct sched_sites *sites, uint32_t site, bool callers);
/* They are one site, or one such call. */
bool sched_sites_are_alike(struct sched_sites *sites, uint32_t a, uint32_t b, bool callers);
/* Whether the site itself is in the function of this name, also if it, or another one between, is inlined. */
bool sched_sites_is_in(struct sched_sites *sites, uint32_t site, const char *function);

/* ---- the line that matters ---- */

/* The way to a call: its place, and those that it was called from, up to where the program begins; with the
 * functions that the compiler has inlined. Of a site without its callers that is what lies in its function.
 * NULL and *n 0: nothing is known. */
const struct sched_location *sched_sites_way(struct sched_sites *sites, uint32_t site, size_t *n);
/* It is in a source of the program's own. */
bool sched_location_is_own(const struct sched_location *at);
/* The first place of it that is in a source of the program's own, no header or library of the system; or
 * NULL. */
const struct sched_location *sched_sites_own(struct sched_sites *sites, uint32_t site);
/* The whole of it is known. */
bool sched_sites_is_whole(struct sched_sites *sites, uint32_t site);
/* Which place of it is no wrapper's (wrappers.h), by all ways that are known by now. */
size_t sched_sites_shown(struct sched_sites *sites, uint32_t site);
/* That place; never NULL. */
const struct sched_location *sched_sites_headline(struct sched_sites *sites, uint32_t site);
/* Several callers come by this way. */
bool sched_sites_is_shared(struct sched_sites *sites, uint32_t site);
/* An operation was called at the site: which, as a number from 1 that is the same for those that come to the
 * same. */
void sched_sites_called(struct sched_sites *sites, uint32_t site, uint32_t operation);

/* ---- for variables.h ---- */

struct Dwfl_Module;
struct sched_variables;

/* The module, opened; NULL: it cannot be read. Whatever it has is looked up on this host. */
struct Dwfl_Module *sched_sites_module(struct sched_sites *sites, const char *path);
/* The name by which the user finds a file of this unit's folder (or NULL) from here; caller frees. */
char *sched_sites_file(const struct sched_sites *sites, const char *name, const char *folder);
/* What is known of variables; it goes with the sites. */
struct sched_variables **sched_sites_variables(struct sched_sites *sites);

#endif
