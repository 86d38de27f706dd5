/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in front of UCX's function, as progress.c does: see disconnect.h. */
#include "disconnect.h"

#include <dlfcn.h>
#include <stddef.h>

bool prof_disconnect_finalizing;

/* Weak: a static program has UCX's own, and keeps it. */
__attribute__((weak, visibility("default"))) void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    static void *(*real)(void *);
    if (prof_disconnect_finalizing)
        return NULL; /* it is done */
    if (!real)
        real = (void *(*)(void *))dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    return real(endpoint);
}
