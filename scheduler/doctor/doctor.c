/* SPDX-License-Identifier: BSD-3-Clause */
#include "doctor.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "checks.h"
#include "isp/verdict.h"
#include "base/escape.h"
#include "words/wrap.h"
#include "base/say.h"

struct sched_doctor {
    json_t *checks; /* --json: all of them; NULL: each is printed at once */
    int columns;
    bool colours;
    int count[SCHED_HEALTH_PROBLEM + 1];
};

static const char *const names[] = {"ok", "warning", "problem"};

static void print(const struct sched_doctor *d, enum sched_health health, const char *what, const char *found,
                  const char *advice)
{
    static const char *const colours[] = {"\033[32m", "\033[1;33m", "\033[1;31m"};
    char *line = sched_format("%s%-7s%s  %s: %s", d->colours ? colours[health] : "", names[health],
                              d->colours ? "\033[0m" : "", what, found);
    sched_wrap_put(stdout, line, 9, d->columns);
    free(line);
    if (health != SCHED_HEALTH_OK && advice) {
        line = sched_format("         %s", advice);
        sched_wrap_put(stdout, line, 9, d->columns);
        free(line);
    }
    fflush(stdout); /* some checks take a second */
}

void sched_doctor_say(struct sched_doctor *d, enum sched_health health, const char *what, char *found,
                      const char *advice)
{
    char *safe = sched_escape(found, "");
    d->count[health]++;
    if (d->checks)
        json_array_append_new(d->checks,
                              json_pack("{s:s, s:s, s:s, s:s?}", "check", what, "state", names[health],
                                        "found", safe, "advice", health == SCHED_HEALTH_OK ? NULL : advice));
    else
        print(d, health, what, safe, advice);
    free(safe);
    free(found);
}

static void put_sum(const struct sched_doctor *d)
{
    int problems = d->count[SCHED_HEALTH_PROBLEM], warnings = d->count[SCHED_HEALTH_WARNING];
    const char *s = problems == 1 ? "" : "s";
    if (problems)
        printf("isp: %d problem%s: isp cannot work%s\n", problems, s,
               problems == 1 ? " before it is solved" : " before they are solved");
    else if (warnings)
        printf("isp: no problem; %d warning%s\n", warnings, warnings == 1 ? "" : "s");
    else
        puts("isp: all is well");
}

int sched_doctor_command(int argc, char **argv)
{
    static const char usage[] = "usage: isp doctor [--json] [PROGRAM]\n";
    bool json = false;
    const char *program = NULL;
    if (argc == 2 && strcmp(argv[1], "--rank") == 0)
        return sched_doctor_rank();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            printf(
                "%sSays whether isp can work here, and with this program. Exit code: 0, or 1 if it cannot.\n",
                usage);
            return ISP_EXIT_CLEAN;
        }
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (*argv[i] == '-' || program) {
            sched_say("doctor %s: %.*s", argv[i], (int)strcspn(usage, "\n"), usage);
            return ISP_EXIT_USAGE;
        } else {
            program = argv[i];
        }
    }
    struct sched_doctor d = {.checks = json ? json_array() : NULL,
                             .columns = sched_terminal_columns(stdout),
                             .colours = sched_terminal_colours(stdout)};
    sched_doctor_mpi(&d);
    if (program)
        sched_doctor_program(&d, program);
    sched_doctor_machine(&d);
    sched_doctor_installation(&d);
    if (json) {
        json_dumpf(d.checks, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        put_sum(&d);
    }
    json_decref(d.checks);
    return d.count[SCHED_HEALTH_PROBLEM] ? 1 : 0;
}
