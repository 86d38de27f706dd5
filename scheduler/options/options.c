/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line is read first, then the environment, by the rows of one table (settings.h): what the
 * command line says is not looked for there. A bad value is reported with the place that it came from.
 *
 * Parsing stops at the program: what follows it is the program's own. Everything that can be known to fail is
 * refused before anything is launched, by one line on stderr.
 */
#include "parse.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/kernel.h"
#include "base/say.h"
#include "explore/save.h"
#include "findings/suppressions.h"
#include "given.h"
#include "launched.h"
#include "misplaced.h"
#include "nearest.h"
#include "settings.h"
#include "usable.h"
#include "values.h"

enum { SLURM_TASKS = 8, CHECKPOINTS_IN_PLACE = 4000 };

/* The commands, and what is said of an option that they do not take. */
struct command {
    const char *name; /* NULL: isp itself */
    enum sched_command is;
    const char *refusal;
};

static const struct command commands[] = {
    {NULL, SCHED_ISP, "belongs to isp replay: isp replay -n N --choices NAME -- program"},
    {"replay", SCHED_REPLAY, "is about which interleavings are explored; isp replay runs one"},
};

struct parsing {
    struct sched_options *options;
    const struct command *command;
    char **words; /* the program's, or NULL */
    bool given[SCHED_SETTINGS_MAX];
};

/* For what the command line does not say. */
static void read_environment(const struct parsing *p)
{
    for (int i = 0; i < sched_n_settings; i++) {
        const struct sched_setting *s = &sched_settings[i];
        if (p->given[i] || s->kind == SCHED_ACTION || !(s->commands & p->command->is))
            continue;
        char *variable = sched_setting_variable(s);
        const char *text = getenv(variable);
        if (text && *text) {
            if (!sched_setting_set(s, p->options, text))
                sched_refuse("%s=%s (environment): give %s", variable, text, sched_setting_wants(s));
            sched_given_add(p->options, s, text);
        }
        free(variable);
    }
}

/* What getopt did not take: an option that does not exist, or one without its value. */
static void refuse_option(const struct argp_state *state)
{
    const char *word = state->argv[state->next > 1 ? state->next - 1 : 1];
    if (!word)
        sched_refuse("bad option; see isp --help");
    for (const struct sched_setting *s = sched_settings;
         !state->argv[state->next] && s < sched_settings + sched_n_settings; s++)
        if (s->value && (strcmp(word, s->option) == 0 || strcmp(word, sched_setting_name(s)) == 0))
            sched_refuse("%s needs a value: give %s", word, sched_setting_wants(s));
    const struct sched_setting *near = sched_nearest(word);
    if (near && strncmp(word, near->option, strcspn(word, "=")) != 0)
        sched_refuse("%s: no such option; did you mean %s?", word, near->option);
    sched_refuse("%s: no such option, or it takes no value; see isp --help", word);
}

/* -html is read as -h -t -m -l. */
static void refuse_one_dash(const struct argp_state *state)
{
    for (int i = state->next - 1; i <= state->next && i < state->argc; i++) {
        const struct sched_setting *s = sched_nearest_of_one_dash(state->argv[i]);
        if (s)
            sched_refuse("%s: no such option; did you mean %s?", state->argv[i], s->option);
    }
}

/* -np N: getopt reads it as -n with the value "p". */
static const char *value_of(const struct sched_setting *s, const char *arg, struct argp_state *state)
{
    if (!s->letter || strcmp(s->letter, "-n") != 0 || strcmp(arg, "p") != 0 ||
        strcmp(state->argv[state->next - 1], "-np") != 0)
        return arg;
    if (!state->argv[state->next])
        sched_refuse("-np needs a value: give %s", sched_setting_wants(s));
    return state->argv[state->next++];
}

static void set_given(struct parsing *p, const struct sched_setting *s, const char *text)
{
    if (!(s->commands & p->command->is))
        sched_refuse("%s %s", sched_setting_name(s), p->command->refusal);
    p->given[s - sched_settings] = true;
    if (s->kind == SCHED_WHOLE && !s->value) {
        ++*(int *)((char *)p->options + s->field); /* -v -v */
        return;
    }
    if (!sched_setting_set(s, p->options, text))
        sched_refuse("%s %s: give %s", sched_setting_name(s), text, sched_setting_wants(s));
    sched_given_add(p->options, s, text);
}

static void take(struct parsing *p, const struct sched_setting *s, const char *text)
{
    if (s->instead)
        set_given(p, sched_setting_of(s->instead), "0");
    else if (s->kind == SCHED_ACTION)
        s->set(p->options, text);
    else
        set_given(p, s, text ? text : "1");
}

/* What getopt calls an option. */
static int key_of(const struct sched_setting *s)
{
    return s->letter ? s->letter[1] : 256 + (int)(s - sched_settings);
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    if (key == ARGP_KEY_ARG) {
        p->words = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    }
    if (key == ARGP_KEY_ERROR || (key > 0 && key < 256))
        refuse_one_dash(state);
    if (key == ARGP_KEY_ERROR)
        refuse_option(state);
    for (int i = 0; i < sched_n_settings; i++)
        if (key_of(&sched_settings[i]) == key) {
            take(p, &sched_settings[i], value_of(&sched_settings[i], arg, state));
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

static void parse_words(struct parsing *p, int argc, char **argv)
{
    struct argp_option options[SCHED_SETTINGS_MAX + 1] = {0};
    for (int i = 0; i < sched_n_settings; i++) {
        const struct sched_setting *s = &sched_settings[i];
        options[i] = (struct argp_option){s->option + 2, key_of(s), s->value, 0, NULL, 0};
    }
    const struct argp argp = {options, parse_one, NULL, NULL, NULL, NULL, NULL};
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, p);
}

/* `isp mpiexec -n 3 ./app` is `isp -n 3 ./app`. */
static void take_launched(struct parsing *p)
{
    struct sched_launched launched;
    const struct sched_setting *ranks = sched_setting_of("--ranks");
    if (!sched_launched_read(p->words, &launched))
        return;
    const char *given = sched_given_text(p->options, sched_setting_name(ranks)),
               *n = launched.ranks ? launched.ranks : given;
    if (!n)
        sched_refuse("how many ranks? isp starts %s by itself: isp -n N %s", p->words[0],
                     launched.program[0]);
    if (given && strcmp(given, n) != 0)
        sched_refuse("-n %s, and %s -n %s? isp starts the launcher by itself: isp -n N %s", given,
                     p->words[0], n, launched.program[0]);
    if (launched.mpiexec)
        set_given(p, sched_setting_of("--mpiexec"), launched.mpiexec);
    if (!given)
        set_given(p, ranks, n);
    if (!p->options->quiet)
        sched_say("note: isp starts the launcher by itself; this is taken as isp -n %s%s%s %s ...", n,
                  launched.mpiexec ? " --mpiexec " : "", launched.mpiexec ? launched.mpiexec : "",
                  launched.program[0]);
    p->words = launched.program;
}

/* What follows from what was given. */
static void settle(struct sched_options *o)
{
    if (o->slurm && !sched_given_text(o, "-j"))
        o->workers = SLURM_TASKS;
    if (o->sample)
        o->workers = 1; /* each walk depends on those before it */
    if (o->loops)
        o->stacks = true; /* a choice is looked for among its callers */
    /* else each is a process */
    if (o->checkpoints && !sched_given_text(o, "--checkpoints") && sched_kernel_tells_changes())
        o->checkpoints = CHECKPOINTS_IN_PLACE;
    if (strcmp(o->output, "all") == 0)
        o->checkpoints = 0; /* what a run has printed before a checkpoint it does not print again */
}

void sched_options_parse(struct sched_options *options, int argc, char **argv)
{
    struct parsing parsing = {.options = options, .command = &commands[0]};
    for (size_t i = 1; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            parsing.command = &commands[i];
    int skip = parsing.command->name ? 1 : 0;
    *options = sched_default_options;
    options->words = argv;
    options->replay = parsing.command->is == SCHED_REPLAY;
    parse_words(&parsing, argc - skip, argv + skip);
    sched_launched_refuse_ranks(parsing.words);
    bool dashes = parsing.words && parsing.words > argv && strcmp(parsing.words[-1], "--") == 0;
    take_launched(&parsing);
    read_environment(&parsing);
    options->command = options->resume ? sched_given_resume(options, parsing.words) : parsing.words;
    if (parsing.given[sched_setting_of("--seed") - sched_settings] && !options->sample)
        sched_refuse("--seed belongs to --sample N");
    settle(options);
    sched_options_check(options);
    if (!dashes && !options->resumed && !options->quiet)
        sched_misplaced_tell(options);
}

void sched_options_finish(struct sched_options *options)
{
    sched_given_finish(options);
    json_decref(options->saved);
    free(options->resumed);
    free(options->kept);
    free(options->choices);
    sched_suppressions_destroy(options->suppressions);
    free((char *)options->program);
}
