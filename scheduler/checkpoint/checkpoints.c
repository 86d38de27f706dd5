/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a rank costs no fork. Once all ranks wait in MPI_Finalize each does no more than to look for leaks and to leave, the same in
 * every run that begins with the same process; so the process that waits there does it itself, is gone, and what it told is told again in
 * later runs. The process of level 0 stays, since the launcher would see it end. So does one that has operations which nobody has
 * matched: in another run somebody may.
 */
#include "checkpoints.h"

#include <string.h>

#include "base/alloc.h"
#include "launch/guard.h"
#include "base/now.h"
#include "segments.h"
#include "world/files.h"
#include "world/told.h"
#include "world_state.h"

static const double PATIENCE_S = 10; /* for processes to end */
static const double LISTEN_MOST_S = 1; /* the world ticks more often: what takes longer isp has slept */

struct checkpoint {
    uint64_t serial;
    unsigned number;
    struct sched_world_state *state;
    struct sched_memory *memory;
};

struct level {
    uint64_t since; /* the newest checkpoint when it began; 0: it was launched */
    bool known;         /* what it does once it is released from MPI_Finalize */
    bool waits;         /* there, still: a child of it has done that */
    struct sched_told *last;
    size_t n_last;
};

struct line {
    struct level *all;
    unsigned n;
    unsigned live;  /* the level that reads the socket */
    bool stands_in; /* the process of level 0 is not the one that was launched */
    bool acts;      /* it was sent something since it last said that all is done */
    bool asked;     /* to end */
    /* at MPI_Finalize: */
    bool pending;     /* it has operations that nobody has matched */
    bool forked_last; /* for its end */
    bool plays;       /* what is known of its end */
};

struct sched_checkpoints {
    struct checkpoint *stack;
    size_t n, max;
    bool keeps_first; /* if there are too many */
    uint64_t newest;
    struct line *lines;
    bool *moved; /* by rank: it was sent something since the last checkpoint was made, or gone back to */
    int ranks;
    struct sched_segments *segments;
    uint64_t ahead; /* MPI's memory is what it was at this checkpoint already */
    /* at MPI_Finalize: */
    size_t n_told;
    bool forked; /* the launcher must not see an end: some rank is a process that it does not know, or this run is not the last one */
    bool asked;    /* the ranks, whether they can be forked */
    bool spoilt;   /* something cannot be taken back */
    char *refused;
};

struct sched_checkpoints *sched_checkpoints_create(int ranks, size_t max, bool keeps_first)
{
    struct sched_checkpoints *c = sched_alloc(1, sizeof *c);
    c->ranks = ranks;
    c->max = max;
    c->keeps_first = keeps_first;
    c->stack = sched_alloc(max, sizeof *c->stack);
    c->segments = sched_segments_create();
    c->lines = sched_alloc((size_t)ranks, sizeof *c->lines);
    c->moved = sched_alloc((size_t)ranks, sizeof *c->moved);
    memset(c->moved, true, (size_t)ranks);
    for (int i = 0; i < ranks; i++) {
        c->lines[i].all = sched_alloc(1, sizeof(struct level));
        c->lines[i].n = 1;
    }
    return c;
}

static void pop_level(struct line *l)
{
    struct level *p = &l->all[--l->n];
    for (size_t i = 0; i < p->n_last; i++)
        sched_told_drop(&p->last[i]);
    free(p->last);
}

static void checkpoint_finish(struct checkpoint *p)
{
    sched_world_state_destroy(p->state);
    sched_memory_destroy(p->memory);
}

static void pop_checkpoint(struct sched_checkpoints *c)
{
    checkpoint_finish(&c->stack[--c->n]);
}

void sched_checkpoints_destroy(struct sched_checkpoints *c)
{
    if (!c)
        return;
    while (c->n)
        pop_checkpoint(c);
    for (int i = 0; i < c->ranks; i++) {
        while (c->lines[i].n)
            pop_level(&c->lines[i]);
        free(c->lines[i].all);
    }
    free(c->lines);
    free(c->moved);
    free(c->stack);
    sched_segments_destroy(c->segments);
    free(c->refused);
    free(c);
}

size_t sched_checkpoints_count(const struct sched_world *w) { return w->checkpoints ? w->checkpoints->n : 0; }

const char *sched_checkpoints_refused(const struct sched_world *w) { return w->checkpoints ? w->checkpoints->refused : NULL; }

bool sched_checkpoints_forked(const struct sched_world *w)
{
    for (int i = 0; w->checkpoints && i < w->n; i++)
        if (w->checkpoints->lines[i].n > 1 || w->checkpoints->lines[i].stands_in)
            return true;
    return false;
}

static void refuse(struct sched_checkpoints *c, const char *why)
{
    if (!c->refused)
        c->refused = sched_strdup(why);
    while (c->n)
        pop_checkpoint(c);
}

/* How many levels of the line began before the checkpoint. */
static unsigned born_before(const struct line *l, uint64_t serial)
{
    unsigned n = l->n;
    while (n > 1 && l->all[n - 1].since >= serial)
        n--;
    return n;
}

/* ---- making one ---- */

static bool is_at_fence(const struct sched_rank *r) { return r->waiting > 0 && r->quiet && !r->guessed && !r->n_held; }

/* What keeps this world from having any, as far as isp can see. */
static const char *look(const struct sched_world *w)
{
    if (sched_rma_is_on(w->rma))
        return "the program has windows";
    for (int i = 0; i < w->n; i++)
        if (!is_at_fence(&w->ranks[i]) && !w->ranks[i].stopped && !w->ranks[i].gone)
            return "a rank has several threads";
    return NULL;
}

/* One that waits for leave to die does nothing else. */
bool sched_checkpoints_acts(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->ranks[rank];
    return w->checkpoints && w->checkpoints->lines[rank].acts && !r->gone && (!r->stopped || r->able);
}

/* A rank that has been asked and has not said that it is done, or -1. */
static int first_acting(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (sched_checkpoints_acts(w, i))
            return i;
    return -1;
}

/* Until all are done. What they do may be the program's (a reduction operation of its own), and may never end. */
static void await_acting(struct sched_world *w)
{
    double limit_s = w->run->options->timeout_s, waited_s = 0;
    int acting, last = -1;
    while ((acting = first_acting(w)) >= 0 && !w->checkpoints->refused && w->ending == SCHED_END_NONE) {
        double before_s = sched_now_s();
        sched_world_listen(w);
        double took_s = sched_now_s() - before_s;
        waited_s = acting != last ? 0 : waited_s + (took_s < LISTEN_MOST_S ? took_s : LISTEN_MOST_S);
        last = acting;
        if (limit_s > 0 && waited_s >= limit_s && w->ending == SCHED_END_NONE) {
            w->hanging = acting;
            sched_world_end(w, SCHED_END_HANG);
        }
    }
}

/* Asks the ranks that have something to do whether it is done, and for the first time all ranks whether they can be forked; false: some
 * rank has died, or one cannot be. */
static bool settle(struct sched_world *w)
{
    struct sched_checkpoints *c = w->checkpoints;
    uint8_t marks = ISP_GO_ANSWER | (c->asked ? 0 : ISP_GO_PROBE);
    for (int i = 0; i < w->n; i++)
        if ((w->ranks[i].waiting || w->ranks[i].able) && (c->lines[i].acts || !c->asked)) {
            c->lines[i].acts = true;
            sched_world_ask(w, i, marks);
        }
    c->asked = true;
    await_acting(w);
    return !c->refused && w->ending == SCHED_END_NONE;
}

static void drop_oldest(struct sched_checkpoints *c)
{
    checkpoint_finish(&c->stack[0]);
    memmove(c->stack, c->stack + 1, --c->n * sizeof *c->stack);
}

void sched_checkpoints_make(struct sched_run_state *run, unsigned number)
{
    struct sched_world *w = run->world;
    struct sched_checkpoints *c = w->checkpoints;
    if (!c || c->refused || (c->n && c->stack[c->n - 1].number == number) || (c->n == c->max && c->keeps_first))
        return;
    const char *why = look(w);
    if (why) {
        refuse(c, why);
        return;
    }
    sched_world_deliver(w);
    if (!settle(w))
        return;
    if (w->n > 1 && sched_segments_count(c->segments) == 0) {
        refuse(c, "MPI's shared memory is not known");
        return;
    }
    struct sched_memory *memory = sched_segments_save(c->segments, c->moved);
    if (!memory) {
        refuse(c, "a rank has truncated MPI's shared memory");
        return;
    }
    if (c->n == c->max)
        drop_oldest(c);
    c->stack[c->n++] = (struct checkpoint){++c->newest, number, sched_world_save(run), memory};
    memset(c->moved, false, (size_t)w->n);
}

void sched_checkpoints_close(struct sched_world *w, unsigned number)
{
    struct sched_checkpoints *c = w->checkpoints;
    if (c && c->n && c->stack[c->n - 1].number == number)
        pop_checkpoint(c);
}

/* ---- messages ---- */

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
    const struct sched_checkpoints *c = w->checkpoints;
    if (w->finalizing && l->n == 1)
        return c->forked;
    if (w->finalizing && !l->pending)
        return false;
    return c->n && l->all[l->n - 1].since < c->stack[c->n - 1].serial;
}

uint8_t sched_checkpoints_go(struct sched_world *w, int rank, uint32_t *drop)
{
    struct sched_checkpoints *c = w->checkpoints;
    uint8_t marks = w->hush ? ISP_GO_HUSH : 0;
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
    l->forked_last = w->finalizing;
    return marks | ISP_GO_FORK;
}

void sched_checkpoints_acted(struct sched_world *w, int rank)
{
    if (w->checkpoints)
        w->checkpoints->lines[rank].acts = false;
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
    struct sched_checkpoints *c = w->checkpoints;
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
    bool expected = c->lines[rank].all[c->lines[rank].n - 1].known; /* the end of a run that is over: there is a new one, perhaps */
    if (!expected)
        sched_world_gone(w, rank);
}

/* Asked whether it can be forked a rank says why not, and nothing is lost. Later it is too late. */
static void take_no_fork(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->checkpoints;
    uint32_t length;
    const char *text = isp_get_str(in, &length);
    if (!in->ok || !c)
        return;
    char *why = sched_format("rank %d: %.*s", rank, (int)length, text);
    bool forked = c->lines[rank].n > 1 || c->n > 0;
    refuse(c, why);
    free(why);
    if (forked)
        sched_world_end(w, SCHED_END_NOT_FORKED);
}

static void take_spoilt(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->checkpoints;
    uint32_t length;
    const char *text = isp_get_str(in, &length);
    if (!in->ok || !c)
        return;
    char *why = sched_must(strndup(text, length));
    spoil(c, rank, why);
    free(why);
}

void sched_checkpoints_take_file(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->checkpoints;
    bool spoils = false;
    in->ok = sched_files_take(&w->files, in, c ? c->newest : 0, c && c->n ? c->stack[c->n - 1].serial : 0, &spoils) && in->ok;
    if (c && spoils)
        spoil(c, rank, "it uses a file that was used before a checkpoint");
}

void sched_checkpoints_take_file_access(struct sched_world *w, int rank, const struct isp_file_access *access)
{
    struct sched_checkpoints *c = w->checkpoints;
    uint64_t last = c && c->n ? c->stack[c->n - 1].serial : 0;
    if (sched_files_access(w->files, access, c ? c->newest : 0, last) && c)
        spoil(c, rank, "it uses a file that was used before a checkpoint");
}

static void take_segment(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_checkpoints *c = w->checkpoints;
    int64_t pid = (int64_t)isp_get_u64(in);
    int fd = isp_get_i32(in);
    if (in->ok && c && !sched_segments_add(c->segments, rank, (pid_t)pid, fd))
        refuse(c, "MPI's shared memory cannot be opened");
}

void sched_checkpoints_take(struct sched_world *w, int rank, uint8_t type, struct isp_reader *in)
{
    switch (type) {
    case ISP_MSG_BACK: take_back(w, rank, in); break;
    case ISP_MSG_NO_FORK: take_no_fork(w, rank, in); break;
    case ISP_MSG_SPOILT: take_spoilt(w, rank, in); break;
    case ISP_MSG_SEGMENT: take_segment(w, rank, in); break;
    case ISP_MSG_ACTED: sched_checkpoints_acted(w, rank); break;
    default: in->ok = false;
    }
}

/* ---- its processes ---- */

pid_t sched_checkpoints_process(const struct sched_world *w, int rank)
{
    pid_t pid = (pid_t)w->ranks[rank].peer->pid;
    unsigned live = w->checkpoints ? w->checkpoints->lines[rank].live : 0;
    unsigned most = live ? live + 2 : w->checkpoints && w->checkpoints->lines[rank].stands_in ? 2 : 0; /* not each level is a process, and a copy may be between */
    for (pid_t child; most-- > 0 && (child = sched_guard_child(pid));) /* a line has no other children */
        pid = child;
    return pid;
}

/* ---- the end of a run ---- */

static void note_pending(const struct poe_transition *t, void *lines)
{
    if (!t->matched && t->call.op != ISP_OP_FINALIZE)
        ((struct line *)lines)[t->rank].pending = true;
}

void sched_checkpoints_finalize(struct sched_world *w)
{
    struct sched_checkpoints *c = w->checkpoints;
    if (c) /* what matched last is no part of a rank's end: it may not be in the frame of its release, since another run would not send it */
        sched_world_deliver(w);
    w->finalizing = true;
    if (!c)
        return;
    c->n_told = w->n_told;
    c->forked = c->n > 0 || sched_checkpoints_forked(w);
    for (int i = 0; i < w->n; i++)
        c->lines[i].pending = c->lines[i].forked_last = c->lines[i].plays = false;
    poe_each_live(w->run->poe, note_pending, c->lines);
}

/* A process may still be at what it was sent last, and write into the memory that all share: also that of a rank whose end is played. */
static bool any_writes(const struct sched_checkpoints *c)
{
    for (int i = 0; i < c->ranks; i++)
        if (c->lines[i].acts)
            return true;
    return false;
}

/* Nothing, if it is there already. False: it cannot be done. */
static bool put_back_memory(struct sched_checkpoints *c, const struct checkpoint *to)
{
    if (c->ahead == to->serial)
        return true;
    for (int i = 0; i < c->ranks; i++)
        c->moved[i] = c->lines[i].n > born_before(&c->lines[i], to->serial);
    if (!sched_segments_restore(c->segments, to->memory, c->moved))
        return false;
    c->ahead = to->serial;
    return true;
}

void sched_checkpoints_ahead(struct sched_world *w)
{
    struct sched_checkpoints *c = w->checkpoints;
    if (!c || !c->n || c->ahead || !w->finalizing || !w->hush || any_writes(c))
        return;
    for (int i = 0; i < w->n; i++)
        if (!w->ranks[i].finalized && !w->ranks[i].gone)
            return;
    put_back_memory(c, &c->stack[c->n - 1]);
}

bool sched_checkpoints_plays(struct sched_world *w, int rank)
{
    struct sched_checkpoints *c = w->checkpoints;
    if (!c || !w->finalizing || !c->forked)
        return false;
    struct line *l = &c->lines[rank];
    const struct level *p = &l->all[l->n - 1];
    if (!p->known)
        return false;
    l->plays = true;
    w->ranks[rank].finalized = w->ranks[rank].exited = w->ranks[rank].gone = true;
    for (size_t i = 0; i < p->n_last; i++) {
        struct sched_told *t = sched_told_add(w, rank, p->last[i].type);
        *t = sched_told_copy(&p->last[i]);
    }
    return true;
}

static void note_ends(struct sched_world *w)
{
    struct sched_checkpoints *c = w->checkpoints;
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

/* Its last process reads the socket, or is about to end by itself. */
static bool is_at_rest(const struct sched_rank *r)
{
    return r->gone || r->waiting || r->stopped || r->exited;
}

static bool is_lost(const struct sched_checkpoints *c, uint64_t serial)
{
    for (int i = 0; i < c->ranks; i++) {
        const struct line *l = &c->lines[i];
        if (l->live + 1 < born_before(l, serial) && !l->all[l->live + 1].known)
            return true;
    }
    return false;
}

/* A process that died otherwise than it was told to has taken the levels with it to which it would have gone back itself. */
static void forget_lost(struct sched_checkpoints *c)
{
    while (c->n && is_lost(c, c->stack[c->n - 1].serial))
        pop_checkpoint(c);
}

bool sched_checkpoints_rest(struct sched_world *w)
{
    struct sched_checkpoints *c = w->checkpoints;
    if (!c || !c->n || !sched_ending_is_own(w->ending) || c->spoilt || w->launch->gone)
        return false;
    for (int i = 0; i < w->n; i++)
        if (!is_at_rest(&w->ranks[i]))
            return false;
    if (w->ending == SCHED_END_FINISHED)
        note_ends(w);
    forget_lost(c);
    return c->n > 0;
}

/* ---- going back ---- */

int sched_checkpoints_find(const struct sched_world *w, unsigned number)
{
    const struct sched_checkpoints *c = w->checkpoints;
    for (size_t i = c->n; i > 0; i--)
        if (c->stack[i - 1].number <= number)
            return (int)c->stack[i - 1].number;
    return -1;
}

/* A process that is about to leave must not be asked to: its parent would hear it. Only the last one of a line leaves by itself. */
static bool leaves(const struct line *l, const struct sched_rank *r)
{
    bool over = r->finalized || (r->exited && !r->stopped);
    const struct level *p = &l->all[l->live];
    return l->live == l->n - 1 && ((p->known && !p->waits) || (over && !r->gone));
}

/* Asks the levels that began since to end. False: none is left. */
static bool ask_since(struct sched_world *w, uint64_t serial)
{
    bool any = false;
    for (int i = 0; i < w->n; i++) {
        struct line *l = &w->checkpoints->lines[i];
        if (l->live <= born_before(l, serial) - 1)
            continue;
        any = true;
        if (!l->asked && !leaves(l, &w->ranks[i]))
            sched_world_end_process(w, i);
        l->asked = true;
    }
    return any;
}

/* False: they do not end. */
static bool end_since(struct sched_world *w, uint64_t serial)
{
    double until_s = sched_now_s() + PATIENCE_S;
    while (ask_since(w, serial)) {
        if (w->launch->gone || w->checkpoints->spoilt || sched_now_s() >= until_s)
            return false;
        sched_world_listen(w);
    }
    return !w->checkpoints->spoilt && !is_lost(w->checkpoints, serial); /* the last one to say BACK may have said that it is too far back */
}

bool sched_checkpoints_rewind(struct sched_run_state *run, unsigned number)
{
    struct sched_world *w = run->world;
    struct sched_checkpoints *c = w->checkpoints;
    while (c->n && c->stack[c->n - 1].number > number)
        pop_checkpoint(c);
    const struct checkpoint *top = &c->stack[c->n - 1];
    /* Meanwhile; but what shows its output still ends as it would without isp, and MPI with it. */
    if (ask_since(w, top->serial) && w->hush && !any_writes(c))
        put_back_memory(c, top);
    if (!end_since(w, top->serial) || !put_back_memory(c, top))
        return false;
    c->ahead = 0;
    for (int i = 0; i < w->n; i++) {
        struct line *l = &c->lines[i];
        for (unsigned n = born_before(l, top->serial); l->n > n;)
            pop_level(l);
        l->acts = l->asked = false;
    }
    memset(c->moved, false, (size_t)w->n);
    sched_world_restore(run, top->state);
    return true;
}
