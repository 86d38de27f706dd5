/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline from rank 2 on: each stage takes eight items from anybody, and hands them on. Rank 1 slips in
 * one item at stage 4, so stage 3 hands on only seven, and stage 4 wants its last two from stage 3. That
 * works if it has taken the odd one among its first six. Rank 0 takes a message from each stage for each
 * item, in any order. */
#include "program.h"

enum { ITEMS = 8, ODD = 4 };

static void stage(void)
{
    for (int i = 0; i < ITEMS; i++) {
        if (me == ODD && i >= ITEMS - 2)
            TAKE(me - 1, 1); /* @deadlock */
        else if (me > 2)
            TAKE_ANY(1);
        if (me < ranks - 1 && (me != ODD - 1 || i < ITEMS - 1))
            GIVE(me + 1, 1);
        if (me != ODD)
            GIVE(0, 2);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0)
        for (int i = 0; i < ITEMS * (ranks - 3); i++)
            TAKE_ANY(2);
    else if (me == 1)
        GIVE(ODD, 1);
    else
        stage();
    MPI_Finalize();
    return 0;
}
