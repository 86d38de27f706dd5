/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlsym and dlvsym of a program that isp-cc has linked, by the linker's --wrap: as in dlsym.c, but simple,
 * since these are in the module of their caller.
 */
#include <dlfcn.h>
#include <string.h>

#include "entries.h"

extern __typeof__(dlsym) __real_dlsym __attribute__((weak));
extern __typeof__(dlvsym) __real_dlvsym __attribute__((weak));
void *__wrap_dlsym(void *handle, const char *name);
void *__wrap_dlvsym(void *handle, const char *name, const char *version);

static void *lead(void *found, const char *name)
{
    if (!found || !name || (strncmp(name, "MPI", 3) != 0 && strncmp(name, "PMPI", 4) != 0))
        return found;
    void *wrapper = prof_entries_wrapper(name);
    prof_entries_bind();
    return wrapper && prof_entries_is_mpis(found) ? wrapper : found;
}

void *__wrap_dlsym(void *handle, const char *name) { return lead(__real_dlsym(handle, name), name); }

void *__wrap_dlvsym(void *handle, const char *name, const char *version)
{
    return lead(__real_dlvsym(handle, name, version), name);
}
