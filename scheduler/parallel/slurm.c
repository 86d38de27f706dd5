/* SPDX-License-Identifier: BSD-3-Clause */
#include "slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/alloc.h"
#include "explore/alone.h"
#include "explore/bounds.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "base/say.h"

enum { SHARE = 4 }; /* subtrees for each task that runs at a time */

struct slurm {
    struct sched_host host;
    struct sched_explore *x;
    struct sched_pool *pool;
    struct sched_save *save;
    unsigned at_a_time;
    char *dir;
    /* of the present array */
    struct sched_job **jobs;
    unsigned n;
    char id[32]; /* Slurm's; empty: it was not submitted */
    size_t id_size;
    bool over;
};

static unsigned count(const struct sched_pool *pool)
{
    unsigned n = 0;
    for (const struct sched_job *job = pool->jobs; job; job = job->next)
        n++;
    return n;
}

/* ---- here ---- */

static void add_later(struct sched_host *host, struct sched_job *job)
{
    sched_pool_add(((struct slurm *)host)->pool, job);
}

/* Gives all away that can be, until that is enough. */
static bool spread_out(struct sched_host *host)
{
    struct slurm *s = (struct slurm *)host;
    struct sched_explore *x = s->x;
    unsigned number;
    while (poe_search_split(x->search, &number)) {
        unsigned allowed = poe_search_step(x->search, number).allowed;
        for (unsigned k = poe_search_step(x->search, number).taken + 1; k < allowed; k++)
            sched_pool_add(s->pool, sched_job_of_alternative(x->search, x->buffered, number, k));
    }
    return count(s->pool) < SHARE * s->at_a_time;
}

static bool go_on(struct sched_host *host) { return true; }

static void explore_here(struct slurm *s, struct sched_job *job, bool (*between)(struct sched_host *))
{
    s->host = (struct sched_host){add_later, between};
    s->x->host = &s->host;
    struct sched_job *left = sched_explore_into(s->x, s->pool, s->save, job);
    sched_job_destroy(job);
    if (left)
        sched_pool_put_back(s->pool, left);
}

static bool is_over(struct slurm *s)
{
    struct sched_explore *x = s->x;
    if (!x->stop && !x->bound && x->engine.n_runs)
        x->bound = sched_bounds_reached(s->pool->result, 0, x->started_s, 0);
    x->stop |= x->bound != SCHED_STOP_NONE || x->engine.interrupted;
    return x->stop || (!s->pool->jobs && !sched_result_goes_on(s->pool->result));
}

/* ---- files ---- */

static char *file_of(const struct slurm *s, unsigned task, const char *what)
{
    return sched_format("%s/%u.%s", s->dir, task, what);
}

static void write_jobs(const struct slurm *s)
{
    struct sched_options options = *s->x->engine.options;
    struct sched_save *save = sched_save_create(&options);
    for (unsigned i = 0; i < s->n; i++) {
        char *file = file_of(s, i, "save");
        options.save = file;
        sched_save_write(save, sched_pool_write_job(s->jobs[i]));
        free(file);
    }
    sched_save_destroy(save);
}

/* One word for the shell. */
static void put_quoted(FILE *out, const char *word)
{
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    fputc('\'', out);
}

/* What the environment says to this process is not for the tasks. That a task is one of Slurm's is not for
 * MPICH's mpiexec, which would start its ranks by srun. */
static bool write_script(const struct slurm *s, const char *path)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    FILE *out = fopen(path, "we");
    if (!out || n <= 0) {
        if (out)
            fclose(out);
        return false;
    }
    self[n] = '\0';
    const struct sched_options *o = s->x->engine.options;
    fputs("#!/bin/sh\nunset ISP_SLURM ISP_SAVE ISP_RESUME ISP_JOBS ISP_JSON ISP_MAX_TIME\nfile=", out);
    put_quoted(out, s->dir);
    fputs("/$SLURM_ARRAY_TASK_ID.save\n", out);
    if (strcmp(o->mpiexec, "mpiexec") == 0)
        fputs("unset $(env | sed -n 's/^\\(SLURM_[A-Z0-9_]*\\)=.*/\\1/p')\n", out);
    fputs("exec ", out);
    put_quoted(out, self);
    fputs(" --slurm-task -j 1 --resume \"$file\" --save \"$file\"", out);
    if (o->max_time_s) {
        double left_s = s->x->started_s + o->max_time_s - sched_now_s();
        fprintf(out, " --max-time %g", left_s > 0.1 ? left_s : 0.1);
    }
    fputc('\n', out);
    return fclose(out) == 0;
}

static void remove_files(const struct slurm *s)
{
    static const char *const kinds[] = {"save", "save.tmp", "out"};
    for (unsigned i = 0; i < s->n; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char *file = file_of(s, i, kinds[k]);
            unlink(file);
            free(file);
        }
    char *script = sched_format("%s/script", s->dir);
    unlink(script);
    free(script);
    rmdir(s->dir);
}

/* ---- the array ---- */

static _Noreturn void become_sbatch(const struct slurm *s, const char *script, const wordexp_t *words,
                                    int out, pid_t parent)
{
    char *array = sched_format("--array=0-%u%%%u", s->n - 1, s->at_a_time),
         *output = sched_format("--output=%s/%%a.out", s->dir);
    char **argv = sched_alloc(words->we_wordc + 7, sizeof *argv);
    size_t n = 0;
    argv[n++] = (char *)"sbatch";
    argv[n++] = (char *)"--parsable";
    argv[n++] = (char *)"--wait";
    argv[n++] = array;
    argv[n++] = output;
    for (size_t i = 0; i < words->we_wordc; i++)
        argv[n++] = words->we_wordv[i];
    argv[n++] = (char *)script;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* isp decides what an interrupt means */
    dup2(out, 1);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (getppid() == parent)
        execvp(argv[0], argv);
    _exit(127);
}

/* The number of the job, when it has one; then, when all tasks have ended, the end. */
static void on_sbatch(int fd, short what, void *context)
{
    struct slurm *s = context;
    char room[256];
    ssize_t n = read(fd, room, sizeof room);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    s->over = n <= 0;
    for (ssize_t i = 0; i < n; i++)
        if (s->id_size < sizeof s->id - 1)
            s->id[s->id_size++] = room[i];
    s->id[strcspn(s->id, ";\n")] = '\0';
}

static void cancel(const struct slurm *s)
{
    pid_t pid = fork();
    if (pid == 0) {
        execlp("scancel", "scancel", s->id, (char *)NULL);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void on_turn(int fd, short what, void *context) {}

/* Until all tasks have ended; an interrupt ends them. */
static void wait_for(struct slurm *s, int fd)
{
    struct event *read = sched_must(event_new(s->x->base, fd, EV_READ | EV_PERSIST, on_sbatch, s));
    struct event *clock = sched_must(event_new(s->x->base, -1, EV_PERSIST, on_turn, NULL));
    struct timeval turn = {.tv_usec = 200000};
    bool cancelled = false;
    event_add(read, NULL);
    event_add(clock, &turn);
    while (!s->over) {
        event_base_loop(s->x->base, EVLOOP_ONCE);
        if (s->x->engine.interrupted && !cancelled && s->id[0]) {
            cancel(s);
            cancelled = true;
        }
    }
    event_free(read);
    event_free(clock);
}

/* False: nothing was submitted; x->error says why. */
static bool run_array(struct slurm *s)
{
    struct sched_explore *x = s->x;
    char *script = sched_format("%s/script", s->dir);
    wordexp_t words;
    int ends[2];
    pid_t parent = getpid(), pid = -1;
    s->over = false;
    s->id_size = 0;
    memset(s->id, 0, sizeof s->id);
    if (wordexp(x->engine.options->slurm, &words, WRDE_NOCMD) != 0) {
        x->error = sched_format("--slurm %s: these words cannot be read", x->engine.options->slurm);
    } else if (!write_script(s, script) || pipe2(ends, O_CLOEXEC) < 0) {
        x->error = sched_format("--slurm: %s: %s", script, strerror(errno));
        wordfree(&words);
    } else {
        fflush(NULL);
        pid = fork();
        if (pid == 0)
            become_sbatch(s, script, &words, ends[1], parent);
        close(ends[1]);
        wait_for(s, ends[0]);
        close(ends[0]);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        wordfree(&words);
        if (!s->id[0])
            x->error = sched_strdup("--slurm: sbatch has taken no job");
    }
    free(script);
    if (x->error)
        x->failed = ISP_EXIT_TOOL;
    return !x->error;
}

/* ---- what came of it ---- */

/* The first line that the task has written, which says why it has not done all. */
static void tell_output(const struct slurm *s, unsigned task)
{
    char *file = file_of(s, task, "out"), line[512] = "";
    FILE *in = fopen(file, "re");
    if (in && fgets(line, sizeof line, in))
        sched_say("note: task %u of Slurm's job %s: %.*s", task, s->id, (int)strcspn(line, "\n"), line);
    if (in)
        fclose(in);
    free(file);
}

/* Merges a task's file. What is left of its job, in a list. */
static void take_in(struct slurm *s, unsigned task, struct sched_job **left)
{
    char *file = file_of(s, task, "save"), *why = NULL;
    json_t *saved = sched_saved_read(file, &why);
    struct sched_job *rest = saved ? sched_pool_take_in(s->pool, sched_saved_state(saved), s->jobs[task])
                                   : sched_job_copy(s->jobs[task]);
    if (rest) {
        tell_output(s, task);
        rest->next = *left;
        *left = rest;
    }
    json_decref(saved);
    free(why);
    free(file);
}

static void finish_array(struct slurm *s)
{
    struct sched_job *left = NULL;
    for (unsigned i = s->n; i-- > 0;)
        take_in(s, i, &left);
    remove_files(s);
    for (unsigned i = 0; i < s->n; i++)
        sched_job_destroy(s->jobs[i]);
    free(s->jobs);
    while (left) {
        struct sched_job *job = left;
        left = job->next;
        job->next = NULL;
        if (is_over(s) && s->x->stop)
            sched_pool_put_back(s->pool, job);
        else
            explore_here(s, job, go_on);
    }
}

static void submit(struct slurm *s)
{
    char here[PATH_MAX];
    s->dir = sched_format("%s/isp-slurm.XXXXXX", getcwd(here, sizeof here) ? here : ".");
    if (!mkdtemp(s->dir)) {
        s->x->error = sched_format("--slurm: cannot make a folder here: %s", strerror(errno));
        s->x->failed = ISP_EXIT_TOOL;
        free(s->dir);
        return;
    }
    s->n = count(s->pool);
    s->jobs = sched_alloc(s->n, sizeof *s->jobs);
    for (unsigned i = 0; i < s->n; i++)
        s->jobs[i] = sched_pool_take(s->pool);
    write_jobs(s);
    if (run_array(s) && s->x->engine.options->verbose)
        sched_say("note: Slurm's job %s had %u tasks", s->id, s->n);
    finish_array(s);
    free(s->dir);
}

void sched_slurm_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save)
{
    unsigned workers = x->engine.options->workers;
    struct slurm s = {.x = x, .pool = pool, .save = save, .at_a_time = workers};
    while (!is_over(&s) && !x->error) {
        while (!is_over(&s) && count(pool) < SHARE * s.at_a_time)
            explore_here(&s, sched_pool_take_largest(pool), spread_out);
        if (!is_over(&s) && pool->jobs)
            submit(&s);
        if (save)
            sched_save_write(save, sched_pool_write(pool, NULL, 0));
    }
    if (x->engine.interrupted)
        sched_part_incomplete(pool->result, sched_interrupt_words(), NULL);
}
