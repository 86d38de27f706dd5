/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One table lists the settings: the option, its environment variable and how its value is read. The
 * environment is read first, then the command line, through the same readers; so the command line
 * wins, and a bad value is reported with the place that it came from.
 *
 * Parsing stops at the program: what follows it is the program's own. Everything that can be
 * known to fail is refused here, before anything is launched, by one line on stderr.
 */
#include "options.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/program.h"
#include "alloc.h"
#include "explain.h"
#include "poe/search.h"
#include "save.h"
#include "suppressions.h"

enum { MAX_RANKS = 4096, MAX_THREADS = 1024, MAX_WORKERS = 1024, MAX_CHECKPOINTS = 1 << 16, SLURM_TASKS = 8 };

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("isp: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(ISP_EXIT_USAGE);
}

/* ---- values ---- */

static bool read_long(const char *text, long min, long max, long *value)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (errno || end == text || *end || v < min || v > max)
        return false;
    *value = v;
    return true;
}

static bool read_unsigned(const char *text, long min, long max, unsigned *value)
{
    long v;
    if (!read_long(text, min, max, &v))
        return false;
    *value = (unsigned)v;
    return true;
}

static bool set_ranks(struct sched_options *o, const char *text)
{
    unsigned n;
    if (!read_unsigned(text, 1, MAX_RANKS, &n))
        return false;
    o->ranks = (int)n;
    return true;
}

static const char *const bufferings[] = {
    [ISP_BUFFERING_ZERO] = "zero", [ISP_BUFFERING_INFINITE] = "infinite", [ISP_BUFFERING_AUTO] = "auto"};

static const char *const on_errors[] = {[ISP_ON_ERROR_STOP] = "stop", [ISP_ON_ERROR_CONTINUE] = "continue"};

static const char *const memories[] = {
    [ISP_MEMORY_OFF] = "off", [ISP_MEMORY_CHECKSUM] = "checksum", [ISP_MEMORY_WATCH] = "watch"};

/* Which of the words this is, or -1. */
static int find_word(const char *const *words, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, words[i]) == 0)
            return (int)i;
    return -1;
}

#define SET_WORD(option, type, words)                                         \
    static bool set_##option(struct sched_options *o, const char *text)       \
    {                                                                         \
        int i = find_word(words, sizeof words / sizeof *words, text);         \
        o->option = i < 0 ? o->option : (enum type)i;                         \
        return i >= 0;                                                        \
    }

SET_WORD(buffering, isp_buffering, bufferings)
SET_WORD(on_error, isp_on_error, on_errors)
SET_WORD(memory, isp_memory, memories)

static bool set_polls(struct sched_options *o, const char *text)
{
    return read_unsigned(text, 0, INT_MAX, &o->polls);
}

static bool set_livelock_rounds(struct sched_options *o, const char *text)
{
    return read_unsigned(text, 1, INT_MAX, &o->livelock_rounds);
}

static bool read_seconds(const char *text, double *value_s)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v) || v < 0)
        return false;
    *value_s = v;
    return true;
}

static bool set_timeout(struct sched_options *o, const char *text)
{
    return read_seconds(text, &o->timeout_s);
}

static bool set_max_time(struct sched_options *o, const char *text)
{
    return read_seconds(text, &o->max_time_s);
}

static bool read_count(const char *text, uint64_t *value)
{
    long v;
    if (!read_long(text, 1, LONG_MAX, &v))
        return false;
    *value = (uint64_t)v;
    return true;
}

static bool set_max_interleavings(struct sched_options *o, const char *text)
{
    return read_count(text, &o->max_interleavings);
}

static bool set_sample(struct sched_options *o, const char *text)
{
    return read_count(text, &o->sample);
}

static bool set_seed(struct sched_options *o, const char *text)
{
    long v;
    if (!read_long(text, 0, LONG_MAX, &v))
        return false;
    o->seed = (uint64_t)v;
    return true;
}

static bool set_mix(struct sched_options *o, const char *text)
{
    unsigned k;
    if (!read_unsigned(text, 0, INT_MAX, &k))
        return false;
    o->mix = (int)k;
    return true;
}

/* "solve,exchange": what is given last adds to what was given before. A choice is looked for among its callers, so
 * they must be known. */
static bool set_loop(struct sched_options *o, const char *text)
{
    size_t n = 0;
    while (o->loops && o->loops[n])
        n++;
    char *names = sched_strdup(text);
    for (char *rest = names, *name; (name = strsep(&rest, ","));) {
        if (!*name) {
            free(names);
            return false;
        }
        o->loops = sched_grow(o->loops, n + 2, sizeof *o->loops);
        o->loops[n++] = sched_strdup(name);
        o->loops[n] = NULL;
    }
    free(names);
    o->stacks = true;
    return true;
}

static bool set_checkpoints(struct sched_options *o, const char *text)
{
    return read_unsigned(text, 0, MAX_CHECKPOINTS, &o->checkpoints);
}

static bool set_threads(struct sched_options *o, const char *text)
{
    return read_unsigned(text, 0, MAX_THREADS, &o->threads);
}

static bool set_tcp(struct sched_options *o, const char *text)
{
    const char *colon = strrchr(text, ':');
    long port;
    if (!colon || colon == text || !read_long(colon + 1, 0, 65535, &port))
        return false;
    o->tcp = text;
    return true;
}

static bool set_mpiexec(struct sched_options *o, const char *text)
{
    if (text[strspn(text, " \t")] == '\0')
        return false;
    o->mpiexec = text;
    return true;
}

#define SET_REPORT(option, format)                                            \
    static bool set_##option(struct sched_options *o, const char *text)       \
    {                                                                         \
        o->reports[format] = text;                                            \
        return *text != '\0';                                                 \
    }

SET_REPORT(json, SCHED_FORMAT_JSON)
SET_REPORT(sarif, SCHED_FORMAT_SARIF)
SET_REPORT(junit, SCHED_FORMAT_JUNIT)
SET_REPORT(html, SCHED_FORMAT_HTML)
SET_REPORT(isp_log, SCHED_FORMAT_ISP_LOG)
SET_REPORT(dot, SCHED_FORMAT_DOT)

static bool set_trace(struct sched_options *o, const char *text)
{
    o->trace = text;
    return *text != '\0' && strcmp(text, "-") != 0;
}

/* "a.supp:b.supp". A file that cannot be used is refused at once: it says itself what is wrong. */
static bool set_suppressions(struct sched_options *o, const char *text)
{
    char *files = sched_strdup(text);
    if (!o->suppressions)
        o->suppressions = sched_suppressions_create();
    for (char *rest = files, *file; (file = strsep(&rest, ":"));) {
        char *why = *file ? sched_suppressions_read(o->suppressions, file) : NULL;
        if (why)
            refuse("suppressions: %s", why);
    }
    free(files);
    return true;
}

static bool set_output(struct sched_options *o, const char *text)
{
    o->output = text;
    return strcmp(text, "first") == 0 || strcmp(text, "all") == 0 || strcmp(text, "none") == 0;
}

static bool set_workers(struct sched_options *o, const char *text)
{
    if (strcmp(text, "auto") != 0)
        return read_unsigned(text, 1, MAX_WORKERS, &o->workers);
    cpu_set_t set;
    o->workers = sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
    return true;
}

static bool set_save(struct sched_options *o, const char *text)
{
    o->save = text;
    return *text != '\0';
}

static bool set_resume(struct sched_options *o, const char *text)
{
    o->resume = text;
    return *text != '\0';
}

static bool set_slurm(struct sched_options *o, const char *text)
{
    o->slurm = text;
    return true;
}

static bool set_choices(struct sched_options *o, const char *text)
{
    unsigned *choices = NULL;
    int n = poe_choices_parse(text, &choices);
    if (n < 0)
        return false;
    free(o->choices);
    o->choices = choices ? choices : sched_alloc(1, sizeof *choices); /* never NULL once given */
    while (n > 0 && o->choices[n - 1] == 0) /* the first alternative is taken anyway, if there is a choice at all */
        n--;
    o->n_choices = n;
    return true;
}

static bool set_error_exitcode(struct sched_options *o, const char *text)
{
    unsigned code;
    if (!read_unsigned(text, 0, 255, &code))
        return false;
    o->error_exitcode = (int)code;
    return true;
}

static bool set_verbose(struct sched_options *o, const char *text)
{
    unsigned level;
    if (!read_unsigned(text, 0, 9, &level))
        return false;
    o->verbose = (int)level;
    return true;
}

static bool read_flag(const char *text, bool *flag)
{
    unsigned yes;
    if (!read_unsigned(text, 0, 1, &yes))
        return false;
    *flag = yes;
    return true;
}

static bool set_slurm_task(struct sched_options *o, const char *text)
{
    return read_flag(text, &o->slurm_task);
}

static bool set_quiet(struct sched_options *o, const char *text)
{
    return read_flag(text, &o->quiet);
}

static bool set_stop_at_first(struct sched_options *o, const char *text)
{
    return read_flag(text, &o->stop_at_first);
}

static bool set_stacks(struct sched_options *o, const char *text)
{
    return read_flag(text, &o->stacks);
}

/* For measuring what the checks cost. */
static bool set_checks(struct sched_options *o, const char *text)
{
    o->unchecked = strcmp(text, "off") == 0;
    if (o->unchecked)
        o->memory = ISP_MEMORY_OFF;
    return o->unchecked || strcmp(text, "on") == 0;
}

static bool set_gen_suppressions(struct sched_options *o, const char *text)
{
    return read_flag(text, &o->gen_suppressions);
}

/* ---- the settings ---- */

enum { KEY_BUFFERING = 256, KEY_POLLS, KEY_ROUNDS, KEY_TIMEOUT, KEY_MAX_TIME, KEY_INTERLEAVINGS, KEY_FIRST, KEY_MIX, KEY_LOOP, KEY_SAMPLE, KEY_SEED, KEY_TCP, KEY_MPIEXEC, KEY_THREADS, KEY_JSON, KEY_SARIF, KEY_JUNIT, KEY_HTML, KEY_ISP_LOG, KEY_DOT, KEY_TRACE,
       KEY_ON_ERROR, KEY_MEMORY, KEY_STACKS, KEY_CHECKS, KEY_SUPPRESSIONS, KEY_GENERATE, KEY_EXPLAIN, KEY_OUTPUT, KEY_CHOICES, KEY_EXITCODE, KEY_HELP, KEY_VERSION,
       KEY_SAVE, KEY_RESUME, KEY_SLURM, KEY_TASK, KEY_CHECKPOINTS, KEY_NO_CHECKPOINTS };

static const struct setting {
    int key;
    const char *option, *variable;
    bool (*set)(struct sched_options *options, const char *text);
    const char *wants;
} settings[] = {
    {'n', "-n", "ISP_N", set_ranks, "the number of ranks, 1 to 4096"},
    {KEY_BUFFERING, "--buffering", "ISP_BUFFERING", set_buffering, "zero, infinite or auto"},
    {KEY_ON_ERROR, "--on-error", "ISP_ON_ERROR", set_on_error, "stop or continue"},
    {KEY_MEMORY, "--memory", "ISP_MEMORY", set_memory, "off, checksum or watch"},
    {KEY_CHECKS, "--checks", "ISP_CHECKS", set_checks, "on or off"},
    {KEY_STACKS, "--stacks", "ISP_STACKS", set_stacks, "0 or 1"},
    {KEY_POLLS, "--polls", "ISP_POLLS", set_polls, "a whole number from 0"},
    {KEY_ROUNDS, "--livelock-rounds", "ISP_LIVELOCK_ROUNDS", set_livelock_rounds, "a whole number from 1"},
    {KEY_TIMEOUT, "--timeout", "ISP_TIMEOUT", set_timeout, "seconds, or 0 for none"},
    {KEY_MAX_TIME, "--max-time", "ISP_MAX_TIME", set_max_time, "seconds, or 0 for none"},
    {KEY_INTERLEAVINGS, "--max-interleavings", "ISP_MAX_INTERLEAVINGS", set_max_interleavings, "a whole number from 1"},
    {KEY_FIRST, "--stop-at-first", "ISP_STOP_AT_FIRST", set_stop_at_first, "0 or 1"},
    {KEY_MIX, "--mix", "ISP_MIX", set_mix, "a whole number from 0"},
    {KEY_LOOP, "--loop", "ISP_LOOP", set_loop, "the name of a function, or several: f,g"},
    {KEY_SAMPLE, "--sample", "ISP_SAMPLE", set_sample, "a whole number from 1"},
    {KEY_SEED, "--seed", "ISP_SEED", set_seed, "a whole number from 0"},
    {KEY_TCP, "--tcp", "ISP_TCP", set_tcp, "HOST:PORT (port 0: any free one)"},
    {KEY_MPIEXEC, "--mpiexec", "ISP_MPIEXEC", set_mpiexec, "the launcher and its options"},
    {KEY_THREADS, "--threads", "ISP_THREADS", set_threads, "a whole number, 0 (automatic) to 1024"},
    {KEY_CHECKPOINTS, "--checkpoints", "ISP_CHECKPOINTS", set_checkpoints, "how many there may be at a time, 0 to 65536"},
    {KEY_JSON, "--json", "ISP_JSON", set_json, "a file, or - for stdout"},
    {KEY_SARIF, "--sarif", "ISP_SARIF", set_sarif, "a file, or - for stdout"},
    {KEY_JUNIT, "--junit", "ISP_JUNIT", set_junit, "a file, or - for stdout"},
    {KEY_HTML, "--html", "ISP_HTML", set_html, "a file, or - for stdout"},
    {KEY_ISP_LOG, "--isp-log", "ISP_ISP_LOG", set_isp_log, "a file, or - for stdout"},
    {KEY_DOT, "--dot", "ISP_DOT", set_dot, "a file, or - for stdout"},
    {KEY_TRACE, "--trace", "ISP_TRACE", set_trace, "a file"},
    {KEY_SUPPRESSIONS, "--suppressions", "ISP_SUPPRESSIONS", set_suppressions, "a file of findings that are not to be reported"},
    {KEY_GENERATE, "--gen-suppressions", "ISP_GEN_SUPPRESSIONS", set_gen_suppressions, "0 or 1"},
    {KEY_OUTPUT, "--output", "ISP_OUTPUT", set_output, "first, all or none"},
    {KEY_CHOICES, "--choices", "ISP_CHOICES", set_choices, "the name of an interleaving, such as 0.2.1"},
    {KEY_EXITCODE, "--error-exitcode", "ISP_ERROR_EXITCODE", set_error_exitcode, "an exit code, 0 to 255"},
    {'j', "-j", "ISP_JOBS", set_workers, "a number of processes, or auto"},
    {KEY_SAVE, "--save", "ISP_SAVE", set_save, "a file"},
    {KEY_RESUME, "--resume", "ISP_RESUME", set_resume, "a file of --save"},
    {KEY_SLURM, "--slurm", "ISP_SLURM", set_slurm, "options of sbatch, or an empty word"},
    {KEY_TASK, "--slurm-task", "ISP_SLURM_TASK", set_slurm_task, "0 or 1"},
    {'v', "-v", "ISP_VERBOSE", set_verbose, "a level, 0 to 9"},
    {'q', "-q", "ISP_QUIET", set_quiet, "0 or 1"},
};

enum { N_SETTINGS = sizeof settings / sizeof *settings };

static const struct argp_option argp_options[] = {
    {"ranks", 'n', "N", 0, NULL, 0}, {"buffering", KEY_BUFFERING, "MODE", 0, NULL, 0},
    {"on-error", KEY_ON_ERROR, "WHAT", 0, NULL, 0}, {"memory", KEY_MEMORY, "MODE", 0, NULL, 0}, {"stacks", KEY_STACKS, NULL, 0, NULL, 0},
    {"checks", KEY_CHECKS, "WHICH", 0, NULL, 0},
    {"polls", KEY_POLLS, "K", 0, NULL, 0}, {"livelock-rounds", KEY_ROUNDS, "R", 0, NULL, 0},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0, NULL, 0}, {"max-time", KEY_MAX_TIME, "SECONDS", 0, NULL, 0},
    {"max-interleavings", KEY_INTERLEAVINGS, "N", 0, NULL, 0}, {"stop-at-first", KEY_FIRST, NULL, 0, NULL, 0},
    {"mix", KEY_MIX, "K", 0, NULL, 0}, {"loop", KEY_LOOP, "FUNCTION", 0, NULL, 0},
    {"sample", KEY_SAMPLE, "N", 0, NULL, 0}, {"seed", KEY_SEED, "S", 0, NULL, 0},
    {"tcp", KEY_TCP, "HOST:PORT", 0, NULL, 0},
    {"mpiexec", KEY_MPIEXEC, "CMD", 0, NULL, 0}, {"threads", KEY_THREADS, "K", 0, NULL, 0},
    {"suppressions", KEY_SUPPRESSIONS, "FILE", 0, NULL, 0}, {"gen-suppressions", KEY_GENERATE, NULL, 0, NULL, 0},
    {"explain", KEY_EXPLAIN, "RULE", 0, NULL, 0},
    {"json", KEY_JSON, "FILE", 0, NULL, 0}, {"sarif", KEY_SARIF, "FILE", 0, NULL, 0}, {"junit", KEY_JUNIT, "FILE", 0, NULL, 0}, {"html", KEY_HTML, "FILE", 0, NULL, 0}, {"isp-log", KEY_ISP_LOG, "FILE", 0, NULL, 0}, {"dot", KEY_DOT, "FILE", 0, NULL, 0}, {"trace", KEY_TRACE, "FILE", 0, NULL, 0}, {"output", KEY_OUTPUT, "WHICH", 0, NULL, 0},
    {"checkpoints", KEY_CHECKPOINTS, "N", 0, NULL, 0}, {"no-checkpoints", KEY_NO_CHECKPOINTS, NULL, 0, NULL, 0},
    {"choices", KEY_CHOICES, "NAME", 0, NULL, 0}, {"error-exitcode", KEY_EXITCODE, "N", 0, NULL, 0},
    {"jobs", 'j', "K", 0, NULL, 0}, {"save", KEY_SAVE, "FILE", 0, NULL, 0}, {"resume", KEY_RESUME, "FILE", 0, NULL, 0},
    {"slurm", KEY_SLURM, "OPTIONS", 0, NULL, 0}, {"slurm-task", KEY_TASK, NULL, 0, NULL, 0},
    {"verbose", 'v', NULL, 0, NULL, 0}, {"quiet", 'q', NULL, 0, NULL, 0},
    {"help", KEY_HELP, NULL, 0, NULL, 0}, {"version", KEY_VERSION, NULL, 0, NULL, 0}, {0}};

/* One screen: 24 lines of 80 columns. */
static const char help[] =
    "Usage: isp [options] [--] program [args]\n"
    "       isp replay -n N --choices NAME [options] [--] program [args]\n"
    "Runs an MPI program in every interleaving that MPI allows; reports its errors.\n"
    "  -n, -np N            number of ranks (needed)\n"
    "  --buffering MODE     whether standard sends wait: zero, infinite, auto (auto)\n"
    "  --choices NAME       replay only: an interleaving as findings name it: 0.2.1\n"
    "  --polls K            unsuccessful polls in a row before a poll waits (1)\n"
    "  --memory MODE        changes of used buffers: off, checksum, watch (checksum)\n"
    "  --timeout SECONDS    without an MPI call so long, a rank hangs; 0: never (60)\n"
    "  --max-time SECONDS, --max-interleavings N, --stop-at-first   when to end\n"
    "  --mix K, --loop FUNCTION, --sample N   explore less: see BOUNDS in the manual\n"
    "  -j K, --save FILE, --resume FILE   K processes; keep the state; go on there\n"
    "  --mpiexec CMD        launcher with its options: \"srun --mpi=pmi2\" (mpiexec)\n"
    "  --on-error WHAT      a rank that makes a wrong call: stop, continue (stop)\n"
    "  --suppressions FILE  findings that are not to be reported\n"
    "  --output WHICH       the program's output: first run, all, none (first)\n"
    "  --html, --json, --sarif, --junit FILE   reports; -: to stdout (--html: a page)\n"
    "  --trace FILE         every call and match, for isp report and for SQL\n"
    "  --error-exitcode N   exit code if there are findings (1)\n"
    "  -v, -q, --stacks     details; only findings, one line each; with callers\n"
    "  --help, --version;  isp explain RULE, isp doctor, isp report FILE\n"
    "Environment: ISP_N, ISP_BUFFERING, ISP_TIMEOUT ...; the command line wins.\n"
    "Exit codes: 0 no finding and all explored; 1 findings; 2 usage;\n"
    "            3 incomplete or unsupported; 5 isp itself failed. More: man isp\n";

static const struct setting *setting_of(int key)
{
    for (int i = 0; i < N_SETTINGS; i++)
        if (settings[i].key == key)
            return &settings[i];
    return NULL;
}

/* It says which interleavings are explored: it means nothing to isp replay. */
static bool bounds_search(const struct setting *s)
{
    return s->key >= KEY_INTERLEAVINGS && s->key <= KEY_SEED;
}

/* ---- the command line ---- */

struct parsing {
    struct sched_options *options;
    char **command; /* the program's words, or NULL */
    bool given[N_SETTINGS];
};

/* For --save: what is not about this invocation alone. */
static void remember(struct sched_options *o, const struct setting *s, const char *text)
{
    if (s->key == KEY_SAVE || s->key == KEY_RESUME || s->key == KEY_SLURM || s->key == KEY_TASK || s->key == KEY_MAX_TIME || s->key == KEY_INTERLEAVINGS || s->key == KEY_FIRST)
        return;
    struct sched_given *given = sched_alloc(1, sizeof *given);
    *given = (struct sched_given){s->option, text, o->given};
    o->given = given;
}

static bool is_for_replay(const struct setting *s)
{
    return s->key != KEY_SAVE && s->key != KEY_RESUME && s->key != KEY_SLURM && s->key != KEY_TASK && s->key != 'j' && !bounds_search(s);
}

/* For what the command line does not say. */
static void read_environment(const struct parsing *p)
{
    for (int i = 0; i < N_SETTINGS; i++) {
        const struct setting *s = &settings[i];
        const char *text = getenv(s->variable);
        if (p->given[i] || !text || !*text || (p->options->replay ? !is_for_replay(s) : s->key == KEY_CHOICES))
            continue;
        if (!s->set(p->options, text))
            refuse("%s=%s (environment): give %s", s->variable, text, s->wants);
        remember(p->options, s, text);
    }
}

/* ---- what was saved ---- */

/* It changes what runs do, or which there are. */
static bool matters(const struct setting *s)
{
    switch (s->key) {
    case 'j': case 'v': case KEY_CHECKPOINTS: case 'q': case KEY_TIMEOUT: case KEY_MAX_TIME: case KEY_INTERLEAVINGS: case KEY_FIRST: case KEY_TCP: case KEY_MPIEXEC: case KEY_THREADS: case KEY_JSON: case KEY_SARIF: case KEY_JUNIT: case KEY_HTML: case KEY_ISP_LOG: case KEY_DOT: case KEY_TRACE:
    case KEY_SUPPRESSIONS: case KEY_GENERATE: case KEY_OUTPUT: case KEY_EXITCODE: case KEY_SAVE: case KEY_RESUME: case KEY_SLURM: case KEY_TASK:
        return false;
    default:
        return true;
    }
}

static const char *text_given(const struct sched_options *o, const char *option)
{
    for (const struct sched_given *g = o->given; g; g = g->next)
        if (strcmp(g->option, option) == 0)
            return g->text;
    return NULL;
}

/* Options that are not given now are as they were; those that matter may not be others. */
static void resume_options(struct sched_options *o)
{
    for (int i = 0; i < N_SETTINGS; i++) {
        const struct setting *s = &settings[i];
        const char *text = sched_saved_option(o->saved, s->option), *now = text_given(o, s->option);
        if (now && matters(s) && text && strcmp(text, now) != 0)
            refuse("--resume %s: it was saved with %s %s, not with %s %s", o->resume, s->option, text, s->option, now);
        if (now && matters(s) && !text)
            refuse("--resume %s: it was saved without %s", o->resume, s->option);
        if (now || !text)
            continue;
        if (!s->set(o, text))
            refuse("--resume %s: the file is damaged", o->resume);
        remember(o, s, text);
    }
}

static void resume_command(struct parsing *p)
{
    struct sched_options *o = p->options;
    char **command = sched_saved_command(o->saved);
    if (!command)
        refuse("--resume %s: the file is damaged", o->resume);
    size_t i = 0;
    while (p->command && p->command[i] && command[i] && strcmp(p->command[i], command[i]) == 0)
        i++;
    if (p->command && (p->command[i] || command[i]))
        refuse("--resume %s: it is of another program, or other arguments: %s", o->resume, command[0]);
    if (p->command)
        free(command);
    else
        p->command = command; /* as long as isp lives */
}

static void resume(struct parsing *p)
{
    struct sched_options *o = p->options;
    char *why;
    if (!o->resume)
        return;
    o->saved = sched_saved_read(o->resume, &why);
    if (!o->saved)
        refuse("--resume %s: %s", o->resume, why);
    resume_options(o);
    resume_command(p);
    if (!o->save)
        o->save = o->resume;
}

/* What getopt did not take: an option that does not exist, or one without its value. */
static void refuse_option(const struct argp_state *state)
{
    const char *word = state->argv[state->next > 1 ? state->next - 1 : 1];
    if (!word)
        refuse("bad option; see isp --help");
    if (!state->argv[state->next])
        for (int i = 0; i < N_SETTINGS; i++)
            if (strcmp(word, settings[i].option) == 0)
                refuse("%s needs a value: give %s", word, settings[i].wants);
    refuse("%s: no such option, or it takes no value; see isp --help", word);
}

/* -np N: getopt reads it as -n with the value "p". */
static const char *value_of(int key, const char *arg, struct argp_state *state)
{
    if (key != 'n' || strcmp(arg, "p") != 0 || strcmp(state->argv[state->next - 1], "-np") != 0)
        return arg;
    if (!state->argv[state->next])
        refuse("-np needs a value: give %s", setting_of('n')->wants);
    return state->argv[state->next++];
}

static void set_given(struct parsing *p, const struct setting *s, const char *text)
{
    if (s->key == KEY_CHOICES && !p->options->replay)
        refuse("--choices belongs to isp replay: isp replay -n N --choices NAME -- program");
    if (p->options->replay && !is_for_replay(s))
        refuse("%s is about which interleavings are explored; isp replay runs one", s->option);
    if (!s->set(p->options, text))
        refuse("%s %s: give %s", s->option, text, s->wants);
    p->given[s - settings] = true;
    remember(p->options, s, text);
}

__attribute__((noreturn)) static void explain(const char *rule)
{
    char *why = sched_explain(rule, stdout);
    if (why)
        refuse("--explain %s: %s", rule, why);
    exit(ISP_EXIT_CLEAN);
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    const struct setting *s = setting_of(key);
    switch (key) {
    case KEY_HELP:
        fputs(help, stdout);
        exit(ISP_EXIT_CLEAN);
    case KEY_VERSION:
        puts("isp " ISP_VERSION);
        exit(ISP_EXIT_CLEAN);
    case KEY_EXPLAIN:
        explain(arg);
    case 'v':
        p->options->verbose++;
        p->given[s - settings] = true;
        return 0;
    case 'q':
    case KEY_STACKS:
    case KEY_FIRST:
    case KEY_TASK:
    case KEY_GENERATE:
        set_given(p, s, "1");
        return 0;
    case KEY_NO_CHECKPOINTS:
        set_given(p, setting_of(KEY_CHECKPOINTS), "0");
        return 0;
    case ARGP_KEY_ARG:
        p->command = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_ERROR:
        refuse_option(state);
        return 0;
    default:
        if (!s)
            return ARGP_ERR_UNKNOWN;
        set_given(p, s, value_of(key, arg, state));
        return 0;
    }
}

/* ---- what can be known to fail ---- */

static void check_launcher(const char *mpiexec)
{
    const char *word = mpiexec + strspn(mpiexec, " \t");
    char *name = sched_must(strndup(word, strcspn(word, " \t")));
    char *path = strpbrk(name, "'\"\\$=") ? name : sched_program_find(name); /* quoted: launching will tell */
    if (!path)
        refuse("launcher %s not found: install MPICH's mpiexec, or name another with --mpiexec", name);
    if (path != name)
        free(path);
    free(name);
}

static void check_sbatch(void)
{
    char *path = sched_program_find("sbatch");
    if (!path)
        refuse("--slurm: sbatch not found: is this a host of a Slurm cluster?");
    free(path);
}

/* A file that will be written. */
static void check_file(const char *option, const char *file)
{
    if (!file || strcmp(file, "-") == 0)
        return;
    const char *slash = strrchr(file, '/');
    char *folder = sched_must(!slash          ? strdup(".")
                              : slash == file ? strdup("/")
                                              : strndup(file, (size_t)(slash - file)));
    if (access(folder, W_OK | X_OK) != 0)
        refuse("%s %s: cannot write in %s: %s", option, file, folder, strerror(errno));
    free(folder);
}

static void check(struct sched_options *options)
{
    if (!options->ranks)
        refuse("how many ranks? give -n N, e.g. isp -n 4 %s", options->command[0]);
    if (options->replay && !options->choices)
        refuse("which interleaving? give --choices as a finding names it, e.g. isp replay -n %d --choices 0.1 -- %s",
               options->ranks, options->command[0]);
    options->program = sched_program_find(options->command[0]);
    if (!options->program)
        refuse("program %s not found%s", options->command[0],
               strchr(options->command[0], '/') ? ": give the path of a program"
                                                : " in PATH: for one in this directory write ./name");
    char *why = sched_program_refuse(options->command[0], options->program);
    if (why)
        refuse("%s", why);
    if (options->saved && !sched_saved_is_program(options->saved, options->program))
        refuse("--resume %s: the program %s has changed since", options->resume, options->program);
    if (strcmp(options->output, "all") == 0)
        options->checkpoints = 0; /* what a run has printed before a checkpoint it does not print again */
    check_launcher(options->mpiexec);
    if (options->slurm)
        check_sbatch();
    for (int i = 0; i < SCHED_FORMATS; i++)
        check_file(sched_formats[i].option, options->reports[i]);
    check_file("--trace", options->trace);
    check_file("--save", options->save);
}

void sched_options_parse(struct sched_options *options, int argc, char **argv)
{
    *options = (struct sched_options){.buffering = ISP_BUFFERING_AUTO, .polls = 1, .livelock_rounds = 5000, .workers = 1,
                                      .timeout_s = 60, .mix = -1, .seed = 1, .memory = ISP_MEMORY_CHECKSUM, .mpiexec = "mpiexec", .output = "first", .error_exitcode = 1,
                                      .checkpoints = 16};
    options->words = argv;
    options->replay = argc > 1 && strcmp(argv[1], "replay") == 0;
    static const struct argp argp = {argp_options, parse_one, NULL, NULL, NULL, NULL, NULL};
    struct parsing parsing = {.options = options};
    int skip = options->replay ? 1 : 0;
    argp_parse(&argp, argc - skip, argv + skip, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL,
               &parsing);
    read_environment(&parsing);
    resume(&parsing);
    if (parsing.given[setting_of(KEY_SEED) - settings] && !options->sample)
        refuse("--seed belongs to --sample N");
    if (options->sample && options->save)
        refuse("--sample: random walks cannot be saved");
    if (options->slurm && (options->sample || options->max_interleavings || options->stop_at_first))
        refuse("--slurm: of the bounds only --max-time, --mix and --loop");
    if (options->slurm && options->trace)
        refuse("--slurm: its tasks write no trace; give --trace to isp replay of an interleaving");
    if (options->slurm && !text_given(options, "-j"))
        options->workers = SLURM_TASKS;
    if (options->sample)
        options->workers = 1; /* each walk depends on those before it */
    if (!parsing.command || !*parsing.command[0])
        refuse("which program? usage: isp -n N [options] [--] program [args]; see isp --help");
    options->command = parsing.command;
    check(options);
}
