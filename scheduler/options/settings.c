/* SPDX-License-Identifier: BSD-3-Clause */
/* The table, and what reads the values of those options that have a way of their own. */
#include "settings.h"

#include <ctype.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/say.h"
#include "explain/explain.h"
#include "findings/suppressions.h"
#include "help.h"
#include "poe/search.h"
#include "values.h"
#include "words/buffered.h"

enum { MAX_WORKERS = 1024 };

void sched_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sched_say_list(format, args);
    va_end(args);
    exit(ISP_EXIT_USAGE);
}

/* ---- values ---- */

/* "solve,exchange": what is given last adds to what was given before. */
static bool add_names(char ***all, const char *text)
{
    size_t n = 0;
    while (*all && (*all)[n])
        n++;
    char *names = sched_strdup(text);
    for (char *rest = names, *name; (name = strsep(&rest, ","));) {
        if (!*name) {
            free(names);
            return false;
        }
        *all = sched_grow(*all, n + 2, sizeof **all);
        (*all)[n++] = sched_strdup(name);
        (*all)[n] = NULL;
    }
    free(names);
    return true;
}

static bool set_loop(struct sched_options *o, const char *text) { return add_names(&o->loops, text); }

static bool set_ignored(struct sched_options *o, const char *text) { return add_names(&o->ignored, text); }

static bool set_tcp(struct sched_options *o, const char *text)
{
    const char *colon = strrchr(text, ':');
    long port;
    if (!colon || colon == text || !sched_read_whole(colon + 1, 0, 65535, &port))
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

static bool set_workers(struct sched_options *o, const char *text)
{
    cpu_set_t set;
    long n = 1;
    if (strcmp(text, "auto") != 0 && !sched_read_whole(text, 1, MAX_WORKERS, &n))
        return false;
    if (strcmp(text, "auto") == 0 && sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    o->workers = (unsigned)n;
    return true;
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
    while (n > 0 && o->choices[n - 1] == 0)
        n--; /* the first alternative is taken anyway, if there is a choice at all */
    o->n_choices = n;
    return true;
}

/* For measuring what the checks cost. */
static bool set_checks(struct sched_options *o, const char *text)
{
    o->unchecked = strcmp(text, "off") == 0;
    if (o->unchecked)
        o->memory = ISP_MEMORY_OFF;
    return o->unchecked || strcmp(text, "on") == 0;
}

static bool explain_rule(struct sched_options *o, const char *rule)
{
    char *why = sched_explain(rule, stdout);
    if (why)
        sched_refuse("--explain %s: %s", rule, why);
    exit(ISP_EXIT_CLEAN);
}

static bool print_version(struct sched_options *o, const char *text)
{
    puts("isp " ISP_VERSION);
    exit(ISP_EXIT_CLEAN);
}

/* ---- the table ---- */

enum { ISP = SCHED_ISP, REPLAY = SCHED_REPLAY };

#define KIND(of) \
    _Generic(((struct sched_options *)0)->of,        \
        bool: SCHED_FLAG,                            \
        int: SCHED_WHOLE,                            \
        unsigned: SCHED_WHOLE,                       \
        uint64_t: SCHED_COUNT,                       \
        double: SCHED_SECONDS,                       \
        const char *: SCHED_TEXT,                    \
        default: SCHED_OWN)
#define ROW(by, name, called, how, of, ...)       \
    {.commands = by,                              \
     .option = "--" name,                         \
     .value = called,                             \
     .kind = how,                                 \
     .field = offsetof(struct sched_options, of), \
     __VA_ARGS__},

const struct sched_setting sched_settings[] = {
#define OPTION(by, name, called, type, of, usual, ...) ROW(by, name, called, KIND(of), of, __VA_ARGS__)
#define REPORT(by, name, id, function, needs_trace, ...)                                              \
    ROW(by, name, "FILE", SCHED_TEXT, reports[SCHED_FORMAT_##id], .wants = "a file, or - for stdout", \
        __VA_ARGS__)
#define ACTION(by, name, called, ...) ROW(by, name, called, SCHED_ACTION, replay, __VA_ARGS__)
#include "run/options.def"
};

const int sched_n_settings = sizeof sched_settings / sizeof *sched_settings;
_Static_assert(sizeof sched_settings / sizeof *sched_settings <= SCHED_SETTINGS_MAX,
               "SCHED_SETTINGS_MAX is too small");

const struct sched_setting *sched_setting_of(const char *option)
{
    for (int i = 0; i < sched_n_settings; i++)
        if (strcmp(sched_settings[i].option, option) == 0)
            return &sched_settings[i];
    return NULL;
}

const char *sched_setting_name(const struct sched_setting *s) { return s->letter ? s->letter : s->option; }

char *sched_setting_variable(const struct sched_setting *s)
{
    char *name = s->variable ? sched_strdup(s->variable) : sched_format("ISP_%s", s->option + 2);
    for (char *p = name; *p; p++)
        *p = (char)(*p == '-' ? '_' : toupper((unsigned char)*p));
    return name;
}
