/* SPDX-License-Identifier: BSD-3-Clause */
/* In a ring of ranks 1 to n - 1 each hands on six values, and takes six from anybody. Rank 0 sends one to
 * rank 1 besides, who therefore takes a last one, from its neighbour: which is wrong if it has not taken that
 * of rank 0 before. Behind a barrier rank 0 takes a message from each in any order: 7 (n - 1)! orders. */
#include "program.h"

enum { ROUNDS = 6 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        GIVE(1, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 1; i < ranks; i++)
            TAKE_ANY(2);
    } else {
        int left = me == 1 ? ranks - 1 : me - 1, right = me == ranks - 1 ? 1 : me + 1, x;
        for (int i = 0; i < ROUNDS; i++)
            MPI_Sendrecv(&me, 1, MPI_INT, right, 1, &x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        if (me == 1)
            TAKE(left, 1); /* @deadlock */
        MPI_Barrier(MPI_COMM_WORLD);
        GIVE(0, 2);
    }
    MPI_Finalize();
    return 0;
}
