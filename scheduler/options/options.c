/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment is read first, then the command line, through the readers of one table (settings.h); so the
 * command line wins, and a bad value is reported with the place that it came from.
 *
 * Parsing stops at the program: what follows it is the program's own. Everything that can be
 * known to fail is refused here, before anything is launched, by one line on stderr.
 */
#include "parse.h"
#include "report/outputs.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/program.h"
#include "base/alloc.h"
#include "explain/explain.h"
#include "explore/save.h"
#include "settings.h"
#include "findings/suppressions.h"

enum { SLURM_TASKS = 8 };

static const struct argp_option argp_options[] = {{"ranks", 'n', "N", 0, NULL, 0},
                                                  {"buffering", KEY_BUFFERING, "MODE", 0, NULL, 0},
                                                  {"on-error", KEY_ON_ERROR, "WHAT", 0, NULL, 0},
                                                  {"memory", KEY_MEMORY, "MODE", 0, NULL, 0},
                                                  {"stacks", KEY_STACKS, NULL, 0, NULL, 0},
                                                  {"checks", KEY_CHECKS, "WHICH", 0, NULL, 0},
                                                  {"polls", KEY_POLLS, "K", 0, NULL, 0},
                                                  {"livelock-rounds", KEY_ROUNDS, "R", 0, NULL, 0},
                                                  {"timeout", KEY_TIMEOUT, "SECONDS", 0, NULL, 0},
                                                  {"max-time", KEY_MAX_TIME, "SECONDS", 0, NULL, 0},
                                                  {"max-interleavings", KEY_INTERLEAVINGS, "N", 0, NULL, 0},
                                                  {"stop-at-first", KEY_FIRST, NULL, 0, NULL, 0},
                                                  {"mix", KEY_MIX, "K", 0, NULL, 0},
                                                  {"loop", KEY_LOOP, "FUNCTION", 0, NULL, 0},
                                                  {"sample", KEY_SAMPLE, "N", 0, NULL, 0},
                                                  {"seed", KEY_SEED, "S", 0, NULL, 0},
                                                  {"tcp", KEY_TCP, "HOST:PORT", 0, NULL, 0},
                                                  {"mpiexec", KEY_MPIEXEC, "CMD", 0, NULL, 0},
                                                  {"threads", KEY_THREADS, "K", 0, NULL, 0},
                                                  {"suppressions", KEY_SUPPRESSIONS, "FILE", 0, NULL, 0},
                                                  {"gen-suppressions", KEY_GENERATE, NULL, 0, NULL, 0},
                                                  {"explain", KEY_EXPLAIN, "RULE", 0, NULL, 0},
#define REPORT(name, function, option, needs_trace) \
    {option, KEY_REPORTS + SCHED_FORMAT_##name, "FILE", 0, NULL, 0},
                                                  SCHED_FORMAT_LIST(REPORT)
#undef REPORT
                                                      {"trace", KEY_TRACE, "FILE", 0, NULL, 0},
                                                  {"output", KEY_OUTPUT, "WHICH", 0, NULL, 0},
                                                  {"checkpoints", KEY_CHECKPOINTS, "N", 0, NULL, 0},
                                                  {"no-checkpoints", KEY_NO_CHECKPOINTS, NULL, 0, NULL, 0},
                                                  {"choices", KEY_CHOICES, "NAME", 0, NULL, 0},
                                                  {"buffered", KEY_BUFFERED, "LIST", 0, NULL, 0},
                                                  {"error-exitcode", KEY_EXITCODE, "N", 0, NULL, 0},
                                                  {"jobs", 'j', "K", 0, NULL, 0},
                                                  {"save", KEY_SAVE, "FILE", 0, NULL, 0},
                                                  {"resume", KEY_RESUME, "FILE", 0, NULL, 0},
                                                  {"slurm", KEY_SLURM, "OPTIONS", 0, NULL, 0},
                                                  {"slurm-task", KEY_TASK, NULL, 0, NULL, 0},
                                                  {"verbose", 'v', NULL, 0, NULL, 0},
                                                  {"quiet", 'q', NULL, 0, NULL, 0},
                                                  {"help", KEY_HELP, NULL, 0, NULL, 0},
                                                  {"version", KEY_VERSION, NULL, 0, NULL, 0},
                                                  {0}};

/* One screen: 24 lines of 80 columns. */
static const char help[] =
    "Usage: isp [options] [--] program [args]\n"
    "       isp replay -n N --choices NAME [options] [--] program [args]\n"
    "Runs an MPI program in every interleaving that MPI allows; reports its errors.\n"
    "  -n, -np N            number of ranks (needed)\n"
    "  --buffering MODE     whether standard sends wait: zero, infinite, auto (auto)\n"
    "  --choices NAME       replay only: an interleaving as findings name it: 0.2.1\n"
    "  --buffered LIST      replay only: MPI buffers these calls and no others: 1.0,2.3\n"
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

/* ---- the command line ---- */

struct parsing {
    struct sched_options *options;
    char **command; /* the program's words, or NULL */
    bool given[SCHED_SETTINGS_MAX];
};

/* For --save: what is not about this invocation alone. */
static void remember(struct sched_options *o, const struct sched_setting *s, const char *text)
{
    if (s->key == KEY_SAVE || s->key == KEY_RESUME || s->key == KEY_SLURM || s->key == KEY_TASK ||
        s->key == KEY_MAX_TIME || s->key == KEY_INTERLEAVINGS || s->key == KEY_FIRST)
        return;
    struct sched_given *given = sched_alloc(1, sizeof *given);
    *given = (struct sched_given){s->option, text, o->given};
    o->given = given;
}

/* For what the command line does not say. */
static void read_environment(const struct parsing *p)
{
    for (int i = 0; i < sched_n_settings; i++) {
        const struct sched_setting *s = &sched_settings[i];
        const char *text = getenv(s->variable);
        if (p->given[i] || !text || !*text ||
            (p->options->replay ? !sched_setting_is_for_replay(s) : sched_setting_is_only_for_replay(s)))
            continue;
        if (!s->set(p->options, text))
            sched_refuse("%s=%s (environment): give %s", s->variable, text, s->wants);
        remember(p->options, s, text);
    }
}

/* ---- what was saved ---- */

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
    for (int i = 0; i < sched_n_settings; i++) {
        const struct sched_setting *s = &sched_settings[i];
        const char *text = sched_saved_option(o->saved, s->option), *now = text_given(o, s->option);
        if (now && sched_setting_matters(s) && text && strcmp(text, now) != 0)
            sched_refuse("--resume %s: it was saved with %s %s, not with %s %s", o->resume, s->option, text,
                         s->option, now);
        if (now && sched_setting_matters(s) && !text)
            sched_refuse("--resume %s: it was saved without %s", o->resume, s->option);
        if (now || !text)
            continue;
        if (!s->set(o, text))
            sched_refuse("--resume %s: the file is damaged", o->resume);
        remember(o, s, text);
    }
}

static void resume_command(struct parsing *p)
{
    struct sched_options *o = p->options;
    char **command = sched_saved_command(o->saved);
    if (!command)
        sched_refuse("--resume %s: the file is damaged", o->resume);
    size_t i = 0;
    while (p->command && p->command[i] && command[i] && strcmp(p->command[i], command[i]) == 0)
        i++;
    if (p->command && (p->command[i] || command[i]))
        sched_refuse("--resume %s: it is of another program, or other arguments: %s", o->resume, command[0]);
    if (p->command)
        free(command);
    else
        p->command = o->resumed = command;
}

static void resume(struct parsing *p)
{
    struct sched_options *o = p->options;
    char *why;
    if (!o->resume)
        return;
    o->saved = sched_saved_read(o->resume, &why);
    if (!o->saved)
        sched_refuse("--resume %s: %s", o->resume, why);
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
        sched_refuse("bad option; see isp --help");
    if (!state->argv[state->next])
        for (int i = 0; i < sched_n_settings; i++)
            if (strcmp(word, sched_settings[i].option) == 0)
                sched_refuse("%s needs a value: give %s", word, sched_settings[i].wants);
    sched_refuse("%s: no such option, or it takes no value; see isp --help", word);
}

/* -np N: getopt reads it as -n with the value "p". */
static const char *value_of(int key, const char *arg, struct argp_state *state)
{
    if (key != 'n' || strcmp(arg, "p") != 0 || strcmp(state->argv[state->next - 1], "-np") != 0)
        return arg;
    if (!state->argv[state->next])
        sched_refuse("-np needs a value: give %s", sched_setting_of('n')->wants);
    return state->argv[state->next++];
}

static void set_given(struct parsing *p, const struct sched_setting *s, const char *text)
{
    if (sched_setting_is_only_for_replay(s) && !p->options->replay)
        sched_refuse("%s belongs to isp replay: isp replay -n N --choices NAME -- program", s->option);
    if (p->options->replay && !sched_setting_is_for_replay(s))
        sched_refuse("%s is about which interleavings are explored; isp replay runs one", s->option);
    if (!s->set(p->options, text))
        sched_refuse("%s %s: give %s", s->option, text, s->wants);
    p->given[s - sched_settings] = true;
    remember(p->options, s, text);
}

__attribute__((noreturn)) static void explain(const char *rule)
{
    char *why = sched_explain(rule, stdout);
    if (why)
        sched_refuse("--explain %s: %s", rule, why);
    exit(ISP_EXIT_CLEAN);
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    const struct sched_setting *s = sched_setting_of(key);
    switch (key) {
    case KEY_HELP: fputs(help, stdout); exit(ISP_EXIT_CLEAN);
    case KEY_VERSION: puts("isp " ISP_VERSION); exit(ISP_EXIT_CLEAN);
    case KEY_EXPLAIN: explain(arg);
    case 'v':
        p->options->verbose++;
        p->given[s - sched_settings] = true;
        return 0;
    case 'q':
    case KEY_STACKS:
    case KEY_FIRST:
    case KEY_TASK:
    case KEY_GENERATE: set_given(p, s, "1"); return 0;
    case KEY_NO_CHECKPOINTS: set_given(p, sched_setting_of(KEY_CHECKPOINTS), "0"); return 0;
    case ARGP_KEY_ARG:
        p->command = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_ERROR: refuse_option(state); return 0;
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
        sched_refuse("launcher %s not found: install MPICH's mpiexec, or name another with --mpiexec", name);
    if (path != name)
        free(path);
    free(name);
}

static void check_sbatch(void)
{
    char *path = sched_program_find("sbatch");
    if (!path)
        sched_refuse("--slurm: sbatch not found: is this a host of a Slurm cluster?");
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
        sched_refuse("%s %s: cannot write in %s: %s", option, file, folder, strerror(errno));
    free(folder);
}

static void check(struct sched_options *options)
{
    if (!options->ranks)
        sched_refuse("how many ranks? give -n N, e.g. isp -n 4 %s", options->command[0]);
    if (options->replay && !options->choices)
        sched_refuse("which interleaving? give --choices as a finding names it, e.g. isp replay -n %d "
                     "--choices 0.1 -- %s",
                     options->ranks, options->command[0]);
    options->program = sched_program_find(options->command[0]);
    if (!options->program)
        sched_refuse("program %s not found%s", options->command[0],
                     strchr(options->command[0], '/') ? ": give the path of a program"
                                                      : " in PATH: for one in this directory write ./name");
    char *why = sched_program_refuse(options->command[0], options->program);
    if (why)
        sched_refuse("%s", why);
    if (options->saved && !sched_saved_is_program(options->saved, options->program))
        sched_refuse("--resume %s: the program %s has changed since", options->resume, options->program);
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
    *options = (struct sched_options){.buffering = ISP_BUFFERING_AUTO,
                                      .polls = 1,
                                      .livelock_rounds = 5000,
                                      .workers = 1,
                                      .timeout_s = 60,
                                      .mix = -1,
                                      .seed = 1,
                                      .memory = ISP_MEMORY_CHECKSUM,
                                      .mpiexec = "mpiexec",
                                      .output = "first",
                                      .error_exitcode = 1,
                                      .checkpoints = 16};
    options->words = argv;
    options->replay = argc > 1 && strcmp(argv[1], "replay") == 0;
    static const struct argp argp = {argp_options, parse_one, NULL, NULL, NULL, NULL, NULL};
    struct parsing parsing = {.options = options};
    int skip = options->replay ? 1 : 0;
    argp_parse(&argp, argc - skip, argv + skip, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT,
               NULL, &parsing);
    read_environment(&parsing);
    resume(&parsing);
    if (parsing.given[sched_setting_of(KEY_SEED) - sched_settings] && !options->sample)
        sched_refuse("--seed belongs to --sample N");
    if (options->sample && options->save)
        sched_refuse("--sample: random walks cannot be saved");
    if (options->slurm && (options->sample || options->max_interleavings || options->stop_at_first))
        sched_refuse("--slurm: of the bounds only --max-time, --mix and --loop");
    if (options->slurm && options->trace)
        sched_refuse("--slurm: its tasks write no trace; give --trace to isp replay of an interleaving");
    if (options->slurm && !text_given(options, "-j"))
        options->workers = SLURM_TASKS;
    if (options->sample)
        options->workers = 1; /* each walk depends on those before it */
    if (!parsing.command || !*parsing.command[0])
        sched_refuse("which program? usage: isp -n N [options] [--] program [args]; see isp --help");
    options->command = parsing.command;
    check(options);
}

void sched_options_finish(struct sched_options *options)
{
    for (struct sched_given *given = options->given, *next; given; given = next) {
        next = given->next;
        free(given);
    }
    json_decref(options->saved);
    free(options->resumed);
    free(options->kept);
    free(options->choices);
    sched_suppressions_destroy(options->suppressions);
    free((char *)options->program);
}
