/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_T: each control variable of MPI's library has a datatype of the program's MPI (MPI-3.1, section 14.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int level, n, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++) {
        char name[256], text[4096];
        int name_length = sizeof name, text_length = sizeof text, verbosity, binding, scope, size = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum items;
        if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &items, text, &text_length, &binding,
                                &scope))
            continue;
        MPI_Type_size(type, &size);
        wrong += size <= 0;
    }
    if (n == 0 || wrong)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
