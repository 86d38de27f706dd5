/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/buffered.h"
#include "poe/search.h"
#include "findings/suppressions.h"
#include "base/say.h"

enum { MAX_THREADS = 1024, MAX_WORKERS = 1024, MAX_CHECKPOINTS = 1 << 16 };

void sched_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sched_say_list(format, args);
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
    if (!read_unsigned(text, 1, SCHED_RANKS_MAX, &n))
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

#define SET_WORD(option, type, words)                                   \
    static bool set_##option(struct sched_options *o, const char *text) \
    {                                                                   \
        int i = find_word(words, sizeof words / sizeof *words, text);   \
        o->option = i < 0 ? o->option : (enum type)i;                   \
        return i >= 0;                                                  \
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

static bool set_sample(struct sched_options *o, const char *text) { return read_count(text, &o->sample); }

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

/* "solve,exchange": what is given last adds to what was given before. A choice is looked for among its
 * callers, so they must be known. */
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

#define SET_REPORT(name, function, option, needs_trace)                          \
    static bool set_report_##function(struct sched_options *o, const char *text) \
    {                                                                            \
        o->reports[SCHED_FORMAT_##name] = text;                                  \
        return *text != '\0';                                                    \
    }
SCHED_FORMAT_LIST(SET_REPORT)

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
            sched_refuse("suppressions: %s", why);
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

static bool set_buffered(struct sched_options *o, const char *text)
{
    struct poe_name *kept;
    size_t n;
    if (!sched_kept_read(text, &kept, &n))
        return false;
    free(o->kept);
    o->kept = kept;
    o->n_kept = n;
    o->mixed = true;
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
    /* the first alternative is taken anyway, if there is a choice at all */
    while (n > 0 && o->choices[n - 1] == 0)
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

static bool set_quiet(struct sched_options *o, const char *text) { return read_flag(text, &o->quiet); }

static bool set_stop_at_first(struct sched_options *o, const char *text)
{
    return read_flag(text, &o->stop_at_first);
}

static bool set_stacks(struct sched_options *o, const char *text) { return read_flag(text, &o->stacks); }

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

/* ---- the table ---- */

const struct sched_setting sched_settings[] = {
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
    {KEY_INTERLEAVINGS, "--max-interleavings", "ISP_MAX_INTERLEAVINGS", set_max_interleavings,
     "a whole number from 1"},
    {KEY_FIRST, "--stop-at-first", "ISP_STOP_AT_FIRST", set_stop_at_first, "0 or 1"},
    {KEY_MIX, "--mix", "ISP_MIX", set_mix, "a whole number from 0"},
    {KEY_LOOP, "--loop", "ISP_LOOP", set_loop, "the name of a function, or several: f,g"},
    {KEY_SAMPLE, "--sample", "ISP_SAMPLE", set_sample, "a whole number from 1"},
    {KEY_SEED, "--seed", "ISP_SEED", set_seed, "a whole number from 0"},
    {KEY_TCP, "--tcp", "ISP_TCP", set_tcp, "HOST:PORT (port 0: any free one)"},
    {KEY_MPIEXEC, "--mpiexec", "ISP_MPIEXEC", set_mpiexec, "the launcher and its options"},
    {KEY_THREADS, "--threads", "ISP_THREADS", set_threads, "a whole number, 0 (automatic) to 1024"},
    {KEY_CHECKPOINTS, "--checkpoints", "ISP_CHECKPOINTS", set_checkpoints,
     "how many there may be at a time, 0 to 65536"},
#define REPORT(name, function, option, needs_trace)                                       \
    {KEY_REPORTS + SCHED_FORMAT_##name, "--" option, "ISP_" #name, set_report_##function, \
     "a file, or - for stdout"},
    SCHED_FORMAT_LIST(REPORT)
#undef REPORT
        {KEY_TRACE, "--trace", "ISP_TRACE", set_trace, "a file"},
    {KEY_SUPPRESSIONS, "--suppressions", "ISP_SUPPRESSIONS", set_suppressions,
     "a file of findings that are not to be reported"},
    {KEY_GENERATE, "--gen-suppressions", "ISP_GEN_SUPPRESSIONS", set_gen_suppressions, "0 or 1"},
    {KEY_OUTPUT, "--output", "ISP_OUTPUT", set_output, "first, all or none"},
    {KEY_CHOICES, "--choices", "ISP_CHOICES", set_choices, "the name of an interleaving, such as 0.2.1"},
    {KEY_BUFFERED, "--buffered", "ISP_BUFFERED", set_buffered,
     "calls as a finding names them, such as 1.0,2.3"},
    {KEY_EXITCODE, "--error-exitcode", "ISP_ERROR_EXITCODE", set_error_exitcode, "an exit code, 0 to 255"},
    {'j', "-j", "ISP_JOBS", set_workers, "a number of processes, or auto"},
    {KEY_SAVE, "--save", "ISP_SAVE", set_save, "a file"},
    {KEY_RESUME, "--resume", "ISP_RESUME", set_resume, "a file of --save"},
    {KEY_SLURM, "--slurm", "ISP_SLURM", set_slurm, "options of sbatch, or an empty word"},
    {KEY_TASK, "--slurm-task", "ISP_SLURM_TASK", set_slurm_task, "0 or 1"},
    {'v', "-v", "ISP_VERBOSE", set_verbose, "a level, 0 to 9"},
    {'q', "-q", "ISP_QUIET", set_quiet, "0 or 1"},
};

_Static_assert(sizeof sched_settings / sizeof *sched_settings <= SCHED_SETTINGS_MAX,
               "SCHED_SETTINGS_MAX is too small");
const int sched_n_settings = sizeof sched_settings / sizeof *sched_settings;

const struct sched_setting *sched_setting_of(int key)
{
    for (int i = 0; i < sched_n_settings; i++)
        if (sched_settings[i].key == key)
            return &sched_settings[i];
    return NULL;
}

/* It says which interleavings are explored: it means nothing to isp replay. */
static bool bounds_search(const struct sched_setting *s)
{
    return s->key >= KEY_INTERLEAVINGS && s->key <= KEY_SEED;
}

bool sched_setting_is_for_replay(const struct sched_setting *s)
{
    return s->key != KEY_SAVE && s->key != KEY_RESUME && s->key != KEY_SLURM && s->key != KEY_TASK &&
           s->key != 'j' && !bounds_search(s);
}

bool sched_setting_is_only_for_replay(const struct sched_setting *s)
{
    return s->key == KEY_CHOICES || s->key == KEY_BUFFERED;
}

bool sched_setting_matters(const struct sched_setting *s)
{
    if (s->key >= KEY_REPORTS)
        return false;
    switch (s->key) {
    case 'j':
    case 'v':
    case KEY_CHECKPOINTS:
    case 'q':
    case KEY_TIMEOUT:
    case KEY_MAX_TIME:
    case KEY_INTERLEAVINGS:
    case KEY_FIRST:
    case KEY_TCP:
    case KEY_MPIEXEC:
    case KEY_THREADS:
    case KEY_TRACE:
    case KEY_SUPPRESSIONS:
    case KEY_GENERATE:
    case KEY_OUTPUT:
    case KEY_EXITCODE:
    case KEY_SAVE:
    case KEY_RESUME:
    case KEY_SLURM:
    case KEY_TASK: return false;
    default: return true;
    }
}
