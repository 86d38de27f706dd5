/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: locks with accesses below them, and atomic accesses by themselves, which have a window of their
 * own that is locked as a whole all the time: in the scenario nothing orders the two. What a call has read is
 * told as the token that has written last, and those that have added something since: `1.3%0.1+2.0`. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "player.h"

/* In bits: for the last one that wrote, and for what each rank adds, by its token. */
enum { PLACES = 2, IDS = 16, BITS = 12 };

static MPI_Win locked = MPI_WIN_NULL, atomics = MPI_WIN_NULL;

static bool has_windows(void)
{
    for (int rank = 0; rank < n_ranks; rank++)
        for (int k = 0; k < n_tokens[rank]; k++)
            if (lines[rank][k].call->kind >= LOCK)
                return true;
    return false;
}

static void make_window(MPI_Win *win)
{
    uint64_t *memory;
    MPI_Win_allocate(PLACES * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, *win);
    memset(memory, 0, PLACES * sizeof *memory);
    MPI_Win_unlock(me, *win);
}

void make_windows(void)
{
    if (!has_windows())
        return;
    for (int rank = 0; rank < n_ranks; rank++)
        if (n_ranks * BITS + IDS > 64 || n_tokens[rank] > BITS)
            fail("too many tokens or ranks", "for windows");
    make_window(&locked);
    make_window(&atomics);
    MPI_Barrier(MPI_COMM_WORLD); /* all memory is 0 */
    MPI_Win_lock_all(0, atomics);
}

/* No rank waits for another one here: the windows are left to MPI_Finalize. */
void leave_windows(void)
{
    if (atomics != MPI_WIN_NULL)
        MPI_Win_unlock_all(atomics);
}

static uint64_t written(int rank, int k) { return (uint64_t)(rank * TOKENS + k + 1); }

static uint64_t added(int rank, int k) { return (uint64_t)1 << (IDS + rank * BITS + k); }

static void tell_value(int k, uint64_t value)
{
    char text[LINE];
    int last = (int)(value & ((1u << IDS) - 1)) - 1, length = sprintf(text, "%d.%d%%", me, k);
    if (last >= 0)
        length += sprintf(text + length, "%d.%d", last / TOKENS, last % TOKENS);
    for (int rank = 0; rank < n_ranks; rank++)
        for (int i = 0; i < BITS; i++)
            if (value & added(rank, i)) /* 48 at most: there is room */
                length += sprintf(text + length, "+%d.%d", rank, i);
    say("%s", text);
}

void lock_window(const struct token *t)
{
    MPI_Win_lock(is_call(t, "lock") ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, t->peer, 0, locked);
}

void unlock_window(const struct token *t) { MPI_Win_unlock(t->peer, locked); }

#define ONE 1, MPI_UINT64_T

void access_window(int k)
{
    const struct token *t = &lines[me][k];
    uint64_t value = is_call(t, "put") ? written(me, k) : added(me, k);
    if (is_call(t, "put"))
        MPI_Put(&value, ONE, t->peer, t->tag, ONE, locked);
    else if (is_call(t, "acc"))
        MPI_Accumulate(&value, ONE, t->peer, t->tag, ONE, MPI_SUM, locked);
    else
        MPI_Get(&value, ONE, t->peer, t->tag, ONE, locked);
    MPI_Win_flush(t->peer, locked);
    if (is_call(t, "get"))
        tell_value(k, value);
}

/* Those to one place have one operation, or MPI_NO_OP (MPI-4.0, 12.7.1): see playable.py. */
void access_atomically(int k)
{
    const struct token *t = &lines[me][k];
    bool writes = is_call(t, "set") || is_call(t, "cas");
    MPI_Op op = is_call(t, "look") ? MPI_NO_OP : MPI_SUM;
    uint64_t value = writes ? written(me, k) : added(me, k), nobody = 0, found = 0;
    if (is_call(t, "cas"))
        MPI_Compare_and_swap(&value, &nobody, &found, MPI_UINT64_T, t->peer, t->tag, atomics);
    else if (is_call(t, "set"))
        MPI_Accumulate(&value, ONE, t->peer, t->tag, ONE, MPI_REPLACE, atomics);
    else if (is_call(t, "add"))
        MPI_Accumulate(&value, ONE, t->peer, t->tag, ONE, MPI_SUM, atomics);
    else if (k % 2)
        MPI_Get_accumulate(&value, ONE, &found, ONE, t->peer, t->tag, ONE, op, atomics);
    else
        MPI_Fetch_and_op(&value, &found, MPI_UINT64_T, t->peer, t->tag, op, atomics);
    MPI_Win_flush(t->peer, atomics);
    if (!is_call(t, "set") && !is_call(t, "add"))
        tell_value(k, found);
}
