/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in C that opens a library in Fortran, and with it the binding, when isp has begun. The library
 * sends MPI_IN_PLACE, which is for collectives only (MPI-4.1, section 6.2.3). */
#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL);
    void (*opened)(void) = library ? (void (*)(void))dlsym(library, "opened") : 0;

    if (!opened)
        return 1;
    MPI_Init(&argc, &argv);
    opened();
    MPI_Finalize();
    return 0;
}
