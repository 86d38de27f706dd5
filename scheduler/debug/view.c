/* SPDX-License-Identifier: BSD-3-Clause */
/* See view.h. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "inferior.h"
#include "isp/functions.h"
#include "poe/poe.h"
#include "report/source_file.h"
#include "sites/sites.h"
#include "words/words.h"
#include "world/hold.h"

/* ---- calls ---- */

char *sched_view_call(struct sched_session *s, struct sched_record_name name)
{
    const struct sched_record_event *e = sched_record_find(s->record, name);
    return e ? sched_words_call(sched_session_run(s), &e->call) : NULL;
}

char *sched_view_place(struct sched_session *s, struct sched_record_name name)
{
    const struct sched_record_event *e = sched_record_find(s->record, name);
    return sched_words_place(sched_session_run(s), e ? e->call.site : 0);
}

/* ---- what a rank waits for ---- */

/* "waits for rank 2", "waits for any of ranks 1, 3" */
static char *waits_for(struct sched_session *s, int rank)
{
    if (sched_world_rank(s->now->s.world, rank).fn == ISP_FN_MPI_Finalize)
        return sched_strdup("waits until all are there");
    const struct poe_wait *w = poe_wait(s->now->s.run.poe, rank);
    if (!w->at)
        return NULL;
    char *ranks = w->n_ranks ? sched_words_ranks(w->ranks, w->n_ranks) : sched_strdup("nobody that is left");
    bool any = w->kind == POE_WAITS_ANY && w->n_ranks > 1;
    char *text = sched_format("waits for %s%s", any ? "any of " : "", ranks);
    free(ranks);
    return text;
}

static char *stopped_for(const struct sched_inferior *i)
{
    const struct sched_inferior_stop *stop = &i->stop;
    switch (stop->reason) {
    case SCHED_GDB_BREAKPOINT: return sched_format("breakpoint %d", stop->breakpoint);
    case SCHED_GDB_WATCHPOINT:
        return sched_format("%s: %s -> %s", stop->expression ? stop->expression : "watched",
                            stop->before ? stop->before : "?", stop->now ? stop->now : "?");
    case SCHED_GDB_SIGNAL: return sched_format("signal %s: %s", stop->signal, stop->meaning);
    case SCHED_GDB_FINISHED: return stop->returned ? sched_format("returned %s", stop->returned) : NULL;
    case SCHED_GDB_EXITED: return sched_format("has left with exit code %d", stop->code);
    case SCHED_GDB_KILLED: return sched_format("died of signal %s", stop->signal);
    default: return NULL;
    }
}

/* ---- rows ---- */

static void place_of_site(struct sched_session *s, uint32_t site, struct sched_view_row *row)
{
    const struct sched_location *at = sched_sites_find(s->engine.result->sites, site);
    row->place = sched_words_place(sched_session_run(s), site);
    row->file = at->file ? sched_strdup(at->file) : NULL;
    row->line = at->line;
    row->function = at->function ? sched_strdup(at->function) : NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* It waits for leave to die: where it died is told by its stack alone. */
static bool has_died(const struct sched_session *s, int rank)
{
    const struct sched_world *w = s->now->s.world;
    return sched_hold_view(w, rank).stopped && !s->inferiors[rank].over && sched_hold_process(w, rank);
}

static void place_of_frame(struct sched_session *s, int rank, struct sched_view_row *row)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    const struct sched_gdb_frame *f = n ? frames : NULL;
    char *raw = !f ? sched_strdup("unknown place")
                : f->file && f->line
                    ? sched_format("%s:%d %s", base_name(f->file), f->line, f->function ? f->function : "")
                    : sched_format("%s", f->function ? f->function : "unknown place");
    row->place = sched_escape(raw, "");
    row->file = f && f->file ? sched_strdup(f->file) : NULL;
    row->line = f ? f->line : 0;
    row->function = f && f->function ? sched_strdup(f->function) : NULL;
    row->call = f && f->call && strncmp(f->call, "MPI_", 4) == 0 ? sched_strdup(f->call) : NULL;
    free(raw);
    if (frames)
        sched_gdb_frames_destroy(frames, n);
}

struct sched_view_row sched_view_rank(struct sched_session *s, int rank)
{
    bool in;
    const struct sched_inferior *i = &s->inferiors[rank];
    struct sched_rank_view seen = sched_world_rank(s->now->s.world, rank);
    struct sched_view_row row = {.standing = sched_motion_standing(s, rank)};
    row.event = sched_session_event(s, rank, &in);
    if (i->at_line || has_died(s, rank)) {
        place_of_frame(s, rank, &row);
        row.what = i->at_line ? stopped_for(i) : sched_strdup("ends here");
        return row;
    }
    place_of_site(s, seen.site, &row);
    if (row.standing == SCHED_IS_OVER) {
        row.what = i->over ? stopped_for(i) : sched_strdup("has left");
        return row;
    }
    bool begins = seen.fn == ISP_FN_MPI_Init || seen.fn == ISP_FN_MPI_Init_thread;
    row.call = begins ? NULL : sched_view_call(s, row.event);
    if (!row.call && seen.fn)
        row.call = sched_strdup(isp_fn_name((enum isp_fn)seen.fn));
    if (in)
        row.what = waits_for(s, rank);
    return row;
}

void sched_view_finish(struct sched_view_row *row)
{
    free(row->place);
    free(row->file);
    free(row->function);
    free(row->call);
    free(row->what);
    *row = (struct sched_view_row){0};
}

char *sched_view_source(const char *file, int line)
{
    char *raw = file && line ? sched_source_file_line(sched_source_file_open(file), line) : NULL;
    char *text = raw ? sched_escape(raw, "\t") : NULL;
    free(raw);
    return text;
}
