/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/alloc.h"
#include "isp/verdict.h"
#include "base/escape.h"
#include "report/outputs.h"
#include "trace/open.h"
#include "base/say.h"

/* What was asked for. */
struct wanted {
    const char *trace, *files[SCHED_FORMATS];
    bool any;
};

static void print_help(void)
{
    fputs("Usage: isp report FILE", stdout);
    for (int i = 0; i < SCHED_FORMATS; i++)
        printf(" [%s FILE]", sched_formats[i].option);
    puts("\nMakes reports from a trace (isp --trace FILE). Without an option: prints the report\n"
         "as isp did, and ends with the same exit code. The manual has the rest: man isp-report");
}

/* The option at argv[*i], `--json FILE` or `--json=FILE`: moves on to its value. False: it is none, or has no
 * value. */
static bool take_option(struct wanted *w, int argc, char **argv, int *i)
{
    for (int k = 0; k < SCHED_FORMATS; k++) {
        size_t n = strlen(sched_formats[k].option);
        if (strncmp(argv[*i], sched_formats[k].option, n) != 0 || (argv[*i][n] && argv[*i][n] != '='))
            continue;
        const char *value = argv[*i][n] ? argv[*i] + n + 1 : *i + 1 < argc ? argv[++*i] : "";
        if (!*value)
            sched_say("report: %s needs a value: give a file, or - for stdout", sched_formats[k].option);
        w->files[k] = value;
        w->any = true;
        return *value;
    }
    sched_say("report: %s: no such option; see isp report --help", argv[*i]);
    return false;
}

static bool parse(struct wanted *w, int argc, char **argv)
{
    bool options = true;
    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (options && argv[i][0] == '-') {
            if (!take_option(w, argc, argv, &i))
                return false;
        } else if (w->trace) {
            sched_say("report: one trace at a time: what is %s?", argv[i]);
            return false;
        } else {
            w->trace = argv[i];
        }
    }
    if (!w->trace)
        sched_say(
            "report: which trace? usage: isp report FILE [--html FILE ...]; isp --trace FILE writes one");
    return w->trace;
}

/* As the exploration ended; -1: the trace has no report. */
static int print_stored(const struct sched_report *report)
{
    const json_t *code = json_object_get(json_object_get(report->result, "invocation"), "exit_code");
    char *text = sched_trace_meta(report->trace, "report"), *shown = text ? sched_escape(text, "\n\t") : NULL;
    if (shown)
        fputs(shown, stdout);
    free(text);
    free(shown);
    return !text || !json_is_integer(code) ? -1
           : fflush(stdout) == 0           ? (int)json_integer_value(code)
                                           : ISP_EXIT_TOOL;
}

static int make(const struct sched_report *report, const struct wanted *w)
{
    char *lacks = sched_trace_meta(report->trace, "lacks"), *shown = lacks ? sched_escape(lacks, "") : NULL;
    if (shown)
        sched_say("report: %s: %s", w->trace, shown);
    free(lacks);
    free(shown);
    if (!w->any)
        return print_stored(report);
    return sched_outputs_write(report, w->files) ? ISP_EXIT_CLEAN : ISP_EXIT_TOOL;
}

int sched_command_report(int argc, char **argv)
{
    struct wanted wanted = {0};
    char *why = NULL;
    signal(SIGXFSZ, SIG_IGN); /* what cannot be written is told */
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return ISP_EXIT_CLEAN;
    }
    if (!parse(&wanted, argc, argv))
        return ISP_EXIT_USAGE;
    struct sched_report report = {.trace = sched_trace_open(wanted.trace, &why)};
    report.result = report.trace ? sched_trace_result(report.trace) : NULL;
    int code = report.result ? make(&report, &wanted) : -1;
    if (code < 0) {
        sched_say("report: %s: %s", wanted.trace, why ? why : "the trace is damaged");
        code = ISP_EXIT_USAGE;
    }
    free(why);
    json_decref((json_t *)report.result);
    sqlite3_close(report.trace);
    return code;
}
