/* SPDX-License-Identifier: BSD-3-Clause */
/* Two rounds, with a barrier after each, in which rank 0 takes a message from each worker. The last worker
 * starts both of its sends at once: if its second one is taken in the first round, another worker is left
 * over, who never comes to the barrier. ((n - 1)!)^2 orders and more. */
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        for (int round = 0; round < 2; round++) {
            for (int i = 1; i < ranks; i++)
                TAKE_ANY(1);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    } else if (me < ranks - 1) {
        for (int round = 0; round < 2; round++) {
            GIVE(0, 1); /* @deadlock */
            MPI_Barrier(MPI_COMM_WORLD);
        }
    } else {
        MPI_Request both[2];
        for (int i = 0; i < 2; i++)
            MPI_Issend(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &both[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
