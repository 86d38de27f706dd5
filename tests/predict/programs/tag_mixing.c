/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 first takes what it thinks is the settings (tag 9, from rank 1), by any tag; then the results. If
 * the first one was a result, one is missing in the end, and rank 1 is never received from. (n - 1)!
 * orders. */
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        TAKE_ANY(MPI_ANY_TAG);
        for (int i = 2; i < ranks; i++)
            TAKE_ANY(1); /* @deadlock */
    } else {
        GIVE(0, me == 1 ? 9 : 1);
    }
    MPI_Finalize();
    return 0;
}
