/* SPDX-License-Identifier: BSD-3-Clause */
#include "world_state.h"

#include "base/alloc.h"
#include "check/deeds.h"
#include "findings/findings.h"
#include "base/now.h"
#include "world/files.h"
#include "world/inside.h"
#include "world/told.h"

struct sched_world_state {
    struct poe_saved *poe;
    struct sched_rank *ranks; /* with actions of their own; other pointers are the world's */
    int n;
    size_t n_told, n_overwritten;
    unsigned n_alike;
    uint64_t calls;
    bool stopped;
    int silent;
    struct sched_replay_state *replay;
    struct sched_deeds *deeds;
    struct sched_files *files;
    struct sched_file_order *file_order;
    unsigned n_decisions, made;
    size_t n_findings;
};

static void copy_actions(struct isp_buf *to, const struct isp_buf *from)
{
    isp_buf_init(to);
    isp_put_bytes(to, from->data, from->size);
}

struct sched_world_state *sched_world_save(const struct sched_run_state *run)
{
    const struct sched_world *w = run->world;
    struct sched_world_state *s = sched_alloc(1, sizeof *s);
    *s = (struct sched_world_state){.poe = poe_save(run->run.poe),
                                    .n = w->n,
                                    .n_told = w->n_told,
                                    .n_overwritten = run->run.n_overwritten,
                                    .n_alike = sched_told_count_alike(w),
                                    .calls = w->calls,
                                    .stopped = w->in->stopped,
                                    .silent = w->silent,
                                    .deeds = sched_deeds_copy(run->run.deeds),
                                    .files = sched_files_copy(w->files),
                                    .file_order = sched_file_order_copy(w->file_order),
                                    .made = run->made,
                                    .n_findings = sched_findings_logged(run->run.findings)};
    s->n_decisions = run->decisions ? sched_decisions_count(run->decisions) : 0;
    s->replay = run->check ? sched_replay_check_save(run->check) : NULL;
    s->ranks = sched_alloc((size_t)w->n, sizeof *s->ranks);
    for (int i = 0; i < w->n; i++) {
        s->ranks[i] = w->in->ranks[i];
        copy_actions(&s->ranks[i].actions, &w->in->ranks[i].actions);
    }
    return s;
}

static void restore_rank(struct sched_rank *r, const struct sched_rank *saved)
{
    struct sched_rank now = *r;
    *r = *saved;
    r->sites = now.sites; /* numbers beyond those of then are told again */
    r->n_sites = now.n_sites;
    r->types = now.types; /* the process has told them, wherever it is */
    r->n_types = now.n_types;
    r->unlike = now.unlike;
    r->n_unlike = 0;
    r->state.why = now.state.why;
    r->differs = now.differs;
    r->state.told = saved->state.told && saved->state.known;
    r->state.asked = false;
    r->held = now.held;
    r->releases = now.releases;
    r->releases.size = 0;
    r->actions = now.actions;
    r->actions.size = 0;
    isp_put_bytes(&r->actions, saved->actions.data, saved->actions.size);
    r->heard_s = sched_now_s();
}

void sched_world_restore(struct sched_run_state *run, const struct sched_world_state *s)
{
    struct sched_world *w = run->world;
    poe_restore(run->run.poe, s->poe);
    for (int i = 0; i < w->n; i++)
        restore_rank(&w->in->ranks[i], &s->ranks[i]);
    sched_told_forget(w, s->n_told, s->n_alike);
    run->run.n_overwritten = s->n_overwritten;
    w->calls = s->calls;
    w->in->stopped = s->stopped;
    w->silent = s->silent;
    w->explored = w->in->finalizing = false;
    w->ending = SCHED_END_NONE;
    w->hanging = w->differs = -1;
    w->in_vain = false;
    w->chosen = (struct sched_site_ref){0};
    w->early = w->given_up = false;
    w->in->begun_s = w->in->progress_s = w->in->news_s = w->in->looked_s = sched_now_s();
    w->in->doomed_s = w->in->news_s + SCHED_DYING_S;
    if (run->check)
        sched_replay_check_restore(run->check, s->replay);
    sched_deeds_destroy(run->run.deeds);
    run->run.deeds = sched_deeds_copy(s->deeds);
    sched_files_destroy(w->files);
    w->files = sched_files_copy(s->files);
    sched_file_order_restore(w->file_order, s->file_order);
    if (run->decisions)
        sched_decisions_forget(run->decisions, s->n_decisions);
    run->made = s->made;
    run->new_choice_points = 0;
    sched_findings_repeat(run->run.findings, s->n_findings, run->run.interleaving);
}

void sched_world_forget_types(struct sched_world *w, const struct sched_world_state *s)
{
    for (int i = 0; i < w->n; i++)
        w->in->ranks[i].n_types = s->ranks[i].n_types;
}

void sched_world_state_destroy(struct sched_world_state *s)
{
    if (!s)
        return;
    poe_saved_destroy(s->poe);
    for (int i = 0; i < s->n; i++)
        isp_buf_finish(&s->ranks[i].actions);
    free(s->ranks);
    sched_replay_state_destroy(s->replay);
    sched_deeds_destroy(s->deeds);
    sched_files_destroy(s->files);
    sched_file_order_destroy(s->file_order);
    free(s);
}
