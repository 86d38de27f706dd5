/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes a message with tag 1 from one of the last two workers, then those of all others in any order,
 * and then wants the last worker's: 2 (n - 3)! orders. Depth first, the first choice is changed last. */
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        TAKE_ANY(1);
        for (int i = 0; i < ranks - 3; i++)
            TAKE_ANY(2);
        TAKE(ranks - 1, 1); /* @deadlock */
    } else {
        GIVE(0, me < ranks - 2 ? 2 : 1);
    }
    MPI_Finalize();
    return 0;
}
