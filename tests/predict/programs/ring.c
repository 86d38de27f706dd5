/* SPDX-License-Identifier: BSD-3-Clause */
/* In a ring of ranks 1 to n - 1 each hands on six values, and takes six from anybody; besides, rank 0 sends one to
 * each. Behind that all but rank 1 take the one that is left from anybody; rank 1 wants it from its neighbour,
 * which is wrong if it has not taken that of rank 0 before: 7^(n - 1) orders. */
#include "program.h"

enum { ROUNDS = 6, MOST = 64 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        MPI_Request all[MOST];
        for (int i = 1; i < ranks; i++)
            MPI_Issend(&me, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &all[i - 1]);
        MPI_Waitall(ranks - 1, all, MPI_STATUSES_IGNORE);
    } else {
        int left = me == 1 ? ranks - 1 : me - 1, right = me == ranks - 1 ? 1 : me + 1, x;
        for (int i = 0; i < ROUNDS; i++)
            MPI_Sendrecv(&me, 1, MPI_INT, right, 1, &x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        TAKE(me == 1 ? left : MPI_ANY_SOURCE, 1); /* @deadlock */
    }
    MPI_Finalize();
    return 0;
}
