/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 posts receives from anybody for all workers, waits for them, and takes one more from the last
 * worker, who sends twice at once: if both of his messages come early, another worker's is left over. Then
 * comes another message from each, in any order: ((n - 1)!)^2 orders and more. */
#include "program.h"

enum { MOST = 64 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Request all[MOST];
    static int got[MOST];
    if (me == 0) {
        for (int i = 0; i < ranks - 1; i++)
            MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &all[i]);
        MPI_Waitall(ranks - 1, all, MPI_STATUSES_IGNORE);
        TAKE(ranks - 1, 1); /* @deadlock */
        for (int i = 0; i < ranks - 1; i++)
            TAKE_ANY(2);
    } else {
        int n = me == ranks - 1 ? 2 : 1;
        for (int i = 0; i < n; i++)
            MPI_Issend(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &all[i]);
        MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
        GIVE(0, 2);
    }
    MPI_Finalize();
    return 0;
}
