/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks only take in what workers say; what is to be done is decided once per turn of the loop. */
#include "workers.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "explore/bounds.h"
#include "explore/same_end.h"
#include "base/broom.h"
#include "launch/input.h"
#include "base/interrupt.h"
#include "mail.h"
#include "base/now.h"
#include "base/process.h"
#include "base/signals.h"
#include "trace/trace.h"
#include "worker.h"
#include "base/say.h"

enum { MAX_DEATHS = 3, MAX_HANGS = 3, STOPPED_TURNS = 10 };

struct worker {
    struct workers *all;
    pid_t pid; /* 0: there is none */
    int fd;
    struct event *event;
    struct sched_input *input;
    struct isp_buf in;
    struct sched_job *job; /* what is left of it, as it was told last; NULL: it waits */
    json_t *part;          /* what it came to up to there; NULL: nothing */
    bool splitting;        /* it was asked to */
    bool ended;            /* before it was done; and then, with what its last run showed: */
    json_t *shown;
    uint64_t interleavings, runs;
    char *same; /* in what all of them have ended (explore/same_end.h), or NULL */
    double estimate;
    unsigned hangs;
    unsigned stopped; /* turns since it was seen to be */
};

struct workers {
    struct sched_explore *x;
    struct sched_pool *pool;
    struct sched_save *save;
    struct sched_progress *progress;
    struct worker *workers;
    unsigned n, deaths;
    bool begun, stopping;
    char *same; /* in what all have ended in jobs that are done, or NULL */
};

/* ---- the end of jobs ---- */

static void merge(struct workers *all, const json_t *json)
{
    struct sched_result *whole = all->pool->result, part;
    sched_part_init(&part, whole->options, whole->sites);
    if (json) {
        bool ok = sched_part_read(&part, json);
        assert(ok);
        sched_part_merge(whole, &part);
    }
    sched_part_finish(&part);
    free(all->same);
    all->same = sched_same_end(whole);
}

/* The worker has no job any more. */
static void release(struct worker *w)
{
    json_decref(w->part);
    w->part = NULL;
    w->job = NULL;
    w->splitting = false;
    w->interleavings = w->runs = w->hangs = 0;
    free(w->same);
    w->same = NULL;
    w->estimate = 0;
}

static void finish_job(struct worker *w, const json_t *message)
{
    struct workers *all = w->all;
    const char *error = json_string_value(json_object_get(message, "error"));
    sched_job_destroy(w->job);
    struct sched_job *left = sched_job_read(json_object_get(message, "left"));
    if (left) {
        json_decref(w->part);
        w->job = left;
        w->part = json_incref(json_object_get(message, "part"));
        w->shown = json_incref(json_object_get(message, "shown"));
        w->ended = all->x->stop = true;
        all->pool->result->left_out.open += (uint64_t)json_integer_value(json_object_get(message, "open"));
        if (!all->x->bound)
            all->x->bound = (enum sched_stop)json_integer_value(json_object_get(message, "bound"));
    } else {
        merge(all, json_object_get(message, "part"));
        release(w);
    }
    const char *untrue = json_string_value(json_object_get(message, "untrue"));
    if (untrue && !all->x->untrue)
        all->x->untrue = sched_strdup(untrue);
    all->x->stop |= untrue != NULL;
    if (error && !all->x->error) {
        all->x->error = sched_strdup(error);
        all->x->failed = (int)json_integer_value(json_object_get(message, "failed"));
        all->x->stop = true;
    }
}

/* What it has traced; of one that was killed there is nothing to be read. */
static void take_trace(const struct worker *w, int status)
{
    struct sched_trace *trace = w->all->x->trace;
    if (!trace)
        return;
    char *file = sched_trace_part_file(trace, (unsigned)(w - w->all->workers));
    if (status != 0 || !sched_trace_merge(trace, file))
        sched_trace_lack(trace, "it lacks what a process of isp's own had seen that died");
    sched_broom_remove(file);
    free(file);
}

/* It has died. Its job is done again, but not for ever: it may be what kills it. */
static void bury(struct worker *w)
{
    struct workers *all = w->all;
    int status = 0;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    take_trace(w, status);
    event_free(w->event);
    close(w->fd);
    sched_input_destroy(w->input);
    w->input = NULL;
    w->in.size = 0;
    w->pid = 0;
    if (!w->job || w->ended)
        return;
    if (w->part)
        merge(all, w->part);
    sched_pool_put_back(all->pool, w->job);
    release(w);
    if (++all->deaths < MAX_DEATHS)
        return;
    all->x->stop = true;
    sched_part_incomplete(all->pool->result,
                          WIFSIGNALED(status)
                              ? sched_format("processes of isp's own were killed by signal %d (%s)",
                                             WTERMSIG(status), strsignal(WTERMSIG(status)))
                              : sched_strdup("processes of isp's own have ended too early"),
                          NULL);
}

/* ---- what workers say ---- */

static void take_state(struct worker *w, const json_t *message)
{
    struct sched_job *left = sched_job_read(json_object_get(message, "left"));
    const json_t *given = json_object_get(message, "given");
    assert(left);
    sched_job_destroy(w->job);
    w->job = left;
    json_decref(w->part);
    w->part = json_incref(json_object_get(message, "part"));
    for (size_t i = 0; i < json_array_size(given); i++)
        sched_pool_add(w->all->pool, sched_job_read(json_array_get(given, i)));
    w->splitting = w->splitting && !given;
}

static void take(struct worker *w, const json_t *message)
{
    const json_t *count = json_object_get(message, "count"), *later = json_object_get(message, "later");
    const char *found = json_string_value(json_object_get(message, "found"));
    if (json_object_get(message, "done"))
        finish_job(w, message);
    else if (json_object_get(message, "state"))
        take_state(w, message);
    else if (later)
        sched_pool_add(w->all->pool, sched_job_read(later));
    else if (found)
        sched_found_add(&w->all->progress->found,
                        (enum isp_severity)json_integer_value(json_object_get(message, "severity")), found);
    if (count) {
        w->interleavings = (uint64_t)json_integer_value(count);
        w->runs = (uint64_t)json_integer_value(json_object_get(message, "runs"));
        const char *same = json_string_value(json_object_get(message, "same"));
        free(w->same);
        w->same = same ? sched_strdup(same) : NULL;
        w->estimate = json_real_value(json_object_get(message, "estimate"));
        w->hangs = (unsigned)json_integer_value(json_object_get(message, "hangs"));
    }
}

static void on_mail(int fd, short what, void *context)
{
    struct worker *w = context;
    bool alive = sched_mail_receive(fd, &w->in);
    for (json_t *message; (message = sched_mail_next(&w->in)); json_decref(message))
        take(w, message);
    if (!alive)
        bury(w);
}

/* ---- processes ---- */

/* Each worker and its ranks have a share of the processors for themselves: where all may use all they move
 * from one to another and wake each other there, which costs more than what they do in between. */
static void keep_to_share(unsigned number, unsigned n)
{
    cpu_set_t all, share;
    CPU_ZERO(&share);
    if (n < 2 || sched_getaffinity(0, sizeof all, &all) < 0)
        return;
    unsigned cpus = (unsigned)CPU_COUNT(&all), k = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all)) {
            if (n <= cpus ? k * n / cpus == number : k == number % cpus)
                CPU_SET(cpu, &share);
            k++;
        }
    sched_setaffinity(0, sizeof share, &share);
}

/* In the new process. It hears of the terminal's signals from its parent. */
static _Noreturn void become_worker(struct workers *all, unsigned number, int fd, int input, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "isp-worker");
    if (getppid() != parent)
        _exit(0);
    keep_to_share(number, all->n);
    int ending;
    for (size_t i = 0; (ending = sched_signals_ending(i)); i++)
        signal(ending, SIG_IGN);
    if (input >= 0)
        sched_input_replace(input);
    if (fd > 3)
        /* the others' sockets and pipes must close when their owners do */
        close_range(3, (unsigned)fd - 1, 0);
    close_range((unsigned)fd + 1, ~0u, 0);
    struct sched_sites *sites = all->pool->result->sites;
    struct sched_trace *trace = all->x->trace ? sched_trace_create_part(all->x->trace, number, sites) : NULL;
    sched_worker_main(fd, all->x->engine.options, sites, trace, all->x->started_s);
}

/* The file that the worker will make. */
static void expect_trace(const struct workers *all, unsigned number)
{
    char *file = all->x->trace ? sched_trace_part_file(all->x->trace, number) : NULL;
    if (file)
        sched_broom_add(file);
    free(file);
}

static bool start(struct workers *all, struct worker *w)
{
    int pair[2], input;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return false;
    struct sched_input *in = sched_input_create(all->x->base, &input);
    expect_trace(all, (unsigned)(w - all->workers));
    pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        become_worker(all, (unsigned)(w - all->workers), pair[1], in ? input : -1, parent);
    }
    int error = errno;
    close(pair[1]);
    close(input);
    if (pid < 0) {
        close(pair[0]);
        sched_input_destroy(in);
        errno = error;
        return false;
    }
    *w = (struct worker){.all = all, .pid = pid, .fd = pair[0], .input = in, .in = w->in};
    w->event = sched_must(event_new(all->x->base, w->fd, EV_READ | EV_PERSIST, on_mail, w));
    event_add(w->event, NULL);
    return true;
}

/* ---- deciding ---- */

static unsigned hangs(const struct workers *all)
{
    unsigned n = all->pool->result->hangs;
    for (unsigned i = 0; i < all->n; i++)
        n += all->workers[i].hangs;
    return n;
}

/* Of the workers' present jobs. */
static uint64_t runs(const struct workers *all)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < all->n; i++)
        n += all->workers[i].runs;
    return n;
}

/* So far. */
static uint64_t interleavings(const struct workers *all)
{
    uint64_t n = sched_result_interleavings(all->pool->result);
    for (unsigned i = 0; i < all->n; i++)
        n = sched_count_sum(n, all->workers[i].interleavings);
    return n;
}

/* How all have ended so far, or NULL. */
static const char *find_same(const struct workers *all)
{
    const struct sched_result *r = all->pool->result;
    if (r->buffered_too || (r->interleavings && !all->same))
        return NULL;
    const char *same = all->same;
    for (const struct worker *w = all->workers; w < all->workers + all->n; w++) {
        if (!w->job || !w->interleavings)
            continue;
        if (!w->same || (same && strcmp(same, w->same) != 0))
            return NULL;
        same = w->same;
    }
    return same;
}

static bool any_busy(const struct workers *all)
{
    for (unsigned i = 0; i < all->n; i++)
        if (all->workers[i].job && !all->workers[i].ended)
            return true;
    return false;
}

/* One that has no job, and is there or can be made. */
static struct worker *find_idle(struct workers *all)
{
    for (unsigned i = 0; i < all->n; i++)
        if (!all->workers[i].job && (all->workers[i].pid || start(all, &all->workers[i])))
            return &all->workers[i];
    return NULL;
}

static void give(struct workers *all, struct worker *w, struct sched_job *job)
{
    w->job = job;
    sched_mail_send(w->fd, json_pack("{s:o, s:b, s:i, s:I}", "job", sched_job_write(job), "shows",
                                     all->x->shows && !all->begun, "hangs", (int)hangs(all), "runs",
                                     (json_int_t)all->pool->result->runs + (json_int_t)runs(all)));
    all->begun = true;
}

static void ask(struct workers *all, const char *what)
{
    for (unsigned i = 0; i < all->n; i++)
        if (all->workers[i].job && !all->workers[i].ended)
            sched_mail_send(all->workers[i].fd, json_pack("{s:b}", what, 1));
}

/* What is left of its job, as far as that is known; who has said nothing yet has just begun. */
static double left_of(const struct worker *w)
{
    return w->estimate > 0 ? w->estimate - (double)w->interleavings : HUGE_VAL;
}

/* For each idle worker the busiest of the others; it does so when it can, and if it pays. */
static void ask_for_split(struct workers *all)
{
    struct worker *most = NULL;
    unsigned idle = 0, asked = 0;
    for (unsigned i = 0; i < all->n; i++) {
        struct worker *w = &all->workers[i];
        idle += !w->job;
        asked += w->splitting;
        if (w->job && !w->splitting && (!most || left_of(w) > left_of(most)))
            most = w;
    }
    if (!most || asked >= idle)
        return;
    most->splitting = true;
    sched_mail_send(most->fd, json_pack("{s:b}", "split", 1));
}

static void give_jobs(struct workers *all)
{
    while (all->pool->jobs) {
        struct worker *w = find_idle(all);
        if (!w)
            break;
        give(all, w, sched_pool_take(all->pool));
    }
    if (!all->pool->jobs)
        ask_for_split(all);
}

static void save(struct workers *all)
{
    struct sched_work *work = sched_alloc(all->n, sizeof *work);
    for (unsigned i = 0; i < all->n; i++)
        work[i] = (struct sched_work){all->workers[i].job, all->workers[i].part};
    sched_save_write(all->save, sched_pool_write(all->pool, work, all->n));
    free(work);
}

static void show(struct workers *all)
{
    const struct sched_result *r = all->pool->result;
    double estimate = r->leaves + r->buffered_leaves;
    for (unsigned i = 0; i < all->n; i++)
        estimate += all->workers[i].estimate;
    sched_progress_tell(all->progress, interleavings(all), estimate, find_same(all));
}

/* Time is told to workers by their own clocks. */
static void look_at_bounds(struct workers *all)
{
    struct sched_explore *x = all->x;
    const struct sched_result *r = all->pool->result;
    if (!x->bound && all->begun)
        x->bound = sched_bounds_reached(r, runs(all), x->started_s, 0);
    if (!x->bound && find_same(all) &&
        sched_same_end_is_enough(x->engine.options, interleavings(all), x->started_s))
        x->bound = SCHED_STOP_SAME;
    x->stop |= x->engine.interrupted || (x->bound && x->bound != SCHED_STOP_TIME) || hangs(all) >= MAX_HANGS;
    if (x->stop && !all->stopping) {
        ask(all, "stop");
        all->stopping = true;
    }
}

static bool has_work(const struct workers *all)
{
    return !all->x->stop && !all->x->bound && (all->pool->jobs || sched_result_goes_on(all->pool->result));
}

/* One turn; false: it is over. */
static bool decide(struct workers *all)
{
    struct sched_explore *x = all->x;
    bool busy = any_busy(all);
    if (!busy && !all->pool->jobs && !sched_result_goes_on(all->pool->result))
        return false;
    look_at_bounds(all);
    if (!busy && !has_work(all))
        return false;
    if (!busy && !all->pool->jobs)
        sched_pool_put_back(all->pool, sched_pool_take(all->pool)); /* the exploration with buffered sends */
    if (!x->stop && !x->bound)
        give_jobs(all);
    if (!any_busy(all)) {
        x->error = sched_format("cannot start a process: %s", strerror(errno));
        x->failed = ISP_EXIT_TOOL;
        return false;
    }
    if (sched_save_is_due(all->save)) {
        save(all);
        ask(all, "tell");
    }
    show(all);
    return true;
}

/* A bound that was reached when nothing was left to do has cut nothing off. */
static void forget_bound(struct workers *all)
{
    bool left = all->pool->jobs || sched_result_goes_on(all->pool->result);
    for (unsigned i = 0; i < all->n; i++)
        left |= all->workers[i].ended;
    if (left || !all->x->bound)
        return;
    all->x->bound = SCHED_STOP_NONE;
    all->x->stop = false;
}

static void finish(struct workers *all)
{
    for (unsigned i = 0; i < all->n; i++)
        if (all->workers[i].pid) {
            shutdown(all->workers[i].fd, SHUT_RDWR);
            bury(&all->workers[i]);
        }
    for (unsigned i = 0; i < all->n; i++) {
        isp_buf_finish(&all->workers[i].in);
        json_decref(all->workers[i].shown);
    }
    free(all->workers);
    free(all->same);
}

/* A worker that somebody has stopped would be waited for as long as it is. (If it was the whole job that was
 * stopped, this process sees nothing of that.) */
static void on_turn(int fd, short what, void *context)
{
    const struct workers *all = context;
    for (struct worker *w = all->workers; w < all->workers + all->n; w++) {
        w->stopped = w->pid && sched_process_is_stopped(w->pid) ? w->stopped + 1 : 0;
        if (w->stopped < STOPPED_TURNS || w->stopped % STOPPED_TURNS)
            continue;
        sched_say("note: a process of isp's own was stopped by a signal: it is made to go on");
        kill(w->pid, SIGCONT);
    }
}

void sched_workers_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *saving,
                           struct sched_progress *progress)
{
    struct workers all = {
        .x = x, .pool = pool, .save = saving, .progress = progress, .n = x->engine.options->workers};
    all.workers = sched_alloc(all.n, sizeof *all.workers);
    struct timeval turn = {.tv_usec = 100000};
    sched_progress_begin(progress, x, false);
    struct event *clock = sched_must(event_new(x->base, -1, EV_PERSIST, on_turn, &all));
    event_add(clock, &turn);
    while (decide(&all))
        event_base_loop(x->base, EVLOOP_ONCE);
    event_free(clock);
    forget_bound(&all);
    if (x->engine.interrupted)
        sched_part_incomplete(pool->result, sched_interrupt_words(), NULL);
    if (saving)
        save(&all);
    for (unsigned i = 0; i < all.n; i++)
        if (all.workers[i].ended) {
            merge(&all, all.workers[i].shown);
            sched_job_destroy(all.workers[i].job);
            release(&all.workers[i]);
        }
    finish(&all);
}
