/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that touches that of a pending receive is read and written: the bytes before and behind it, and the holes in its type. */
#include <mpi.h>

struct item {
    char kind;
    int value;
    char mark;
};

int main(int argc, char **argv)
{
    int rank, sum = 0;
    char bytes[16] = {0};
    struct item items[3] = {{1, 2, 3}};
    MPI_Datatype value, spaced;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_resized(MPI_INT, 0, sizeof(struct item), &spaced);
    MPI_Type_contiguous(3, spaced, &value);
    MPI_Type_commit(&value);
    if (rank == 0) {
        MPI_Send(bytes, 3, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&items[0].value, 1, value, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(bytes + 3, 3, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&items[0].value, 1, value, 0, 1, MPI_COMM_WORLD, &requests[1]);
        for (int i = 0; i < 16; i++)
            if (i < 3 || i >= 6)
                sum += bytes[i]++;
        for (int i = 0; i < 3; i++)
            sum += items[i].kind++ + items[i].mark++;
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&value);
    MPI_Type_free(&spaced);
    MPI_Finalize();
    return sum > 100;
}
