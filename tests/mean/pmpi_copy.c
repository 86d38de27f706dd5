/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies in another namespace of the dynamic linker has an MPI of its own, which nobody watches: so no
 * verdict is possible. A library that has nothing to do with MPI may be there (dlmopen(3)). */
#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#ifdef TWIN
    void *library = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
#else
    void *library = dlmopen(LM_ID_NEWLM, "libmpich.so.12", RTLD_NOW);
#endif
    MPI_Finalize(); /* @unsupported */
    return !library;
}
