/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/columns.h"
#include "findings/findings.h"
#include "isp/verdict.h"
#include "markdown.h"
#include "pager.h"
#include "words/wrap.h"
#include "rule_pages.h"
#include "base/say.h"

/* ---- a word that is no rule ---- */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* How many letters one must put in, take out or change to make one word the other (Levenshtein). */
static unsigned distance(const char *one, const char *other)
{
    size_t n = strlen(other);
    unsigned *row = sched_alloc(n + 1, sizeof *row);
    for (size_t k = 0; k <= n; k++)
        row[k] = (unsigned)k;
    for (size_t i = 0; one[i]; i++) {
        unsigned diagonal = row[0]++;
        for (size_t k = 0; k < n; k++) {
            unsigned changed = diagonal + (one[i] != other[k]);
            diagonal = row[k + 1];
            row[k + 1] = least(changed, least(row[k], diagonal) + 1);
        }
    }
    unsigned result = row[n];
    free(row);
    return result;
}

/* NULL: none is like it. */
static const char *nearest(const char *word)
{
    const char *found = NULL;
    unsigned best = 3 + (unsigned)strlen(word) / 4;
    for (int i = 0; i < ISP_RULE_COUNT; i++) {
        unsigned d = distance(word, sched_rule_id((enum isp_rule)i));
        if (d < best) {
            best = d;
            found = sched_rule_id((enum isp_rule)i);
        }
    }
    return found;
}

/* Every rule with a part of the word; else the nearest. */
static char *similar(const char *word)
{
    char *list = sched_strdup("");
    for (int i = 0; i < ISP_RULE_COUNT; i++) {
        const char *id = sched_rule_id((enum isp_rule)i);
        if (*word && strstr(id, word)) {
            char *longer = sched_format("%s%s%s", list, *list ? ", " : "", id);
            free(list);
            list = longer;
        }
    }
    const char *near = nearest(word);
    char *text =
        *list ? sched_format("there is no such rule; there are %s", list)
        : near
            ? sched_format("there is no such rule; did you mean %s?", near)
            : sched_strdup(
                  "there is no such rule; isp explain lists them all, findings end with theirs in brackets");
    free(list);
    return text;
}

char *sched_explain(const char *rule, FILE *out)
{
    enum isp_rule number = sched_rule_find(rule);
    if (number == ISP_RULE_COUNT)
        return similar(rule);
    fputs(sched_rule_pages[number].page, out);
    return NULL;
}

/* ---- the command ---- */

static void put_group(FILE *out, enum isp_severity severity, const char *title, int width, int columns,
                      bool colours)
{
    fprintf(out, "%s%s%s\n", colours ? "\033[1m" : "", title, colours ? "\033[0m" : "");
    for (int i = 0; i < ISP_RULE_COUNT; i++) {
        if (sched_rule_severity((enum isp_rule)i) != severity)
            continue;
        char *line = sched_format("  %-*s  %s", width, sched_rule_id((enum isp_rule)i),
                                  sched_rule_brief((enum isp_rule)i));
        sched_wrap_put(out, line, width + 4, columns);
        free(line);
    }
    fputc('\n', out);
}

static void put_list(FILE *out, int columns, bool colours, const void *data)
{
    (void)data;
    int width = 0;
    for (int i = 0; i < ISP_RULE_COUNT; i++)
        if (sched_columns(sched_rule_id((enum isp_rule)i)) > width)
            width = sched_columns(sched_rule_id((enum isp_rule)i));
    put_group(out, ISP_SEVERITY_ERROR, "Errors", width, columns, colours);
    put_group(out, ISP_SEVERITY_WARNING, "Warnings", width, columns, colours);
    put_group(out, ISP_SEVERITY_NOTE, "Notes (shown with -v)", width, columns, colours);
    fputs("isp explain RULE says more about one, with an example.\n", out);
}

/* data: the words of the command line, NULL at the end. */
static void put_pages(FILE *out, int columns, bool colours, const void *data)
{
    for (char *const *rule = data; *rule; rule++) {
        sched_markdown_put(out, sched_rule_pages[sched_rule_find(*rule)].page, columns, colours);
        if (rule[1])
            fputc('\n', out);
    }
}

int sched_explain_command(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        puts("usage: isp explain [RULE...]\nWhat rules mean, each with a wrong and a right program; "
             "without a rule: one line about each.");
        return ISP_EXIT_CLEAN;
    }
    for (int i = 1; i < argc; i++) {
        char *why = sched_rule_find(argv[i]) == ISP_RULE_COUNT ? similar(argv[i]) : NULL;
        if (!why)
            continue;
        sched_say("explain %s: %s", argv[i], why);
        free(why);
        return ISP_EXIT_USAGE;
    }
    sched_pager_show(argc > 1 ? put_pages : put_list, argv + 1);
    return ISP_EXIT_CLEAN;
}
