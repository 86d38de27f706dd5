/* SPDX-License-Identifier: BSD-3-Clause */
/* isp: parse, explore, report. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "commands/report.h"
#include "debug/command.h"
#include "debug/dap/command.h"
#include "doctor/doctor.h"
#include "base/event_log.h"
#include "explain/explain.h"
#include "launch/launch.h"
#include "options/given.h"
#include "options/parse.h"
#include "parallel/search.h"
#include "base/now.h"
#include "explore/more_polls.h"
#include "explore/part.h"
#include "base/reserve.h"
#include "report/json.h"
#include "report/text.h"
#include "report/verdict.h"
#include "findings/suppressions.h"
#include "base/tmpdir.h"
#include "trace/trace.h"
#include "world/patience.h"
#include "base/say.h"

/* The report as text, without colours. Caller frees. */
static char *plain_text(const struct sched_result *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    sched_report_text(result, out);
    fclose(out);
    return sched_must(text);
}

static void tell_about_trace(const struct sched_options *options, const char *why)
{
    if (options->trace)
        sched_say("--trace %s: %s", options->trace, why);
    else
        sched_say("the temporary trace for the reports, in TMPDIR: %s", why);
}

/* For the reports; NULL, and it was said why, if it has failed. */
static struct sqlite3 *finish_trace(const struct sched_result *result, const json_t *json)
{
    char *text = plain_text(result), *why = NULL;
    struct sqlite3 *trace = sched_trace_finish(result->trace, json, result->findings, text, &why)
                                ? sched_trace_read(result->trace, &why)
                                : NULL;
    if (!trace || sched_trace_lacks(result->trace))
        tell_about_trace(result->options, trace ? sched_trace_lacks(result->trace) : why);
    free(why);
    free(text);
    return trace;
}

/* *json: the result, for sched_debug_result; caller frees. */
static int report(const struct sched_result *result, json_t **json)
{
    if (result->options->suppressions)
        sched_suppressions_apply(result->options->suppressions, result->findings, result->sites);
    fflush(stdout);
    sched_reserve_is_needed(); /* then it is free for this */
    sched_report_text(result, stderr);
    struct sched_report report = {.result = sched_result_json(result)};
    if (result->trace)
        report.trace = finish_trace(result, report.result);
    bool ok = !result->trace || report.trace;
    ok &= sched_outputs_write(&report, result->options->reports);
    *json = (json_t *)report.result;
    return ok && !result->unsaved ? sched_exit_code(result) : ISP_EXIT_TOOL;
}

/* False: it is wanted, and cannot be made. */
static bool begin_trace(struct sched_result *result)
{
    const struct sched_options *options = result->options;
    bool wanted = options->trace || sched_outputs_need_trace(options->reports);
    char *why = NULL;
    result->trace = wanted ? sched_trace_create(options->trace, result->sites, &why) : NULL;
    if (why)
        tell_about_trace(options, why);
    free(why);
    return result->trace || !wanted;
}

static int explore(const struct sched_options *options, struct sched_result *result)
{
    return begin_trace(result) ? sched_search(options, result) : ISP_EXIT_USAGE;
}

/* Of --debug: takes standard input. False: it cannot, and has said why. */
static bool begin_debug(const struct sched_options *options, FILE **input)
{
    *input = options->debug ? sched_debug_input() : NULL;
    if (options->debug && !*input)
        sched_say("--debug: standard input: %s", strerror(errno));
    return *input || !options->debug;
}

/* ... and stands at what was found. Takes both; returns the exit code. */
static int end_debug(FILE *input, json_t *result, int code)
{
    if (input && result && !sched_debug_result(result, input))
        code = ISP_EXIT_TOOL;
    if (input)
        fclose(input);
    json_decref(result);
    return code;
}

/* The same with more polls, if that is all it lacks. more: the options of the search that is reported. */
static void explore_polls(struct sched_options *more, struct sched_result *result)
{
    if (sched_given_text(more, "--polls") || !sched_more_polls_helps(result))
        return;
    double until_s = sched_now_s() + sched_more_polls_time_s(result);
    for (bool over = false; !over && sched_more_polls_next(more, until_s);) {
        struct sched_result deeper;
        if (more->verbose)
            sched_say("all is explored but polls that fail more often: again with --polls %u", more->polls);
        sched_part_init(&deeper, more, result->sites);
        over = explore(more, &deeper) != 0 || sched_more_polls_judge(result, &deeper);
        sched_trace_destroy(deeper.trace);
        sched_part_finish(&deeper);
    }
    result->seconds = sched_now_s() - more->begun_s;
}

/* Nothing is left of the exploration so far; in the next one ranks that call nothing are waited for longer,
 * or ranks wait for isp, or it has no checkpoints. */
static void begin_again(struct sched_options *options, struct sched_result *result, int why)
{
    struct sched_sites *sites = result->sites;
    sched_trace_destroy(result->trace);
    sched_part_finish(result);
    sched_part_init(result, options, sites);
    if (why == SCHED_SEARCH_UNHURRIED)
        options->idle_s = sched_patience_unhurried_s(options);
    else if (options->decentralized)
        options->decentralized = false;
    else
        options->checkpoints = 0;
    options->again = true;
    if (options->slurm_task)
        return; /* what it is to do is in the saved state */
    json_decref(options->saved);
    options->saved = NULL;
    options->resume = NULL;
}

/* What isp does beside running programs; "isp -n 4 explain" runs one that is called so. */
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"doctor", sched_doctor_command},
                {"explain", sched_explain_command},
                {"report", sched_command_report},
                {"debug", sched_debug_command},
                {"dap", sched_dap_command}};

/* `isp help`, `isp help report` and `isp report -h` mean --help. */
static void understand_help(int argc, char **argv)
{
    static char help[] = "--help";
    if (argc > 1 && strcmp(argv[1], "help") == 0) {
        argv[1] = argc == 3 ? argv[2] : help;
        if (argc == 3)
            argv[2] = help;
    }
    for (size_t i = 0; argc == 3 && strcmp(argv[2], "-h") == 0 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            argv[2] = help;
}

/* A stack that is too small would end isp anywhere, without a word. */
static void check_stack(void)
{
    static const rlim_t needed = (rlim_t)1 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= needed)
        return;
    sched_say("a stack of %ju kB (ulimit -s) is too small: isp needs %ju kB", (uintmax_t)limit.rlim_cur >> 10,
              (uintmax_t)needed >> 10);
    exit(ISP_EXIT_TOOL);
}

int main(int argc, char **argv)
{
    check_stack();
    understand_help(argc, argv);
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    struct sched_options options, more;
    struct sched_result result;
    json_t *json = NULL;
    FILE *input;
    sched_launch_remember();
    sched_reserve_begin();
    sched_event_log_begin();
    signal(SIGXFSZ, SIG_IGN); /* what cannot be written is told, and all else goes on */
    signal(SIGPIPE, SIG_IGN); /* if nobody reads what is printed, the files are wanted all the same */
    sched_options_parse(&options, argc, argv);
    sched_tmpdir_tell();
    sched_part_init(&result, &options, sched_sites_create());
    options.begun_s = sched_now_s();
    int code = begin_debug(&options, &input) ? explore(&options, &result) : ISP_EXIT_USAGE;
    while (code < 0) {
        begin_again(&options, &result, code);
        code = explore(&options, &result);
    }
    more = options;
    if (code == 0)
        explore_polls(&more, &result);
    if (code == 0 && !options.slurm_task)
        code = report(&result, &json);
    sched_trace_destroy(result.trace);
    sched_part_finish(&result);
    sched_sites_destroy(result.sites);
    sched_options_finish(&options);
    return end_debug(input, json, code);
}
