/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who is to blame for the death of a run. Causes are tried from the most to the least telling, and the first
 * that is there is reported: a failed assertion, a crash, an error of MPI, MPI_Abort, an exit, a rank that
 * has said nothing, the launcher's exit code.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "checkpoint/checkpoints.h"
#include "ends.h"
#include "findings/rule.h"
#include "isp/functions.h"
#include "launch/launch.h"
#include "sites/sites.h"
#include "sites/stack.h"
#include "tell.h"
#include "words/words.h"

static bool has_told(const struct sched_world *w, enum isp_rule rule, int rank)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_FINDING && w->told[i].rule == rule &&
            (rank < 0 || w->told[i].rank == rank))
            return true;
    return false;
}

/* An error was reported that accounts for an abort or an exit code. */
static bool is_explained(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (sched_world_rank(w, i).truncated)
            return true;
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_FINDING && sched_rule_severity(w->told[i].rule) == ISP_SEVERITY_ERROR)
            return true;
    return false;
}

static char *words_of_crash(const struct sched_told *t)
{
    if (t->code)
        return sched_format("rank %d died of signal %d (%s)", t->rank, t->code, strsignal(t->code));
    return *t->text ? sched_format("AddressSanitizer ended rank %d: %s", t->rank, t->text)
                    : sched_format("a sanitizer ended rank %d", t->rank);
}

static void judge_crash(struct sched_world *w, const struct sched_told *t)
{
    size_t skipped = t->code ? 0 : sched_frames_of_sanitizer(w, t->frames, t->n_frames);
    const uint32_t *frames = t->frames + skipped;
    size_t n = t->n_frames - skipped, top = sched_stack_top(w->run->sites, frames, n);
    const struct sched_rank_view view = sched_world_rank(w, t->rank), *r = &view;
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_CRASH);
    char *words = words_of_crash(t);
    sched_draft_message(d, "%s", words);
    free(words);
    sched_draft_lines(d, sched_tell_frames(w, frames, n));
    if (!t->code)
        sched_draft_line(
            d, "what the sanitizer has to say is in the program's output, and in that of the replay");
    if (r->fn)
        sched_draft_line(d, "last MPI call: %s at %s", sched_last_call(r), sched_draft_place(d, r->site));
    sched_draft_rank(d, t->rank);
    n = sched_frames_down_to_main(w, frames, n);
    for (size_t i = top; i < n; i++)
        if (!sched_frame_is_own(w, frames[i]))
            sched_draft_site(d, t->rank, 0, frames[i]);
    sched_judge_end(d, t->code ? sched_draft_own(d, sched_format("signal %d", t->code)) : t->text);
}

static bool is_of_library(struct sched_world *w, uint32_t frame, const char *library)
{
    const char *module = sched_sites_find(w->run->sites, frame)->module,
               *slash = module ? strrchr(module, '/') : NULL;
    return module && strncmp(slash ? slash + 1 : module, library, strlen(library)) == 0;
}

/* Whether it was libisp.so that called abort(), for lack of memory or because of a mistake of its own. */
static bool is_own_abort(struct sched_world *w, const struct sched_told *t)
{
    uint32_t i = 0;
    if (t->type != ISP_MSG_CRASH || t->code != SIGABRT)
        return false;
    while (i < t->n_frames &&
           (is_of_library(w, t->frames[i], "libc.so") || is_of_library(w, t->frames[i], "libisp-arena.so")))
        i++;
    return i < t->n_frames && is_of_library(w, t->frames[i], "libisp.so");
}

void sched_judge_own_abort(struct sched_world *w)
{
    for (size_t i = 0; i < w->n_told && w->ending == SCHED_END_DIED; i++) {
        const struct sched_told *t = &w->told[i];
        if (has_told(w, ISP_RULE_ASSERTION, t->rank) || !is_own_abort(w, t))
            continue;
        char *place =
            sched_words_place(w->run, t->frames[sched_stack_top(w->run->sites, t->frames, t->n_frames)]);
        w->victim = sched_format("isp's own library had to give up in rank %d, called at %s: "
                                 "it could get no more memory, most likely (see ulimit)",
                                 t->rank, place);
        w->ending = SCHED_END_KILLED;
        free(place);
    }
}

static void judge_abort(struct sched_world *w, const struct sched_told *t)
{
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_ABORT);
    sched_draft_message(d, "rank %d calls MPI_Abort with code %d", t->rank, t->code);
    sched_tell_state(d, w);
    sched_draft_site(d, t->rank, t->fn, t->site);
    sched_judge_end(d, "");
}

/* The places of those ranks that left as the first one did: with this status, and with or without
 * MPI_Finalize. */
static void add_leavers(struct sched_draft *d, const struct sched_world *w, const struct sched_told *first)
{
    for (int rank = 0; rank < w->n; rank++)
        for (size_t i = 0; i < w->n_told; i++) {
            const struct sched_told *t = &w->told[i];
            if (t->type == ISP_MSG_EXIT && t->rank == rank && t->finalized == first->finalized &&
                t->code == first->code)
                sched_draft_site(d, rank, t->fn, t->site);
        }
}

static void judge_exits(struct sched_world *w, enum isp_rule rule, const struct sched_told *first)
{
    const char *before = first->finalized                               ? ""
                         : sched_world_rank(w, first->rank).initialized ? " without MPI_Finalize"
                                                                        : " before MPI_Init";
    struct sched_draft *d = sched_draft_create(w->run, rule);
    add_leavers(d, w, first);
    if (rule == ISP_RULE_NO_FINALIZE)
        sched_draft_message(d, "%s left without MPI_Finalize; last MPI call: %s", sched_draft_ranks(d),
                            first->fn ? isp_fn_name((enum isp_fn)first->fn) : "MPI_Init");
    else
        sched_draft_message(d, "%s left with exit code %d%s", sched_draft_ranks(d), first->code, before);
    if (!first->finalized)
        sched_tell_state(d, w);
    sched_judge_end(d, sched_draft_own(d, sched_format("code %d", first->code)));
}

/* Ranks have left with exit code 0, and others wait for them in MPI_Init: all have to call it (MPI-4.0,
 * section 11.2.1). Returns whether that is so. Not if what has left only came before the program. */
static bool judge_deserters(struct sched_world *w, const struct sched_told *first)
{
    int waits = 0;
    while (waits < w->n && (!w->starts || w->starts[waits] != SCHED_START_WITHIN))
        waits++;
    if (waits == w->n || w->starts[first->rank] != SCHED_START_NOWHERE)
        return false;
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_HANG);
    add_leavers(d, w, first);
    sched_draft_message(d, "%s left without MPI_Init, in which rank %d is", sched_draft_ranks(d), waits);
    sched_tell_state(d, w);
    sched_judge_end(d, "left");
    return true;
}

/* Returns whether some rank's exit is to blame. */
static bool judge_exit(struct sched_world *w)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_EXIT && w->told[i].code) {
            judge_exits(w, ISP_RULE_EXIT_CODE, &w->told[i]);
            return true;
        }
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_EXIT && !w->told[i].finalized &&
            sched_world_rank(w, w->told[i].rank).initialized) {
            judge_exits(w, ISP_RULE_NO_FINALIZE, &w->told[i]);
            return true;
        }
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_EXIT && !w->told[i].finalized && judge_deserters(w, &w->told[i]))
            return true;
    return false;
}

static void judge_silent(struct sched_world *w, int rank)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_CRASH);
    sched_draft_message(d, "rank %d was killed, or left by _exit; last MPI call: %s", rank,
                        sched_last_call(r));
    sched_tell_state(d, w);
    sched_draft_site(d, rank, r->fn, r->site);
    sched_judge_end(d, "silent");
}

/* All ranks have told that they leave with exit code 0. */
static bool have_left_well(const struct sched_world *w)
{
    int left = 0;
    for (size_t i = 0; i < w->n_told; i++)
        left += w->told[i].type == ISP_MSG_EXIT && w->told[i].finalized && w->told[i].code == 0;
    return left == w->n;
}

/* The launcher's own exit code, when no rank has told anything. */
static void judge_status(struct sched_world *w)
{
    const struct sched_launch *l = sched_world_launch(w);
    if (!l || !l->ended || sched_checkpoints_forked(w) /* it sees what isp does to them */)
        return;
    if (!WIFEXITED(l->status) || WEXITSTATUS(l->status) == 0 ||
        (sched_launch_has_failed(l) && have_left_well(w)))
        return;
    int code = WEXITSTATUS(l->status);
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_EXIT_CODE);
    sched_draft_message(d, "%s ended with exit code %d%s",
                        w->n_connected ? "the program" : "the program or its launcher", code,
                        w->n_connected ? "" : " before any rank reached MPI_Init");
    if (!w->n_connected)
        sched_draft_lines(d, sched_escape(sched_launch_last_words(l), "\n"));
    sched_judge_end(d, "launcher");
}

void sched_judge_death(struct sched_world *w)
{
    if (has_told(w, ISP_RULE_ASSERTION, -1))
        return;
    const struct sched_told *t = sched_told_find(w, ISP_MSG_CRASH);
    bool misplaced = t && (has_told(w, ISP_RULE_CALL_BEFORE_INIT, t->rank) ||
                           has_told(w, ISP_RULE_CALL_AFTER_FINALIZE, t->rank));
    if (t && !misplaced) {
        judge_crash(w, t);
        return;
    }
    if (is_explained(w))
        return;
    t = sched_told_find(w, ISP_MSG_ABORT);
    if (t) {
        judge_abort(w, t);
        return;
    }
    if (judge_exit(w))
        return;
    if (w->silent >= 0)
        judge_silent(w, w->silent);
    else
        judge_status(w);
}
