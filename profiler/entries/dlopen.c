/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlopen and dlmopen look whether a module is opened so that its calls of MPI may not come by here
 * (unseen.h), or may be made on behalf of others (entries.h). What they do depends on the caller's return
 * address, so dlsym_front.S jumps to the real ones.
 */
#include <dlfcn.h>

#include "dlsym.h"
#include "entries.h"
#include "unseen.h"

void *prof_dlopen(const char *file, int mode);
void *prof_dlmopen(Lmid_t space, const char *file, int mode);

void *prof_dlopen(const char *file, int mode)
{
    prof_dlsym_find();
    prof_entries_opens();
    prof_unseen_possible |= (mode & RTLD_DEEPBIND) != 0;
    return NULL;
}

void *prof_dlmopen(Lmid_t space, const char *file, int mode)
{
    prof_dlsym_find();
    prof_entries_opens();
    prof_unseen_possible |= space != LM_ID_BASE || (mode & RTLD_DEEPBIND) != 0;
    return NULL;
}
