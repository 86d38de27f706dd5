/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_BOTTOM with a type of absolute addresses, in sends whose data are copied; MPICH's MPI_Pack refuses it. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, a[4] = {0};
    double b[2] = {0};
    void *room = malloc(1000);
    MPI_Aint at[2];
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&a[2], &at[0]);
    MPI_Get_address(&b[1], &at[1]);
    MPI_Type_create_struct(2, (int[]){2, 1}, at, parts, &type);
    MPI_Type_commit(&type);
    MPI_Buffer_attach(room, 1000);
    if (rank == 0) {
        a[2] = 3, a[3] = 4, b[1] = 5;
        MPI_Bsend(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
        a[2] = 6, a[3] = 7, b[1] = 8;
        MPI_Isend(MPI_BOTTOM, 1, type, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        a[2] = a[3] = 0, b[1] = 0;
    } else {
        MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a[0] == 0 && a[1] == 0 && a[2] == 3 && a[3] == 4 && b[0] == 0 && b[1] == 5);
        MPI_Recv(MPI_BOTTOM, 1, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a[2] == 6 && a[3] == 7 && b[1] == 8);
    }
    MPI_Buffer_detach(&room, &size);
    free(room);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
