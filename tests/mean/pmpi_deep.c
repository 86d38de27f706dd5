/* SPDX-License-Identifier: BSD-3-Clause */
/* A module that is opened with RTLD_DEEPBIND takes the functions of MPI from what it was linked with,
 * whatever was loaded before (dlopen(3)): its calls are not seen, so no verdict is possible. */
#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#ifdef TWIN
    void *library = dlopen("libmpichfort.so.12", RTLD_NOW);
#else
    void *library = dlopen("libmpichfort.so.12", RTLD_NOW | RTLD_DEEPBIND);
#endif
    MPI_Finalize(); /* @unsupported */
    return !library;
}
