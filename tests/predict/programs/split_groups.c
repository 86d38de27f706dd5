/* SPDX-License-Identifier: BSD-3-Clause */
/* Even and odd ranks have a communicator each, in which the first rank takes a message from each of the
 * others, then they add up, twice. In that of the even ones the last rank starts both its sends before it
 * adds up: if its second message comes in the first round, another one is left over, who is not there when
 * they add up. */
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm half;
    int place, n, sum;
    MPI_Request both[2];
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Comm_rank(half, &place);
    MPI_Comm_size(half, &n);
    int early = me % 2 == 0 && place == n - 1;
    for (int i = 0; early && i < 2; i++)
        MPI_Issend(&me, 1, MPI_INT, 0, 1, half, &both[i]);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; place == 0 && i < n; i++)
            MPI_Recv(&sum, 1, MPI_INT, MPI_ANY_SOURCE, 1, half, MPI_STATUS_IGNORE);
        if (place > 0 && !early)
            MPI_Ssend(&me, 1, MPI_INT, 0, 1, half); /* @deadlock */
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, half);
    }
    if (early)
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
