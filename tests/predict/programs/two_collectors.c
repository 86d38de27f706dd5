/* SPDX-License-Identifier: BSD-3-Clause */
/* Two collectors, ranks 0 and 1, of which each takes one message from anybody, and then wants that of a
 * worker who serves the other one first. They wait for each other only if both first took the wrong one. Rank
 * 2 takes two messages from each of the others in any order: (2 (n - 7))! / 2^(n - 7) orders, and some
 * more. */
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me < 2) {
        TAKE_ANY(1);
        TAKE(3 + me, 1); /* @deadlock */
        TAKE_ANY(1);
    } else if (me == 2) {
        for (int i = 0; i < 2 * (ranks - 7); i++)
            TAKE_ANY(2);
    } else if (me == 3) { /* collector 1 first, then collector 0 */
        GIVE(1, 1);
        GIVE(0, 1);
    } else if (me == 4) {
        GIVE(0, 1);
        GIVE(1, 1);
    } else if (me < 7) {
        GIVE(me - 5, 1);
    } else {
        GIVE(2, 2);
        GIVE(2, 2);
    }
    MPI_Finalize();
    return 0;
}
