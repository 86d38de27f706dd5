/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lower layer never calls a higher one (tests/layers). Where it must hear from one, it has a struct of
 * functions in its hooks.h, which are set here, all at once, in the first thing that this library does in a
 * process that may become a rank (lifecycle.c): before it nothing of it acts, and afterwards nothing changes
 * them, so signal handlers, threads and the processes of checkpoints read them as they are.
 */
#include "hooks.h"

#include "calls/partitioned.h"
#include "checkpoint.h"
#include "engine/hooks.h"
#include "files/files.h"
#include "link/hooks.h"
#include "memory/hooks.h"
#include "outside/hooks.h"
#include "outside/segments.h"
#include "state/state.h"
#include "windows/early_fence.h"
#include "windows/looks.h"
#include "windows/polling.h"
#include "windows/repeats.h"
#include "windows/window_memory.h"
#include "windows/windows.h"

static void record(const struct isp_call *call)
{
    prof_polling_over();
    prof_repeats_over();
    prof_looks_record(call);
}

void prof_hooks_set(void)
{
    prof_link_hooks = (struct prof_link_hooks){
        .opened = prof_segments_tell,
        .leave = prof_checkpoint_leave,
        .over = prof_checkpoint_over,
    };
    prof_outside_hooks = (struct prof_outside_hooks){.program = prof_state_of_program};
    prof_memory_hooks = (struct prof_memory_hooks){
        .windows_any = prof_window_buffers_any,
        .window_begin = prof_window_buffers_begin,
        .window_done = prof_window_buffers_done,
    };
    prof_engine_hooks = (struct prof_engine_hooks){
        .go = prof_checkpoint_go,
        .issue = {[PROF_OP_FILE] = prof_file_issue, [PROF_OP_WIN_FENCE] = prof_early_fence_issue},
        .partitions_issue = prof_partitions_issue,
        .partitions_arrived = prof_partitions_arrived,
        .record = record,
        .look = prof_window_memory_look,
        .keep = prof_window_memory_keep,
        .returns = prof_window_buffers_return,
        .win_is_fatal = prof_win_is_fatal,
        .file_is_fatal = prof_file_is_fatal,
    };
}
