/* SPDX-License-Identifier: BSD-3-Clause */
#include "printed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "bounds.h"
#include "base/now.h"
#include "base/escape.h"
#include "trace/trace.h"

enum { MOST = 20 };              /* interleavings */
static const double PART = 0.25; /* of the time that the exploration took ... */
static const double FREE_S = 1;  /* ... or this */

struct shown {
    const char *name;
    bool buffered;
};

static void add(struct shown *all, size_t *n, const char *name, bool buffered)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(all[i].name, name) == 0 && all[i].buffered == buffered)
            return;
    if (*n < MOST)
        all[(*n)++] = (struct shown){name, buffered};
}

/* A run that hangs would do so again, for the whole time-out; that of a livelock or of a killed launcher says
 * nothing new. */
static bool is_to_be_run(const struct sched_finding *f)
{
    return f->interleaving && sched_rule_severity(f->rule) != ISP_SEVERITY_NOTE && f->rule != ISP_RULE_HANG &&
           f->rule != ISP_RULE_LIVELOCK && f->rule != ISP_RULE_NONDETERMINISM;
}

static size_t choose(const struct sched_result *result, struct shown *all)
{
    struct sched_finding *const *findings;
    size_t n = 0, n_findings = sched_findings_all(result->findings, &findings);
    for (size_t i = 0; i < n_findings; i++)
        if (is_to_be_run(findings[i]))
            add(all, &n, findings[i]->interleaving, findings[i]->buffered);
    if (!result->options->replay)
        add(all, &n, "0", result->options->buffering == ISP_BUFFERING_INFINITE);
    return n;
}

/* Its text, or NULL; caller frees. */
static char *read_kept(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *raw = size >= 0 ? sched_alloc((size_t)size + 1, 1) : NULL;
    ssize_t n = raw ? pread(fd, raw, (size_t)size, 0) : -1;
    for (ssize_t i = 0; i < n; i++)
        if (!raw[i])
            raw[i] = ' ';
    char *text = n >= 0 ? sched_escape(raw, "\n\t") : NULL;
    free(raw);
    return text;
}

static void run_again(struct sched_explore *x, const struct shown *which)
{
    struct sched_result *r = x->engine.result;
    unsigned *choices = NULL;
    int n = poe_choices_parse(which->name, &choices), fd = memfd_create("isp-printed", MFD_CLOEXEC);
    if (n < 0 || fd < 0)
        goto out;
    while (n > 0 && choices[n - 1] == 0) /* "0" is also the name of a run without choices */
        n--;
    struct sched_findings *found = sched_findings_create();
    struct sched_run_state s = {.run = {.options = x->engine.options,
                                        .sites = r->sites,
                                        .findings = found,
                                        .signatures = x->engine.signatures,
                                        .interleaving = which->name,
                                        .buffered = which->buffered,
                                        .printed = fd}};
    struct sched_decider decider = {.forced = choices, .n_forced = (unsigned)n};
    uint64_t calls = r->calls;
    sched_run_start(&x->engine, &s, &decider, NULL, which->buffered, SCHED_OUTPUT_KEEP, false);
    bool same = s.made >= (unsigned)n && s.world->ending != SCHED_END_FAILED && !x->engine.interrupted;
    sched_run_finish(&x->engine, &s); /* the last of it comes with the end of its processes */
    r->calls = calls;
    sched_findings_destroy(found);
    char *text = same ? read_kept(fd) : NULL;
    if (text)
        sched_trace_printed(x->trace, which->name, which->buffered, text);
    free(text);
out:
    free(choices);
    if (fd >= 0)
        close(fd);
}

void sched_printed(struct sched_explore *x)
{
    const struct sched_result *r = x->engine.result;
    struct shown all[MOST];
    double now_s = sched_now_s(), end_s = now_s + PART * (now_s - x->started_s), longest_s = x->launched_s;
    end_s = end_s > now_s + FREE_S ? end_s : now_s + FREE_S;
    size_t n = x->trace && !r->unsupported && !getenv("ISP_ONCE") ? choose(r, all) : 0;
    for (size_t i = 0; i < n && !x->engine.interrupted && sched_bounds_in_time(r->options, x->started_s);
         i++) {
        double begun_s = sched_now_s();
        if (begun_s + longest_s > end_s)
            break;
        run_again(x, &all[i]);
        double took_s = sched_now_s() - begun_s;
        longest_s = took_s > longest_s ? took_s : longest_s;
    }
}
