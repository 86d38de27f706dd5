/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in front of UCX's function, as progress.c does. Over TCP, MPI_Finalize may hang. There MPICH 4.0.2
 * closes each of its connections, and lets UCX work until all are closed, which needs the other end to work
 * too; but a rank that is done waits for the others by reading from the process manager, and works no more.
 * So of the ranks of tests/programs/third_sender_ok one waits for ever in every other run of plain mpiexec
 * (UCX_TLS=tcp,self), and in each run under isp. What is closed there has nothing left to send: all messages
 * have been received (law 1). So the connections are left to be destroyed, with all of UCX, when everybody is
 * there.
 */

#include <dlfcn.h>
#include <stddef.h>

#include "base/phase.h"

/* Weak: a static program has UCX's own, and keeps it. */
__attribute__((weak, visibility("default"))) void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    static void *(*real)(void *);
    if (prof_finalizing)
        return NULL; /* it is done */
    if (!real)
        real = (void *(*)(void *))dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    return real(endpoint);
}
