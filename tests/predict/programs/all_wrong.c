/* SPDX-License-Identifier: BSD-3-Clause */
/* Five pairs of workers, ranks 1 to 10, send to rank 0, which takes from one of each pair; only if it is the
 * even one in all five there is nobody who comes to his second message, with tag 9. The others send two
 * messages each, in any order: 2^5 (2 m)! / 2^m orders, and more behind them. */
#include "program.h"

enum { PAIRS = 5, DONE = 9, OTHER = 10 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int others = ranks - 1 - 2 * PAIRS;
    if (me == 0) {
        for (int i = 0; i < PAIRS; i++)
            TAKE_ANY(i);
        for (int i = 0; i < 2 * others; i++)
            TAKE_ANY(OTHER);
        TAKE_ANY(DONE); /* @deadlock */
        for (int i = 0; i < PAIRS; i++)
            TAKE_ANY(i);
        for (int i = 1; i < PAIRS; i++)
            TAKE_ANY(DONE);
    } else if (me <= 2 * PAIRS) {
        GIVE(0, (me - 1) / 2);
        if (me % 2)
            GIVE(0, DONE);
    } else {
        GIVE(0, OTHER);
        GIVE(0, OTHER);
    }
    MPI_Finalize();
    return 0;
}
