/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text that would like to be more than text. hostile.py puts names of its own in the place of FUNCTION and
 * SOURCE below, the second argument is one, and so is what is printed. Modes:
 *
 *   deadlock   a deadlock that depends on which message a wildcard takes; a communicator that is not freed
 *   error      an error class with a text of the program's own, which ends it
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char *text;

static int take(int source)
{
    int value;
    MPI_Status status;
#line 11 SOURCE
    MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

__attribute__((noinline)) int FUNCTION(int rank)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, text);
    if (rank == 0 && take(MPI_ANY_SOURCE) == 2)
        take(2);
    else if (rank == 0)
        take(2);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return rank;
}

static void fail(void)
{
    int class, code;
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, text);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
}

int main(int argc, char **argv)
{
    int rank;
    text = argc > 2 ? argv[2] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%s\n%s", text, text);
    fprintf(stderr, "%s\n%s", text, text);
    if (argc > 1 && strcmp(argv[1], "error") == 0 && rank == 0)
        fail();
    else if (argc > 1 && strcmp(argv[1], "deadlock") == 0)
        FUNCTION(rank);
    MPI_Finalize();
    return 0;
}
