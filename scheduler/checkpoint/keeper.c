/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a rank costs no fork. Once all ranks wait in MPI_Finalize each does no more than to look for
 * leaks and to leave, the same in every run that begins with the same process; so the process that waits
 * there does it itself, is gone, and what it told is told again in later runs. The process of level 0 stays,
 * since the launcher would see it end. So does one that has operations which nobody has matched: in another
 * run somebody may.
 */
#include "keeper.h"

#include "base/alloc.h"
#include "launch/processes.h"
#include "segments.h"
#include "world/files.h"
#include "world/hold.h"
#include "world/steps.h"
#include "world/told.h"

/* ---- what it is sent, and what it says ---- */

/* Levels up to here are of no use: no checkpoint is left between their beginning and that of the next one. */
static uint32_t droppable(const struct sched_checkpoints *c, const struct line *l)
{
    uint64_t oldest = c->n ? c->stack[0].serial : UINT64_MAX;
    uint32_t level = 1;
    while (level + 1 < l->n && l->all[level + 1].since < oldest)
        level++;
    return level;
}

/* Whether the rank that waits is needed again as it is. */
static bool must_stay(const struct sched_world *w, const struct line *l)
{
    const struct sched_checkpoints *c = w->in->checkpoints;
    if (w->in->finalizing && l->n == 1)
        return c->forked;
    if (w->in->finalizing && !l->pending)
        return false;
    return c->n && l->all[l->n - 1].since < c->stack[c->n - 1].serial;
}

static uint8_t go(struct sched_world *w, int rank, uint32_t *drop)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint8_t marks = w->in->hush ? ISP_GO_HUSH : 0;
    *drop = 0;
    if (!c)
        return marks;
    struct line *l = &c->lines[rank];
    l->acts = c->moved[rank] = true;
    c->ahead = 0;
    *drop = droppable(c, l);
    if (!must_stay(w, l))
        return marks;
    l->all = sched_grow(l->all, l->n + 1, sizeof *l->all);
    l->all[l->n] = (struct level){.since = c->newest};
    l->live = l->n++;
    l->forked_last = w->in->finalizing;
    return marks | ISP_GO_FORK;
}

static void acted(struct sched_world *w, int rank)
{
    if (w->in->checkpoints)
        w->in->checkpoints->lines[rank].acts = false;
}

/* The run can go on, but the world cannot go back. */
static void spoil(struct sched_checkpoints *c, int rank, const char *why)
{
    c->spoilt = true;
    if (!c->refused)
        c->refused = sched_format("rank %d: %s", rank, why);
}

static void take_back(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint32_t level = isp_get_u32(in);
    bool launched = isp_get_u8(in), whole = isp_get_u8(in), lost = isp_get_u8(in);
    in->ok = in->ok && c && level < c->lines[rank].n;
    if (!in->ok)
        return;
    c->lines[rank].live = level;
    c->lines[rank].stands_in = !launched;
    c->lines[rank].asked = false;
    c->spoilt |= lost;
    if (!whole)
        spoil(c, rank, "it reads standard input");
    /* the end of a run that is over: there is a new one, perhaps */
    bool expected = c->lines[rank].all[c->lines[rank].n - 1].known;
    if (!expected)
        sched_world_gone(w, rank);
}

/* Asked whether it can be forked a rank says why not, and nothing is lost. Later it is too late, but for who
 * debugs: that run itself is as good as before. */
static void take_no_fork(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint32_t length;
    const char *text = isp_get_str(in, &length);
    if (!in->ok || !c)
        return;
    char *why = sched_format("rank %d: %.*s", rank, (int)length, text);
    bool forked = c->lines[rank].n > 1 || c->n > 0;
    sched_checkpoints_refuse(c, why);
    free(why);
    if (forked && !sched_hold_is_used(w))
        sched_world_end(w, SCHED_END_NOT_FORKED);
}

static void take_spoilt(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint32_t length;
    const char *text = isp_get_str(in, &length);
    if (!in->ok || !c)
        return;
    char *why = sched_must(strndup(text, length));
    spoil(c, rank, why);
    free(why);
}

static void take_file(struct sched_world *w, int rank, const struct isp_file *file)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint64_t last = c && c->n ? c->stack[c->n - 1].serial : 0;
    if (sched_files_take(&w->files, file, c ? c->newest : 0, last) && c)
        spoil(c, rank, "it uses a file that was used before a checkpoint");
}

static void take_file_access(struct sched_world *w, int rank, const struct isp_file_access *access)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint64_t last = c && c->n ? c->stack[c->n - 1].serial : 0;
    if (sched_files_access(w->files, access, c ? c->newest : 0, last) && c)
        spoil(c, rank, "it uses a file that was used before a checkpoint");
}

static void take_segment(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    int64_t pid = (int64_t)isp_get_u64(in);
    int fd = isp_get_i32(in);
    if (in->ok && c && !sched_segments_add(c->segments, rank, (pid_t)pid, fd))
        sched_checkpoints_refuse(c, "MPI's shared memory cannot be opened");
}

static void take(struct sched_world *w, int rank, uint8_t type, struct isp_reader *in)
{
    switch (type) {
    case ISP_MSG_BACK: take_back(w, rank, in); break;
    case ISP_MSG_NO_FORK: take_no_fork(w, rank, in); break;
    case ISP_MSG_SPOILT: take_spoilt(w, rank, in); break;
    case ISP_MSG_SEGMENT: take_segment(w, rank, in); break;
    case ISP_MSG_ACTED: acted(w, rank); break;
    default: in->ok = false;
    }
}

/* ---- its processes ---- */

bool sched_checkpoints_forked(const struct sched_world *w)
{
    for (int i = 0; w->in->checkpoints && i < w->n; i++)
        if (w->in->checkpoints->lines[i].n > 1 || w->in->checkpoints->lines[i].stands_in)
            return true;
    return false;
}

pid_t sched_checkpoints_process(const struct sched_world *w, int rank)
{
    pid_t pid = (pid_t)w->in->ranks[rank].peer->pid;
    const struct sched_checkpoints *c = w->in->checkpoints;
    unsigned live = c ? c->lines[rank].live : 0;
    /* not each level is a process, else, and a copy may be between */
    unsigned most = live && c->use != SCHED_CHECKPOINTS_DEBUG ? live + 2 : live;
    if (!live && c && c->lines[rank].stands_in)
        most = 2;
    for (pid_t child; most-- > 0 && (child = sched_processes_child(pid));) /* a line has no other children */
        pid = child;
    return pid;
}

/* ---- its end ---- */

static void note_pending(const struct poe_transition *t, void *lines)
{
    if (!t->matched && t->call.op != ISP_OP_FINALIZE)
        ((struct line *)lines)[t->rank].pending = true;
}

static void finalize(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    /* what matched last is no part of a rank's end: it may not be in the frame of its release, since another
     * run would not send it */
    if (c) {
        sched_world_deliver(w);
        sched_steps_flush(w);
    }
    w->in->finalizing = true;
    if (!c)
        return;
    c->n_told = w->n_told;
    c->forked = c->n > 0 || sched_checkpoints_forked(w);
    for (int i = 0; i < w->n; i++)
        c->lines[i].pending = c->lines[i].forked_last = c->lines[i].plays = false;
    poe_each_live(w->run->poe, note_pending, c->lines);
}

static void ahead(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    if (!c || !c->n || c->ahead || !w->in->finalizing || !w->in->hush || sched_checkpoints_any_writes(c))
        return;
    for (int i = 0; i < w->n; i++)
        if (!w->in->ranks[i].finalized && !w->in->ranks[i].gone)
            return;
    sched_checkpoints_put_back_memory(c, sched_checkpoints_newest(c));
}

static bool can_return(const struct sched_world *w)
{
    const struct sched_checkpoints *c = w->in->checkpoints;
    return c && c->n && !c->refused && !c->spoilt;
}

static bool has_ended(const struct sched_world *w, int rank)
{
    const struct line *l = w->in->checkpoints ? &w->in->checkpoints->lines[rank] : NULL;
    const struct level *p = l ? &l->all[l->n - 1] : NULL;
    return p && p->known && !p->waits;
}

static bool plays(struct sched_world *w, int rank)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    if (!c || !w->in->finalizing || !c->forked)
        return false;
    struct line *l = &c->lines[rank];
    const struct level *p = &l->all[l->n - 1];
    if (!p->known)
        return false;
    l->plays = true;
    w->in->ranks[rank].finalized = w->in->ranks[rank].exited = w->in->ranks[rank].gone = true;
    for (size_t i = 0; i < p->n_last; i++) {
        struct sched_told *t = sched_told_add(w, rank, p->last[i].type);
        *t = sched_told_copy(&p->last[i]);
    }
    return true;
}

void sched_keeper_note_ends(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    for (int i = 0; i < w->n; i++) {
        struct line *l = &c->lines[i];
        if (l->plays)
            continue;
        struct level *p = &l->all[l->forked_last ? l->n - 2 : l->n - 1]; /* that waited in MPI_Finalize */
        p->known = true;
        p->waits = l->forked_last;
        for (size_t k = c->n_told; k < w->n_told; k++) {
            if (w->told[k].rank != i)
                continue;
            p->last = sched_grow(p->last, p->n_last + 1, sizeof *p->last);
            p->last[p->n_last++] = sched_told_copy(&w->told[k]);
        }
    }
}

const struct sched_keeper sched_checkpoints_keeper = {.go = go,
                                                      .acted = acted,
                                                      .take = take,
                                                      .take_file = take_file,
                                                      .take_file_access = take_file_access,
                                                      .forked = sched_checkpoints_forked,
                                                      .process = sched_checkpoints_process,
                                                      .finalize = finalize,
                                                      .ahead = ahead,
                                                      .plays = plays,
                                                      .has_ended = has_ended,
                                                      .can_return = can_return,
                                                      .go_back = sched_checkpoints_go_back,
                                                      .destroy = sched_checkpoints_destroy};
