/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One cause, one finding: a failed assertion explains the SIGABRT that follows, an error that MPI returned
 * explains the abort that the default error handler makes of it, and all of these explain the launcher's exit
 * code. So causes are tried from the most to the least telling, and the first that is there is reported.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "check/check.h"
#include "ends.h"
#include "findings/rule.h"
#include "isp/functions.h"
#include "rma/rma.h"
#include "sites/sites.h"
#include "tell.h"
#include "words/words.h"

/* ---- told by the ranks ---- */

/* Text of a rank, with the places that it refers to ("%0"). */
static char *with_places(struct sched_world *w, const struct sched_told *t, const char *text)
{
    char *whole = NULL;
    for (const char *at = text; at && *at; at++) {
        unsigned i = (unsigned)at[1] - '0';
        if (*at != '%' || i >= t->n_more) {
            sched_words_add(&whole, "%c", *at);
            continue;
        }
        char *place = sched_words_place(w->run, t->more[i].site);
        sched_words_add(&whole, "%s%s%s", t->more[i].fn ? isp_fn_name((enum isp_fn)t->more[i].fn) : "",
                        t->more[i].fn ? " at " : "", place);
        free(place);
        at++;
    }
    return whole;
}

static const char TOLD[] = "told";

char *sched_judge_key(const struct sched_run *run, const struct sched_told *t)
{
    return sched_draft_place_key(run, t->rule, t->fn, t->site, TOLD);
}

static void tell_message(struct sched_draft *d, struct sched_world *w, const struct sched_told *t)
{
    const char *own = *t->text ? sched_draft_own(d, with_places(w, t, t->text)) : NULL,
               *known = sched_rule_told(t->rule);
    bool sentence = t->rule == ISP_RULE_CALL_BEFORE_INIT || t->rule == ISP_RULE_CALL_AFTER_FINALIZE;
    if (t->fn)
        sched_draft_message(d,
                            sched_rule_is_leak(t->rule) ? "%s: this "
                            : sentence                  ? "%s is "
                                                        : "%s: ",
                            isp_fn_name((enum isp_fn)t->fn));
    char *key = t->change ? sched_judge_key(w->run, t) : NULL;
    const char *change = key && !sched_findings_find(w->run->findings, key) /* else it is told already */
                             ? sched_draft_own(d, sched_change_words(w, t))
                             : "";
    free(key);
    sched_draft_message(d, "%s%s", own ? own : known ? known : sched_rule_id(t->rule), change);
}

/* A library that frees what it has made in a destructor, or at exit: MPI is gone by then (MPI-4.0, section
 * 11.2.2). Which handle that was meant for is not known. */
static void tell_late_free(struct sched_draft *d, struct sched_world *w, const struct sched_told *leak)
{
    static const struct {
        enum isp_rule leak;
        enum isp_fn frees;
    } all[] = {{ISP_RULE_LEAK_COMMUNICATOR, ISP_FN_MPI_Comm_free},
               {ISP_RULE_LEAK_GROUP, ISP_FN_MPI_Group_free},
               {ISP_RULE_LEAK_DATATYPE, ISP_FN_MPI_Type_free},
               {ISP_RULE_LEAK_OP, ISP_FN_MPI_Op_free},
               {ISP_RULE_LEAK_REQUEST, ISP_FN_MPI_Request_free},
               {ISP_RULE_LEAK_ERRHANDLER, ISP_FN_MPI_Errhandler_free},
               {ISP_RULE_LEAK_WINDOW, ISP_FN_MPI_Win_free},
               {ISP_RULE_LEAK_FILE, ISP_FN_MPI_File_close}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const struct sched_told *t = w->told; all[i].leak == leak->rule && t < w->told + w->n_told; t++)
            if (t->type == ISP_MSG_FINDING && t->rule == ISP_RULE_CALL_AFTER_FINALIZE &&
                t->rank == leak->rank && t->fn == all[i].frees) {
                sched_draft_line(d, "%s is called at %s, after MPI_Finalize: that is too late",
                                 isp_fn_name((enum isp_fn)t->fn), sched_draft_place(d, t->site));
                return;
            }
}

static void judge_told(struct sched_world *w, const struct sched_told *t)
{
    struct sched_draft *d = sched_draft_create(w->run, t->rule);
    tell_message(d, w, t);
    sched_draft_lines(d, with_places(w, t, t->story));
    tell_late_free(d, w, t);
    sched_draft_site(d, t->rank, t->fn, t->site);
    for (uint32_t i = 0; i < t->n_more; i++)
        sched_draft_site(d, t->rank, t->more[i].fn, t->more[i].site);
    sched_draft_count(d, t->count);
    sched_judge_end(d, TOLD);
}

/* What MPI says of a truncation or a wrong type that sched_check_match has reported, or of two buffers of one
 * collective that the rank has found to overlap. */
static bool is_misfit(const struct sched_world *w, const struct sched_told *t)
{
    if (t->rule != ISP_RULE_MPI_ERROR || sched_world_rank(w, t->rank).misfit)
        return t->rule == ISP_RULE_MPI_ERROR;
    for (const struct sched_told *other = w->told; other < t; other++)
        if (other->type == ISP_MSG_FINDING && other->rule == ISP_RULE_BUFFER_OVERLAP &&
            other->rank == t->rank && strstr(t->text, "alias"))
            return true;
    return false;
}

/* Of the requests that were made at the same place one was started, by whatever rank: then the program may
 * mean that this one is not (a neighbour that is not there). */
static bool is_started(const struct sched_world *w, const struct sched_site_ref *made)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_STARTED && w->told[i].fn == made->fn &&
            sched_sites_place(w->run->sites, w->told[i].site) == sched_sites_place(w->run->sites, made->site))
            return true;
    return false;
}

/* A rank whose run was cut short might have started it later. */
static bool has_done_all(const struct sched_world *w, int rank)
{
    return w->ending == SCHED_END_FINISHED || sched_world_rank(w, rank).finalized ||
           sched_world_rank(w, rank).fn == ISP_FN_MPI_Finalize;
}

static void judge_unstarted(struct sched_world *w, const struct sched_told *t)
{
    if (!has_done_all(w, t->rank) || is_started(w, &t->more[0]))
        return;
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_MISSING_START);
    sched_draft_message(
        d, "%s: this persistent request was never started (MPI_Start): there is nothing to complete",
        isp_fn_name((enum isp_fn)t->fn));
    sched_draft_line(d, "it was made by %s at %s", isp_fn_name((enum isp_fn)t->more[0].fn),
                     sched_draft_place(d, t->more[0].site));
    sched_draft_site(d, t->rank, t->fn, t->site);
    sched_draft_site(d, t->rank, t->more[0].fn, t->more[0].site);
    sched_judge_end(d, "");
}

/* ---- the whole ---- */

void sched_judge_difference(struct sched_world *w, int rank, const struct isp_call *at, const char *what)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    uint16_t fn = at ? at->fn : r->fn;
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_NONDETERMINISM);
    sched_draft_message(d, "rank %d does something else than before with the same matches: %s%s%s", rank,
                        what, fn ? " " : "", fn ? isp_fn_name((enum isp_fn)fn) : "");
    sched_draft_line(d, "it depends on something outside MPI: time, random numbers, files, threads");
    if (w->run->options->idle_s > 0)
        sched_draft_line(d,
                         "or a rank called nothing for %g s in one run, and was quicker in another: a "
                         "longer --idle and --timeout wait for it",
                         w->run->options->idle_s);
    sched_draft_site(d, rank, fn, at ? at->site : r->site);
    sched_judge_end(d, "");
}

void sched_judge(struct sched_world *w, const struct sched_autopsy *autopsy)
{
    sched_rma_report(w->rma, w->run);
    for (int rank = 0; rank < w->n; rank++) /* by rank: the order in which they tell is another in each run */
        for (size_t i = 0; i < w->n_told; i++)
            if (w->told[i].type == ISP_MSG_FINDING && w->told[i].rank == rank && !is_misfit(w, &w->told[i]))
                judge_told(w, &w->told[i]);
            else if (w->told[i].type == ISP_MSG_UNSTARTED && w->told[i].rank == rank)
                judge_unstarted(w, &w->told[i]);
    if (w->ending == SCHED_END_DIED || w->ending == SCHED_END_FINISHED)
        sched_judge_death(w);
    if (w->ending == SCHED_END_HANG)
        sched_judge_hang(w, autopsy);
    if (w->ending == SCHED_END_FINISHED)
        sched_check_end(w->run);
}
