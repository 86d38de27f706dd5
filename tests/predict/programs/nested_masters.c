/* SPDX-License-Identifier: BSD-3-Clause */
/* Three masters below rank 0, each with the same number of workers, from rank 4 on, who send it two messages
 * each. The last worker helps out at master 1, which wants his message last, but takes from anybody
 * before. */
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int workers = (ranks - 4) / 3;
    if (me == 0) {
        for (int i = 0; i < 3; i++)
            TAKE_ANY(3);
    } else if (me < 4) {
        for (int i = 0; i < 2 * workers; i++)
            TAKE_ANY(1);
        if (me == 1)
            TAKE(ranks - 1, 1); /* @deadlock */
        GIVE(0, 3);
    } else {
        if (me == ranks - 1)
            GIVE(1, 1);
        for (int i = 0; i < 2; i++)
            GIVE(1 + (me - 4) / workers, 1);
    }
    MPI_Finalize();
    return 0;
}
