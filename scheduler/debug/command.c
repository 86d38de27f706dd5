/* SPDX-License-Identifier: BSD-3-Clause */
/* isp debug: from the command line to a session, and commands from a terminal, a file or standard input. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/event_log.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "base/say.h"
#include "console/console.h"
#include "explore/part.h"
#include "subject.h"
#include "isp/verdict.h"
#include "launch/launch.h"
#include "options/parse.h"
#include "parallel/search.h"
#include "printing.h"
#include "report/json.h"
#include "session.h"

struct wanted {
    const char *script; /* -x */
    const char *result;
    long finding; /* --finding, from 1; 0: the first error */
    int rest;     /* the first word that is not debug's own */
    FILE *commands;
};

static bool refuse(const char *what)
{
    sched_say("debug: %s", what);
    return false;
}

static bool take_finding(struct wanted *w, const char *text)
{
    char *end;
    w->finding = strtol(text, &end, 10);
    return (*text && !*end && w->finding > 0) || refuse("--finding K: the K-th finding, from 1");
}

/* Its own options come first; then a result, or the options of a replay. */
static bool parse(struct wanted *w, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-x") == 0 && i + 1 < argc)
            w->script = argv[++i];
        else if (strcmp(argv[i], "--finding") == 0 && i + 1 < argc) {
            if (!take_finding(w, argv[++i]))
                return false;
        } else
            break;
    }
    w->rest = i;
    if (i < argc && argv[i][0] != '-')
        w->result = argv[i++];
    if (w->result && i < argc)
        return refuse("a result has its program with it: what follows it? See isp debug --help");
    return w->rest < argc ||
           refuse("which result? isp debug RESULT (of --json or --trace), or isp debug -n N --choices C "
                  "-- PROGRAM");
}

static void print_help(void)
{
    puts("Usage: isp debug [-x FILE] [--finding K] RESULT\n"
         "       isp debug [-x FILE] -n N [--choices C] [options of isp replay] -- PROGRAM [args]\n"
         "Stands at a finding of a result (--json or --trace), or at the end of an interleaving,\n"
         "with every rank alive, and goes back and forth in time. `help` there lists the commands.\n"
         "  -x FILE      commands from a file; else from standard input\n"
         "  --finding K  the K-th finding of the result, or of that interleaving; else the first error");
}

static bool has_choices(const struct sched_subject *subject)
{
    for (int i = 0; i < subject->n && strcmp(subject->words[i], "--") != 0; i++)
        if (strncmp(subject->words[i], "--choices", 9) == 0)
            return true;
    return false;
}

/* Without --choices: the interleaving of the first alternatives. */
static void add_choices(struct sched_subject *subject)
{
    if (has_choices(subject))
        return;
    subject->words = sched_grow(subject->words, (size_t)subject->n + 2, sizeof *subject->words);
    memmove(&subject->words[3], &subject->words[2], (size_t)(subject->n - 2 + 1) * sizeof *subject->words);
    subject->words[2] = sched_strdup("--choices=0");
    subject->n++;
}

static bool take(struct sched_subject *subject, const struct wanted *w, int argc, char **argv)
{
    char *why = NULL;
    if (w->result && !sched_subject_result(subject, w->result, w->finding, &why)) {
        sched_say("debug: %s", why);
        free(why);
        return false;
    }
    if (!w->result)
        sched_subject_words(subject, argc - w->rest, argv + w->rest);
    add_choices(subject);
    if (!subject->folder || chdir(subject->folder) == 0)
        return true;
    sched_say("debug: it ran in %s, which cannot be entered: %s", subject->folder, strerror(errno));
    return false;
}

/* Commands from standard input are not for the ranks as well: theirs is empty then. */
FILE *sched_debug_input(void)
{
    FILE *in = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "r");
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    return in;
}

static bool open_commands(struct wanted *w)
{
    w->commands = w->script ? fopen(w->script, "re") : sched_debug_input();
    if (!w->commands)
        sched_say("debug: %s%s: %s", w->script ? "-x " : "standard input", w->script ? w->script : "",
                  strerror(errno));
    return w->commands;
}

static int converse(struct sched_session *s, const struct sched_subject *subject, FILE *in)
{
    struct sched_console c;
    sched_console_init(&c, s);
    c.finding = subject->finding;
    c.decision = subject->decision;
    sched_evidence_go(&subject->evidence, s);
    if (subject->finding)
        fputs(subject->finding, stdout);
    sched_console_begin(&c);
    sched_console_read(&c, in);
    int code = c.failed && !isatty(fileno(in)) ? ISP_EXIT_FINDINGS : ISP_EXIT_CLEAN;
    sched_console_finish(&c);
    return code;
}

static void begin_result(struct sched_result *result, struct sched_options *options)
{
    sched_part_init(result, options, sched_sites_create());
    options->begun_s = sched_now_s();
}

static void finish_result(struct sched_result *result)
{
    struct sched_sites *sites = result->sites;
    sched_part_finish(result);
    sched_sites_destroy(sites);
}

static void print(void *context, int rank, bool error, const char *text)
{
    FILE *to = error ? stderr : stdout;
    char *line = sched_printing_line(rank, text);
    fputs(line, to);
    fflush(to);
    free(line);
}

static int converse_about(const struct sched_subject *subject, FILE *in, struct sched_options *options)
{
    struct sched_result result;
    char *why = NULL;
    begin_result(&result, options);
    static const struct sched_session_user user = {.printed = print};
    struct sched_session *s = sched_session_create(&user, options, &result, &why);
    int code = s ? converse(s, subject, in) : ISP_EXIT_USAGE;
    if (!s)
        sched_say("debug: %s", why);
    free(why);
    sched_session_destroy(s);
    finish_result(&result);
    return code;
}

/* Words name no finding. What isp finds in their interleaving only a replay of it says: much is known when
 * the ranks have ended, and in a session they do not. */
static int look_for_finding(struct sched_subject *subject, const struct sched_options *options, long k)
{
    struct sched_result result;
    struct sched_options quietly = *options; /* the session shows what the program prints */
    quietly.output = "none";
    quietly.trace = NULL;
    begin_result(&result, &quietly);
    int code = sched_search(&quietly, &result);
    json_t *json = code == 0 ? sched_result_json(&result) : NULL;
    if (sched_interrupt_came()) {
        sched_say("debug: interrupted before the interleaving had come to its end");
        code = ISP_EXIT_USAGE;
    } else if (json && !sched_subject_take_shown(subject, json, k) && k) {
        sched_say("debug: this interleaving has no finding %ld", k);
        code = ISP_EXIT_USAGE;
    }
    sched_interrupt_end();
    json_decref(json);
    finish_result(&result);
    return code;
}

static int debug(struct sched_subject *subject, FILE *in, long k)
{
    struct sched_options options;
    setenv("ISP_FORK_ONLY", "1",
           1); /* to go back may be to kill one that computes, or that gdb has changed */
    sched_options_parse(&options, subject->n, subject->words);
    int code = subject->finding ? 0 : look_for_finding(subject, &options, k);
    if (code == 0)
        code = converse_about(subject, in, &options);
    sched_options_finish(&options);
    return code;
}

bool sched_debug_result(const json_t *result, FILE *commands)
{
    struct sched_subject subject;
    sched_interrupt_end();
    bool there = sched_subject_finding(&subject, result, 0);
    if (!there)
        sched_say("--debug: there is no finding to stand at");
    bool failed = there && debug(&subject, commands, 0) == ISP_EXIT_USAGE;
    sched_subject_finish(&subject);
    return !failed;
}

int sched_debug_command(int argc, char **argv)
{
    struct wanted w = {0};
    struct sched_subject subject = {0};
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return ISP_EXIT_CLEAN;
    }
    int code = ISP_EXIT_USAGE;
    if (parse(&w, argc, argv) && open_commands(&w)) {
        sched_launch_remember();
        sched_event_log_begin();
        signal(SIGPIPE, SIG_IGN);
        if (take(&subject, &w, argc, argv))
            code = debug(&subject, w.commands, w.finding);
        fclose(w.commands);
    }
    sched_subject_finish(&subject);
    return code;
}
