/* SPDX-License-Identifier: BSD-3-Clause */
/* See callers.h. */
#include "callers.h"

#include <stdlib.h>
#include <string.h>

#include "aside.h"
#include "base/alloc.h"
#include "base/now.h"
#include "base/say.h"
#include "bounds.h"
#include "check/check.h"
#include "isp/functions.h"
#include "mixed.h"
#include "settle.h"
#include "unsafe.h"
#include "words/buffered.h"

enum { MOST = 20 };              /* runs */
static const double FREE_S = 10; /* they may take so long in any case */
static const double LONG_S = 5;  /* of a run: who waits is told for what */

/* ---- which operations ---- */

/* All that send are one, and all that receive: a wrapper may choose among them. Probes and completions belong
 * to an operation, and are none. */
static uint32_t operation_of(const struct isp_call *call)
{
    enum { SEND = 1, RECEIVE, FIRST };
    bool both = strcasestr(isp_fn_name((enum isp_fn)call->fn), "sendrecv");
    switch (call->op) {
    case ISP_OP_SEND: return both ? FIRST + call->fn : SEND;
    case ISP_OP_RECV: return both ? FIRST + call->fn : RECEIVE;
    case ISP_OP_COLLECTIVE: return FIRST + call->fn;
    default: return 0;
    }
}

static void hear_call(void *self, struct sched_run *run, int rank, const struct isp_call *call)
{
    (void)run;
    (void)rank;
    sched_sites_called(self, call->site, operation_of(call));
}

const struct sched_listener sched_callers_listener = {.call = hear_call};

/* ---- which runs ---- */

struct which {
    const char *name, *kept, *cut; /* as in the finding */
    bool buffered;
};

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_of(const struct which *w, const struct sched_finding *f)
{
    return same(w->name, f->interleaving) && w->buffered == f->buffered && same(w->kept, f->kept) &&
           same(w->cut, f->cut);
}

/* Something that hangs would do so again, for the whole time-out; and what differs from run to run has no
 * callers. */
static bool is_wanted(const struct sched_result *r, const struct sched_finding *f)
{
    bool wanted = false;
    for (size_t i = 0; i < f->n_sites; i++)
        wanted |= r->options->stacks || !sched_sites_is_whole(r->sites, f->sites[i].site);
    return wanted && f->interleaving && sched_rule_severity(f->rule) != ISP_SEVERITY_NOTE &&
           f->rule != ISP_RULE_HANG && f->rule != ISP_RULE_NONDETERMINISM && f->rule != ISP_RULE_UNSUPPORTED;
}

static size_t choose(const struct sched_result *r, struct which *all)
{
    struct sched_finding *const *findings;
    size_t n = 0, n_findings = sched_findings_all(r->findings, &findings);
    for (size_t i = 0; i < n_findings && n < MOST; i++) {
        const struct sched_finding *f = findings[i];
        size_t k = 0;
        while (k < n && !is_of(&all[k], f))
            k++;
        if (k == n && is_wanted(r, f))
            all[n++] = (struct which){f->interleaving, f->kept, f->cut, f->buffered};
    }
    return n;
}

/* ---- what they show ---- */

struct retelling {
    struct sched_result *result;
    const struct which *which;
    const struct sched_path *path;
};

/* Sites of the key without their callers. Caller frees. */
static char *plain_key(const struct sched_sites *sites, const char *key)
{
    char *plain = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&plain, &size));
    while (*key) {
        if (*key != SCHED_KEY_SITE[0])
            fputc(*key++, out);
        else
            fprintf(out, SCHED_KEY_SITE,
                    sched_sites_place(sites, (uint32_t)strtoul(key + 1, (char **)&key, 10)));
    }
    fclose(out);
    return sched_must(plain);
}

static struct sched_finding *find(const struct retelling *r, const char *key)
{
    char *plain = plain_key(r->result->sites, key), *mixed = sched_mixed_key(plain);
    struct sched_finding *f = sched_findings_find(r->result->findings, r->which->cut ? mixed : key);
    if (!f && !r->which->cut)
        f = sched_findings_find(r->result->findings, plain);
    free(plain);
    free(mixed);
    return f && is_of(r->which, f) ? f : NULL;
}

/* The same decisions, with the callers of their calls. */
static void replace_path(struct sched_fate *fate, const struct sched_path *path)
{
    struct sched_path *mine = sched_path_copy(path, fate->path->from);
    bool alike = mine->n == fate->path->n && mine->n_alternatives == fate->path->n_alternatives;
    sched_path_destroy(alike ? fate->path : mine);
    if (alike)
        fate->path = mine;
}

static bool retell(const struct sched_finding *found, const char *const *keys, size_t n_keys, void *context)
{
    const struct retelling *r = context;
    struct sched_finding *f = NULL;
    for (size_t i = 0; i < n_keys && !f; i++)
        f = find(r, keys[i]);
    if (!f || f->rule != found->rule)
        return true;
    sched_findings_retell(f, found);
    if (f->fate && f->fate->path && !r->which->cut)
        replace_path(f->fate, r->path);
    return true;
}

/* ---- a run ---- */

static void judge(struct sched_explore *x, struct sched_run_state *s, const struct which *which)
{
    enum sched_ending ending = s->world->ending;
    bool livelock = ending == SCHED_END_LIVELOCK;
    if (!which->cut) {
        sched_settle_run(x, s);
        sched_unsafe_settle(x->engine.result);
    } else if (livelock || ending == SCHED_END_DEADLOCK) {
        sched_check_deadlock(&s->run, livelock, ISP_RULE_UNSAFE_BUFFERING);
    }
}

/* Of which the choices are known. */
static void make_run(struct sched_explore *x, const struct which *which, const unsigned *choices, unsigned n,
                     const struct poe_name *kept, size_t n_kept, bool ahead)
{
    const struct sched_options *o = x->engine.options;
    struct sched_path *path = sched_path_create();
    struct sched_result part;
    struct sched_aside aside = sched_aside_begin(x, &part);
    struct sched_run_state s = {.run = {.options = o,
                                        .sites = part.sites,
                                        .findings = part.findings,
                                        .signatures = x->engine.signatures,
                                        .interleaving = which->name,
                                        .buffered = which->buffered,
                                        .mixed = kept != NULL,
                                        .kept = kept,
                                        .n_kept = n_kept,
                                        .stacks = true,
                                        .path = path}};
    struct sched_decider decider = {.forced = choices, .n_forced = n, .quiet = true, .ahead = ahead};
    bool take_notes = !which->buffered && o->buffering == ISP_BUFFERING_AUTO;
    sched_findings_begin_run(part.findings);
    sched_run_start(&x->engine, &s, &decider, NULL, which->buffered, SCHED_OUTPUT_HIDE, take_notes);
    if (s.made >= n && !x->engine.interrupted)
        judge(x, &s, which);
    sched_run_finish(&x->engine, &s);
    sched_aside_end(x, &aside);
    struct retelling retelling = {x->engine.result, which, path};
    sched_findings_each(part.findings, false, retell, &retelling);
    sched_part_finish(&part);
    sched_path_destroy(path);
}

/* Ranks may go ahead in it if they have done so in all runs, and nothing is to be decided. */
static bool may_go_ahead(const struct sched_explore *x, const struct which *which, unsigned n)
{
    const struct sched_options *o = x->engine.options;
    return n == 0 && !which->kept && !which->cut && !x->engine.n_waited && !o->n_kept && !o->stacks &&
           !o->replay;
}

/* There is a finding of the run whose callers it has not shown. */
static bool is_left(const struct sched_result *r, const struct which *which)
{
    struct sched_finding *const *findings;
    size_t n = sched_findings_all(r->findings, &findings);
    for (size_t i = 0; i < n; i++)
        if (is_of(which, findings[i]) && is_wanted(r, findings[i]))
            return true;
    return false;
}

static void run_again(struct sched_explore *x, const struct which *which)
{
    const struct sched_options *o = x->engine.options;
    unsigned *choices = NULL;
    struct poe_name *kept = NULL;
    size_t n_kept = 0;
    int n = poe_choices_parse(which->cut ? which->cut : which->name, &choices);
    while (n > 0 && choices[n - 1] == 0) /* "0" is also the name of a run without choices */
        n--;
    bool known = n >= 0 && (!which->kept || sched_kept_read(which->kept, &kept, &n_kept)),
         ahead = known && may_go_ahead(x, which, (unsigned)n);
    if (ahead)
        make_run(x, which, choices, 0, NULL, 0, true);
    if (known && (!ahead || is_left(x->engine.result, which)))
        make_run(x, which, choices, (unsigned)n, kept ? kept : o->kept, kept ? n_kept : o->n_kept, false);
    free(choices);
    free(kept);
}

void sched_callers_find(struct sched_explore *x)
{
    const struct sched_result *r = x->engine.result;
    struct which all[MOST];
    double now_s = sched_now_s(), end_s = now_s + (now_s - x->started_s);
    end_s = end_s > now_s + FREE_S ? end_s : now_s + FREE_S;
    size_t n = getenv("ISP_ONCE") ? 0 : choose(r, all);
    if (n && x->launched_s > LONG_S && !r->options->quiet)
        sched_say(
            "note: the search is over; %zu interleaving%s run once more, to know from where the calls of "
            "findings were made (Ctrl-C ends that)",
            n, n == 1 ? " is" : "s are");
    for (size_t i = 0; i < n && !x->engine.interrupted && sched_now_s() + x->launched_s <= end_s &&
                       sched_bounds_in_time(r->options, x->started_s);
         i++)
        run_again(x, &all[i]);
}
