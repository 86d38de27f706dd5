/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One cause, one finding: a failed assertion explains the SIGABRT that follows, an error that MPI returned
 * explains the abort that the default error handler makes of it, and all of these explain the launcher's exit
 * code. So causes are tried from the most to the least telling, and the first that is there is reported.
 */
#include "judge.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"
#include "check/story.h"
#include "check/words.h"
#include "checkpoint/checkpoints.h"
#include "interrupt.h"
#include "isp/functions.h"
#include "process.h"
#include "report/escape.h"
#include "reserve.h"
#include "stack.h"

/* ---- building findings ---- */

struct draft {
    enum isp_rule rule;
    char *message, *story;
    int *ranks;
    size_t n_ranks;
    struct sched_site_ref *sites;
    size_t n_sites;
    uint64_t count;
};

static void draft_rank(struct draft *d, int rank)
{
    d->ranks = sched_grow(d->ranks, d->n_ranks + 1, sizeof *d->ranks);
    d->ranks[d->n_ranks++] = rank;
}

static void draft_site(struct draft *d, int rank, uint16_t fn, uint32_t site)
{
    d->sites = sched_grow(d->sites, d->n_sites + 1, sizeof *d->sites);
    d->sites[d->n_sites++] = (struct sched_site_ref){.rank = rank, .fn = fn, .site = site};
}

/* Two are the same if rule, `about` and the first site are. */
static char *key_of(enum isp_rule rule, uint16_t fn, uint32_t site, const char *about)
{
    return sched_format("%s %u:" SCHED_KEY_SITE " %s", sched_rule_id(rule), fn, site, about);
}

char *sched_judge_key(const struct sched_told *t)
{
    return key_of(t->rule, t->fn, t->site, "told");
}

/* Adds the finding and frees what the draft holds. */
static void draft_end(struct sched_world *w, struct draft *d, const char *about)
{
    char *key = key_of(d->rule, d->n_sites ? d->sites[0].fn : 0, d->n_sites ? d->sites[0].site : 0, about);
    struct sched_finding f = {
        .rule = d->rule, .message = d->message, .story = d->story ? d->story : "",
        .interleaving = (char *)w->run->interleaving, .buffered = w->run->buffered,
        .ranks = d->ranks, .n_ranks = d->n_ranks, .sites = d->sites, .n_sites = d->n_sites,
        .count = d->count ? d->count : 1,
    };
    sched_findings_add(w->run->findings, key, &f);
    free(key);
    free(d->message);
    free(d->story);
    free(d->ranks);
    free(d->sites);
}

static bool is_initialized(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->ranks[rank];
    return r->fn || (r->peer && r->peer->size >= 0);
}

/* What each rank was doing. */
static char *tell_state(struct sched_world *w)
{
    char *text = NULL;
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->ranks[i];
        if (!is_initialized(w, i)) {
            sched_words_add(&text, "rank %d %s\n", i, r->gone ? "has left" : "has not reached MPI_Init");
            continue;
        }
        char *place = sched_words_place(w->run, r->site);
        const char *state = r->finalized            ? "has finalized"
                            : r->gone || r->exited ? "has left"
                            : sched_rank_is_still(r) ? "waits"
                                                    : "runs";
        if (r->polls || r->accesses)
            sched_words_add(&text, "rank %d accesses windows, now with %s at %s\n", i, isp_fn_name((enum isp_fn)r->fn), place);
        else if (sched_rank_is_still(r))
            sched_words_add(&text, "rank %d waits in %s at %s\n", i, isp_fn_name((enum isp_fn)r->fn), place);
        else if (r->finalized || !r->fn)
            sched_words_add(&text, "rank %d %s\n", i, state);
        else
            sched_words_add(&text, "rank %d %s; its last call was %s at %s\n", i, state,
                            isp_fn_name((enum isp_fn)r->fn), place);
        free(place);
    }
    return text;
}

/* How many there are down to main (or, in Fortran, the program): what calls that says nothing. */
static size_t down_to_main(struct sched_world *w, const uint32_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *function = sched_sites_find(w->run->sites, frames[i])->function;
        if (function && (strcmp(function, "main") == 0 || strcmp(function, "MAIN__") == 0))
            return i + 1;
    }
    return n;
}

static char *tell_frames(struct sched_world *w, const uint32_t *frames, size_t n)
{
    char *text = NULL;
    n = down_to_main(w, frames, n);
    for (size_t i = 0; i < n; i++) {
        char *place = sched_words_place(w->run, frames[i]);
        sched_words_add(&text, "#%zu %s\n", i, place);
        free(place);
    }
    return text;
}

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

static char *told_message(struct sched_world *w, const struct sched_told *t)
{
    const char *fn = t->fn ? isp_fn_name((enum isp_fn)t->fn) : NULL;
    char *own = *t->text ? with_places(w, t, t->text) : NULL, *message;
    const char *known = sched_rule_told(t->rule), *text = own ? own : known ? known : sched_rule_id(t->rule);
    bool sentence = t->rule == ISP_RULE_CALL_BEFORE_INIT || t->rule == ISP_RULE_CALL_AFTER_FINALIZE;
    if (!fn)
        message = sched_format("%s", text);
    else if (sched_rule_is_leak(t->rule))
        message = sched_format("%s: this %s", fn, text);
    else
        message = sched_format(sentence ? "%s is %s" : "%s: %s", fn, text);
    free(own);
    return message;
}

static void judge_told(struct sched_world *w, const struct sched_told *t)
{
    struct draft d = {.rule = t->rule, .message = told_message(w, t), .story = with_places(w, t, t->story), .count = t->count};
    draft_rank(&d, t->rank);
    draft_site(&d, t->rank, t->fn, t->site);
    for (uint32_t i = 0; i < t->n_more; i++)
        draft_site(&d, t->rank, t->more[i].fn, t->more[i].site);
    draft_end(w, &d, "told");
}

/* What MPI says of a truncation or a wrong type that sched_check_match has reported, or of two buffers of one
 * collective that the rank has found to overlap. */
static bool is_misfit(const struct sched_world *w, const struct sched_told *t)
{
    if (t->rule != ISP_RULE_MPI_ERROR || w->ranks[t->rank].misfit)
        return t->rule == ISP_RULE_MPI_ERROR;
    for (const struct sched_told *other = w->told; other < t; other++)
        if (other->type == ISP_MSG_FINDING && other->rule == ISP_RULE_BUFFER_OVERLAP && other->rank == t->rank &&
            strstr(t->text, "alias"))
            return true;
    return false;
}

/* Of the requests that were made at the same place one was started, by whatever rank: then the program may mean that this one
 * is not (a neighbour that is not there). */
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
    return w->ending == SCHED_END_FINISHED || w->ranks[rank].finalized || w->ranks[rank].fn == ISP_FN_MPI_Finalize;
}

static void judge_unstarted(struct sched_world *w, const struct sched_told *t)
{
    if (!has_done_all(w, t->rank) || is_started(w, &t->more[0]))
        return;
    char *place = sched_words_place(w->run, t->more[0].site);
    struct draft d = {.rule = ISP_RULE_MISSING_START};
    d.message = sched_format("%s: this persistent request was never started (MPI_Start): there is nothing to complete",
                             isp_fn_name((enum isp_fn)t->fn));
    d.story = sched_format("it was made by %s at %s\n", isp_fn_name((enum isp_fn)t->more[0].fn), place);
    draft_rank(&d, t->rank);
    draft_site(&d, t->rank, t->fn, t->site);
    draft_site(&d, t->rank, t->more[0].fn, t->more[0].site);
    draft_end(w, &d, "");
    free(place);
}

/* ---- deaths ---- */

static const struct sched_told *find_told(const struct sched_world *w, uint8_t type)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == type)
            return &w->told[i];
    return NULL;
}

static bool has_told(const struct sched_world *w, enum isp_rule rule, int rank)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_FINDING && w->told[i].rule == rule && (rank < 0 || w->told[i].rank == rank))
            return true;
    return false;
}

/* An error was reported that accounts for an abort or an exit code. */
static bool is_explained(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (w->ranks[i].truncated)
            return true;
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_FINDING && sched_rule_severity(w->told[i].rule) == ISP_SEVERITY_ERROR)
            return true;
    return false;
}

static const char *last_call(const struct sched_rank *r)
{
    return r->fn ? isp_fn_name((enum isp_fn)r->fn) : "none";
}

static void judge_crash(struct sched_world *w, const struct sched_told *t)
{
    size_t top = sched_stack_top(w->run->sites, t->frames, t->n_frames), n_frames = down_to_main(w, t->frames, t->n_frames);
    const struct sched_rank *r = &w->ranks[t->rank];
    char *place = r->fn ? sched_words_place(w->run, r->site) : NULL;
    char *stack = tell_frames(w, t->frames, t->n_frames);
    struct draft d = {
        .rule = ISP_RULE_CRASH,
        .message = sched_format("rank %d died of signal %d (%s)", t->rank, t->code, strsignal(t->code)),
        .story = sched_format("%s%s%s%s%s", stack ? stack : "", place ? "last MPI call: " : "", place ? last_call(r) : "",
                              place ? " at " : "", place ? place : ""),
    };
    if (place)
        d.story = strcat(sched_grow(d.story, strlen(d.story) + 2, 1), "\n");
    draft_rank(&d, t->rank);
    for (size_t i = top; i < n_frames; i++)
        draft_site(&d, t->rank, 0, t->frames[i]);
    char about[32];
    snprintf(about, sizeof about, "signal %d", t->code);
    draft_end(w, &d, about);
    free(place);
    free(stack);
}

static bool is_of_library(struct sched_world *w, uint32_t frame, const char *library)
{
    const char *module = sched_sites_find(w->run->sites, frame)->module, *slash = module ? strrchr(module, '/') : NULL;
    return module && strncmp(slash ? slash + 1 : module, library, strlen(library)) == 0;
}

/* Whether it was libisp.so that called abort(), for lack of memory or because of a mistake of its own. */
static bool is_own_abort(struct sched_world *w, const struct sched_told *t)
{
    uint32_t i = 0;
    if (t->type != ISP_MSG_CRASH || t->code != SIGABRT)
        return false;
    while (i < t->n_frames && is_of_library(w, t->frames[i], "libc.so"))
        i++;
    return i < t->n_frames && is_of_library(w, t->frames[i], "libisp.so");
}

void sched_judge_own_abort(struct sched_world *w)
{
    for (size_t i = 0; i < w->n_told && w->ending == SCHED_END_DIED; i++) {
        const struct sched_told *t = &w->told[i];
        if (has_told(w, ISP_RULE_ASSERTION, t->rank) || !is_own_abort(w, t))
            continue;
        char *place = sched_words_place(w->run, t->frames[sched_stack_top(w->run->sites, t->frames, t->n_frames)]);
        w->victim = sched_format("isp's own library had to give up in rank %d, called at %s: it could get no more memory, most likely (see ulimit)",
                                 t->rank, place);
        w->ending = SCHED_END_KILLED;
        free(place);
    }
}

static void judge_abort(struct sched_world *w, const struct sched_told *t)
{
    struct draft d = {.rule = ISP_RULE_ABORT, .story = tell_state(w),
                      .message = sched_format("rank %d calls MPI_Abort with code %d", t->rank, t->code)};
    draft_rank(&d, t->rank);
    draft_site(&d, t->rank, t->fn, t->site);
    draft_end(w, &d, "");
}

/* Ranks that left alike: with this status, and with or without MPI_Finalize. */
static void judge_exits(struct sched_world *w, enum isp_rule rule, const struct sched_told *first)
{
    struct draft d = {.rule = rule};
    for (size_t i = 0; i < w->n_told; i++) {
        const struct sched_told *t = &w->told[i];
        if (t->type != ISP_MSG_EXIT || t->finalized != first->finalized || t->code != first->code)
            continue;
        draft_rank(&d, t->rank);
        draft_site(&d, t->rank, t->fn, t->site);
    }
    for (size_t i = 1; i < d.n_ranks; i++) /* ascending */
        for (size_t k = i; k > 0 && d.ranks[k - 1] > d.ranks[k]; k--) {
            int rank = d.ranks[k];
            struct sched_site_ref site = d.sites[k];
            d.ranks[k] = d.ranks[k - 1], d.ranks[k - 1] = rank;
            d.sites[k] = d.sites[k - 1], d.sites[k - 1] = site;
        }
    char *who = sched_words_ranks(d.ranks, d.n_ranks);
    const char *before = first->finalized                 ? ""
                         : is_initialized(w, first->rank) ? " without MPI_Finalize"
                                                          : " before MPI_Init";
    d.message = rule == ISP_RULE_NO_FINALIZE
                    ? sched_format("%s left without MPI_Finalize; last MPI call: %s", who,
                                   first->fn ? isp_fn_name((enum isp_fn)first->fn) : "MPI_Init")
                    : sched_format("%s left with exit code %d%s", who, first->code, before);
    if (!first->finalized)
        d.story = tell_state(w);
    char about[32];
    snprintf(about, sizeof about, "code %d", first->code);
    draft_end(w, &d, about);
    free(who);
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
        if (w->told[i].type == ISP_MSG_EXIT && !w->told[i].finalized && is_initialized(w, w->told[i].rank)) {
            judge_exits(w, ISP_RULE_NO_FINALIZE, &w->told[i]);
            return true;
        }
    return false;
}

static void judge_silent(struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->ranks[rank];
    struct draft d = {.rule = ISP_RULE_CRASH, .story = tell_state(w)};
    d.message = sched_format("rank %d was killed, or left by _exit; last MPI call: %s", rank, last_call(r));
    draft_rank(&d, rank);
    draft_site(&d, rank, r->fn, r->site);
    draft_end(w, &d, "silent");
}

/* The launcher's own exit code, when no rank has told anything. */
static void judge_status(struct sched_world *w)
{
    if (!w->launch || !w->launch->ended || sched_checkpoints_forked(w) /* it sees what isp does to them */ || !WIFEXITED(w->launch->status) || WEXITSTATUS(w->launch->status) == 0)
        return;
    int code = WEXITSTATUS(w->launch->status);
    struct draft d = {.rule = ISP_RULE_EXIT_CODE};
    d.message = sched_format("%s ended with exit code %d%s", w->n_connected ? "the program" : "the program or its launcher",
                             code, w->n_connected ? "" : " before any rank reached MPI_Init");
    char *words = w->n_connected ? NULL : sched_escape(sched_launch_last_words(w->launch), "\n");
    d.story = words;
    draft_end(w, &d, "launcher");
}

static void judge_death(struct sched_world *w)
{
    if (has_told(w, ISP_RULE_ASSERTION, -1))
        return;
    const struct sched_told *t = find_told(w, ISP_MSG_CRASH);
    bool misplaced = t && (has_told(w, ISP_RULE_CALL_BEFORE_INIT, t->rank) ||
                           has_told(w, ISP_RULE_CALL_AFTER_FINALIZE, t->rank));
    if (t && !misplaced) {
        judge_crash(w, t);
        return;
    }
    if (is_explained(w))
        return;
    t = find_told(w, ISP_MSG_ABORT);
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

/* ---- hangs ---- */

enum { STACK_MAX = 64 };

struct sched_autopsy {
    uint32_t top;
    bool stopped; /* the one that hangs was, from outside */
    char *text;
};

static bool is_busy(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->ranks[rank];
    return r->peer && !r->gone && (!sched_rank_is_still(r) || sched_checkpoints_acts(w, rank));
}

struct sched_autopsy *sched_autopsy_create(const struct sched_world *world)
{
    if (world->ending != SCHED_END_HANG)
        return NULL;
    struct sched_autopsy *a = sched_alloc(1, sizeof *a);
    for (int i = 0; i < world->n; i++) {
        const struct sched_rank *r = &world->ranks[i];
        if (!is_busy(world, i) || !sched_process_is_here(r->peer->host))
            continue;
        uint32_t frames[STACK_MAX];
        pid_t pid = sched_checkpoints_process(world, i);
        a->stopped |= i == world->hanging && sched_process_is_stopped(pid);
        size_t n = sched_stack_of(pid, world->run->sites, frames, STACK_MAX);
        if (!n)
            continue;
        if (i == world->hanging)
            a->top = frames[sched_stack_top(world->run->sites, frames, n)];
        char *text = tell_frames((struct sched_world *)world, frames, n);
        sched_words_add(&a->text, "stack of rank %d:\n%s", i, text);
        free(text);
    }
    return a;
}

void sched_autopsy_destroy(struct sched_autopsy *autopsy)
{
    if (autopsy)
        free(autopsy->text);
    free(autopsy);
}

static void judge_hang(struct sched_world *w, const struct sched_autopsy *a)
{
    const struct sched_rank *r = &w->ranks[w->hanging];
    struct draft d = {.rule = ISP_RULE_HANG, .story = tell_state(w)};
    double limit = w->run->options->timeout_s;
    if (!r->peer)
        d.message = sched_format("rank %d has not reached MPI_Init for %g s", w->hanging, limit);
    else if (r->finalized)
        d.message = sched_format("rank %d has not ended for %g s after MPI_Finalize", w->hanging, limit);
    else if (r->polls || r->accesses)
        d.message = sched_format("rank %d has only accessed windows for more than %g s; its last call: %s", w->hanging,
                                 limit, last_call(r));
    else if (w->in_vain)
        d.message = sched_format("rank %d has polled in vain for %g s: %s", w->hanging, limit, last_call(r));
    else
        d.message = sched_format("rank %d has made no MPI call for %g s; its last: %s", w->hanging, limit, last_call(r));
    if (a && a->stopped)
        sched_words_add(&d.story, "rank %d is stopped, by a signal or a debugger\n", w->hanging);
    if (a && a->text)
        sched_words_add(&d.story, "%s", a->text);
    draft_rank(&d, w->hanging);
    if (a && a->top)
        draft_site(&d, w->hanging, 0, a->top);
    if (r->fn)
        draft_site(&d, w->hanging, r->fn, r->site);
    draft_end(w, &d, "");
}

/* ---- the whole ---- */

void sched_judge_difference(struct sched_world *w, int rank, const struct isp_call *at, const char *what)
{
    struct draft d = {.rule = ISP_RULE_NONDETERMINISM};
    const struct sched_rank *r = &w->ranks[rank];
    uint16_t fn = at ? at->fn : r->fn;
    d.message = sched_format("rank %d does something else than before with the same matches: %s%s%s", rank, what,
                             fn ? " " : "", fn ? isp_fn_name((enum isp_fn)fn) : "");
    d.story = sched_strdup("it depends on something outside MPI: time, random numbers, files, threads\n");
    draft_rank(&d, rank);
    draft_site(&d, rank, fn, at ? at->site : r->site);
    draft_end(w, &d, "");
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
        judge_death(w);
    if (w->ending == SCHED_END_HANG)
        judge_hang(w, autopsy);
    if (w->ending == SCHED_END_FINISHED)
        sched_check_end(w->run);
}

/* It computes for too long, or waits inside MPI for the dead one's half of a message. */
static char *words_of_left_behind(const struct sched_world *w)
{
    const struct sched_rank *r = &w->ranks[w->hanging];
    char *place = sched_words_place(w->run, r->site);
    char *why = sched_format("after a rank died in interleaving %s, rank %d did not get as far as it can: %s at %s",
                             w->run->interleaving, w->hanging, last_call(r), place);
    free(place);
    return why;
}

char *sched_judge_incomplete(const struct sched_world *w)
{
    const struct sched_launch *l = w->launch;
    switch (w->ending) {
    case SCHED_END_INTERRUPTED:
        if (w->late && w->run->options->replay)
            return sched_format("it was not over after %g s (--max-time)", w->run->options->max_time_s);
        if (w->late) /* why, the bound says */
            return sched_format("interleaving %s was not over", w->run->interleaving);
        return sched_reserve_was_needed() ? sched_strdup("isp can have no more memory (see ulimit)") : sched_interrupt_words();
    case SCHED_END_HANG: return sched_format("a rank hung in interleaving %s", w->run->interleaving);
    case SCHED_END_UNSUPPORTED: return sched_strdup("it makes a call that isp cannot model");
    case SCHED_END_DIVERGED: return sched_strdup("the program is nondeterministic outside MPI");
    case SCHED_END_KILLED:
        if (w->victim)
            return sched_strdup(w->victim);
        if (l->lost)
            return sched_strdup("isp's guard process was killed");
        return sched_format("the launcher was killed by signal %d (%s)", WTERMSIG(l->status), strsignal(WTERMSIG(l->status)));
    case SCHED_END_DIED: break;
    default: return w->differs >= 0 ? sched_strdup("the program is nondeterministic outside MPI") : NULL;
    }
    bool initialized = false;
    for (int i = 0; i < w->n; i++)
        initialized = initialized || is_initialized(w, i);
    if (w->explored)
        return NULL;
    if (w->fell_short)
        return sched_format("a rank died in interleaving %s before it had got as far as in runs before", w->run->interleaving);
    if (w->hanging >= 0)
        return words_of_left_behind(w);
    if (find_told(w, ISP_MSG_CRASH) || w->silent >= 0)
        return sched_format("a rank crashed in interleaving %s", w->run->interleaving);
    if (initialized)
        return sched_format("after a rank died in interleaving %s, others did not get as far as they can", w->run->interleaving);
    if (l && l->ended && l->status != 0 && !w->n_connected)
        return sched_strdup("no rank reached MPI_Init");
    if (l && l->ended && l->status == 0)
        return sched_strdup("the program made no MPI call that isp can see: it never reached MPI_Init, or is linked statically (build it with isp-cc), or looks MPI up "
                            "at run time with dlsym (link it with MPICH)");
    return NULL;
}
