/* SPDX-License-Identifier: BSD-3-Clause */
#include "worker.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "mail.h"
#include "base/now.h"
#include "base/status_line.h"
#include "explore/progress.h"
#include "explore/same_end.h"
#include "trace/trace.h"

static const double pause_s = 0.2; /* between two counts */
enum { LAUNCHES = 3 };

struct worker {
    struct sched_host host;
    struct sched_explore x;
    int fd;
    struct event *event;
    struct isp_buf in;
    json_t *job;      /* to be begun */
    bool split, tell; /* asked for, not yet done */
    double next_s, begun_s;
    unsigned hangs;                 /* that were told */
    struct sched_progress progress; /* of the first run */
};

/* ---- what the other one says ---- */

static void take(struct worker *w, json_t *message)
{
    if (json_object_get(message, "job"))
        w->job = json_incref(message), w->split = w->tell = false;
    w->split |= json_object_get(message, "split") != NULL;
    w->tell |= json_object_get(message, "tell") != NULL;
    if (json_object_get(message, "stop"))
        w->x.engine.interrupted = true;
}

static void on_mail(int fd, short what, void *context)
{
    struct worker *w = context;
    if (!sched_mail_receive(fd, &w->in)) /* it is gone, or all is done: guards end what there is */
        _exit(!w->x.trace || sched_trace_finish_part(w->x.trace) ? 0 : 1);
    for (json_t *message; (message = sched_mail_next(&w->in)); json_decref(message))
        take(w, message);
}

/* ---- what it is told ---- */

static json_t *job_json(struct sched_job *owned)
{
    json_t *json = owned ? sched_job_write(owned) : json_null();
    sched_job_destroy(owned);
    return json;
}

static void add_later(struct sched_host *host, struct sched_job *job)
{
    sched_mail_send(((struct worker *)host)->fd, json_pack("{s:o}", "later", job_json(job)));
}

static void send_state(struct worker *w, json_t *given)
{
    json_t *state = json_pack("{s:b, s:o, s:o}", "state", 1, "left",
                              job_json(sched_job_of_search(w->x.search, w->x.buffered)), "part",
                              sched_explore_write_part(&w->x));
    if (given)
        json_object_set_new(state, "given", given);
    sched_mail_send(w->fd, state);
    w->tell = false;
}

static double interleavings(const struct worker *w)
{
    return (double)sched_result_interleavings(w->x.engine.result);
}

/* Who takes a part of the job must launch the program first: what is left must be worth that, as far as one
 * can tell. */
static bool is_worth_splitting(const struct worker *w)
{
    double all = poe_search_estimate(w->x.search), left = all - interleavings(w);
    double open = (double)poe_search_frontier(w->x.search);
    double each_s = (sched_now_s() - w->begun_s) / (interleavings(w) + 1);
    return (left > open ? left : open) * each_s > LAUNCHES * w->x.launched_s;
}

static void split(struct worker *w)
{
    struct poe_given given;
    const struct poe_search *search = w->x.search;
    if (!poe_search_halve(w->x.search, &given))
        return;
    struct sched_job *others = sched_job_of_given(search, w->x.buffered, &given);
    json_t *jobs = json_array();
    if (others)
        json_array_append_new(jobs, job_json(others));
    if (given.later)
        json_array_append_new(jobs,
                              job_json(sched_job_of_alternative(search, w->x.buffered, given.number,
                                                                poe_search_step(search, given.number).n)));
    w->split = false;
    send_state(w, jobs);
}

static void send_count(struct worker *w)
{
    const struct sched_result *r = w->x.engine.result;
    double now_s = sched_now_s();
    if (now_s < w->next_s && r->hangs == w->hangs && !w->x.engine.options->max_interleavings)
        return;
    w->next_s = now_s + pause_s;
    w->hangs = r->hangs;
    char *same = sched_same_end(r);
    sched_mail_send(w->fd, json_pack("{s:I, s:I, s:f, s:i, s:s?}", "count",
                                     (json_int_t)sched_result_interleavings(r), "runs", (json_int_t)r->runs,
                                     "estimate", poe_search_estimate(w->x.search), "hangs", (int)r->hangs,
                                     "same", same));
    free(same);
}

static void send_found(enum isp_severity severity, const char *line, void *data)
{
    const struct worker *w = data;
    char *safe = sched_escape(line, "");
    sched_mail_send(w->fd, json_pack("{s:s, s:i}", "found", safe, "severity", (int)severity));
    free(safe);
}

/* The first run, whose output is shown, is over: from now on the line is the other process's. */
static void end_first(struct worker *w)
{
    if (!w->progress.clock)
        return;
    sched_progress_finish(&w->progress);
    sched_status_line_share();
}

static bool between(struct sched_host *host)
{
    struct worker *w = (struct worker *)host;
    event_base_loop(w->x.base, EVLOOP_NONBLOCK);
    end_first(w);
    sched_found_each(w->x.engine.result, send_found, w);
    send_count(w);
    if (w->split && is_worth_splitting(w))
        split(w);
    if (w->tell)
        send_state(w, NULL);
    return !w->x.engine.interrupted;
}

/* ---- jobs ---- */

/* Its last run was ended because it was told to stop: why, the other one knows. */
static void forget_reason(const struct sched_explore *x, struct sched_result *part)
{
    if (!x->engine.interrupted || x->before.incomplete_because)
        return;
    free(part->incomplete_because);
    part->incomplete_because = NULL;
}

static void explore(struct worker *w, const json_t *message, struct sched_sites *sites)
{
    struct sched_explore *x = &w->x;
    struct sched_job *job = sched_must(sched_job_read(json_object_get(message, "job")));
    struct sched_result part;
    sched_part_init(&part, x->engine.options, sites);
    x->engine.result = &part;
    x->shows = json_is_true(json_object_get(message, "shows"));
    x->other_hangs = (unsigned)json_integer_value(json_object_get(message, "hangs"));
    w->hangs = 0;
    w->begun_s = sched_now_s();
    x->other_runs = (uint64_t)json_integer_value(json_object_get(message, "runs"));
    json_t *kept;
    if (x->shows && sched_status_line_is_on()) {
        sched_progress_init(&w->progress, false);
        w->progress.found.on = false;
        sched_progress_begin(&w->progress, x, true);
    }
    struct sched_job *left = sched_explore_job(x, job, &kept);
    end_first(w);
    sched_found_each(&part, send_found, w);
    forget_reason(x, &part);
    sched_mail_send(w->fd, json_pack("{s:b, s:o, s:o, s:o, s:I, s:i, s:i, s:s?, s:s?}", "done", 1, "left",
                                     job_json(left), "part", kept, "shown", sched_part_write(&part, false),
                                     "open", (json_int_t)part.left_out.open, "bound", (int)x->bound, "failed",
                                     x->failed, "error", x->error, "untrue", x->untrue));
    sched_part_finish(&part);
    sched_job_destroy(job);
}

_Noreturn void sched_worker_main(int fd, const struct sched_options *options, struct sched_sites *sites,
                                 struct sched_trace *trace, double started_s)
{
    struct worker w = {.host = {add_later, between}, .fd = fd};
    sched_explore_init(&w.x, options, NULL, sites, started_s);
    w.x.host = &w.host;
    w.x.trace = trace;
    w.event = sched_must(event_new(w.x.base, fd, EV_READ | EV_PERSIST, on_mail, &w));
    event_add(w.event, NULL);
    for (;;) {
        while (!w.job)
            event_base_loop(w.x.base, EVLOOP_ONCE);
        json_t *message = w.job;
        w.job = NULL;
        explore(&w, message, sites);
        json_decref(message);
    }
}
