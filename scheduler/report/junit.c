/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program is a test suite, and what isp looks for are its test cases, by groups of rules: those that pass
 * are listed too, so that a service can tell what has become better. Something is red if and only if isp's
 * exit code is not 0: what could not be explored is an error if no finding fails, and is skipped if one
 * does. A test case whose findings fail nothing (--fail-on=error) is skipped, with these.
 */
#include "junit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "findings/findings.h"
#include "json.h"

/* The test cases: the groups of rules, but for that of notes. */
static const char *const names[ISP_RULE_GROUP_COUNT] = {
#define NAME(group, test_case) test_case,
    ISP_RULE_GROUPS(NAME)
#undef NAME
};

enum {
    NOTES = ISP_RULE_GROUP_NOTES,
    EXPLORATION = ISP_RULE_GROUP_EXPLORATION, /* the last one */
    GROUPS = ISP_RULE_GROUP_COUNT,
};

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is_note(const json_t *finding) { return strcmp(string(finding, "severity"), "note") == 0; }

/* By its own severity: in another version's trace that of a rule may be another one. */
static int group_of(const json_t *finding)
{
    return is_note(finding) ? NOTES : (int)sched_rule_group(sched_rule_find(string(finding, "rule")));
}

/* ---- XML 1.0 ---- */

/* It cannot hold most control characters, nor U+FFFE and U+FFFF, in whatever form. */
static size_t forbidden(const char *p)
{
    unsigned char c = (unsigned char)*p;
    if (c < 0x20 && c != '\t' && c != '\n')
        return 1;
    return strncmp(p, "\xef\xbf\xbe", 3) == 0 || strncmp(p, "\xef\xbf\xbf", 3) == 0 ? 3 : 0;
}

static void put(FILE *out, const char *text)
{
    while (*text) {
        size_t bad = forbidden(text);
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (!bad && entity)
            fputs(entity, out);
        else if (!bad)
            fputc(*text, out);
        for (size_t i = 0; i < bad; i++)
            fprintf(out, "\\x%02x", (unsigned char)text[i]);
        text += bad ? bad : 1;
    }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put(out, value);
    fputc('"', out);
}

/* ---- words ---- */

/* "race 4 (3 ranks)" */
static char *suite_name(const json_t *result)
{
    char *text = NULL;
    size_t size = 0, i;
    FILE *out = sched_must(open_memstream(&text, &size));
    json_t *word;
    json_array_foreach (json_object_get(result, "command"), i, word) {
        const char *raw = json_string_value(word), *slash = i == 0 ? strrchr(raw, '/') : NULL;
        fprintf(out, "%s ", slash ? slash + 1 : raw);
    }
    int ranks = (int)json_integer_value(json_object_get(result, "ranks"));
    fprintf(out, "(%d rank%s)", ranks, ranks == 1 ? "" : "s");
    fclose(out);
    return sched_must(text);
}

/* Services make folders of what is between dots. */
static char *class_name(const char *suite)
{
    char *name = sched_format("isp.%s", suite);
    for (char *p = name + strlen("isp."); *p; p++)
        if (*p == '.')
            *p = '_';
    return name;
}

/* As the report has it. */
static void put_finding(FILE *out, const json_t *finding)
{
    const json_t *site = sched_json_headline(json_array_get(json_object_get(finding, "sites"), 0)),
                 *line = json_object_get(site, "line");
    const char *file = string(site, "file"), *replay = string(finding, "replay");
    if (file && json_is_integer(line)) {
        put(out, file);
        fprintf(out, ":%d: ", (int)json_integer_value(line));
    }
    fprintf(out, "%s: ", string(finding, "severity"));
    put(out, string(finding, "message"));
    fprintf(out, " [%s]\n", string(finding, "rule"));
    put(out, string(finding, "story"));
    if (!replay)
        return;
    fputs("replay: ", out);
    put(out, replay);
    fputc('\n', out);
}

/* ---- test cases ---- */

struct suite {
    const json_t *result;
    FILE *out;
    char *name, *class_name;
    size_t found[GROUPS], failing[GROUPS];
    size_t findings, failures, errors, skipped;
    const char *because; /* incomplete */
};

static const json_t *first_of(const struct suite *s, int group)
{
    size_t i;
    json_t *finding;
    json_array_foreach (json_object_get(s->result, "findings"), i, finding)
        if (group_of(finding) == group)
            return finding;
    return NULL;
}

/* Whether it makes the exit code that of findings. */
static bool fails(const struct suite *s, const json_t *finding)
{
    const char *fail_on = string(json_object_get(s->result, "invocation"), "fail_on");
    return !fail_on || strcmp(fail_on, "error") != 0 || strcmp(string(finding, "severity"), "error") == 0;
}

/* One element with all findings of the group: services show one for each test case. */
static void put_findings(const struct suite *s, int group, const char *element)
{
    const json_t *first = first_of(s, group), *finding;
    size_t i;
    fprintf(s->out, "\n   <%s", element);
    if (s->found[group] > 1) {
        char *message =
            sched_format("%zu findings; the first: %s", s->found[group], string(first, "message"));
        put_attribute(s->out, "message", message);
        free(message);
    } else {
        put_attribute(s->out, "message", string(first, "message"));
    }
    if (strcmp(element, "skipped") != 0) /* which has no type */
        put_attribute(s->out, "type", string(first, "rule"));
    fputc('>', s->out);
    json_array_foreach (json_object_get(s->result, "findings"), i, finding)
        if (group_of(finding) == group)
            put_finding(s->out, finding);
    fprintf(s->out, "</%s>\n  ", element);
}

static void put_incomplete(const struct suite *s)
{
    const char *element = s->errors ? "error" : "skipped";
    fprintf(s->out, "\n   <%s", element);
    put_attribute(s->out, "message", s->because);
    if (s->errors)
        put_attribute(s->out, "type", "incomplete");
    fputs("/>\n  ", s->out);
}

static void put_case(const struct suite *s, int group)
{
    const json_t *first = first_of(s, group),
                 *site = sched_json_headline(json_array_get(json_object_get(first, "sites"), 0));
    fputs("  <testcase", s->out);
    put_attribute(s->out, "classname", s->class_name);
    put_attribute(s->out, "name", names[group]);
    fprintf(s->out, " time=\"%.3f\"",
            group == EXPLORATION ? json_real_value(json_object_get(s->result, "seconds")) : 0.);
    if (string(site, "file"))
        put_attribute(s->out, "file", string(site, "file"));
    if (json_is_integer(json_object_get(site, "line")))
        fprintf(s->out, " line=\"%d\"", (int)json_integer_value(json_object_get(site, "line")));
    fputc('>', s->out);
    if (first)
        put_findings(s, group,
                     group == EXPLORATION    ? "error"
                     : s->failing[group] > 0 ? "failure"
                                             : "skipped");
    else if (group == EXPLORATION && s->because)
        put_incomplete(s);
    fputs("</testcase>\n", s->out);
}

/* ---- the suite ---- */

static void count(struct suite *s)
{
    size_t i;
    json_t *finding;
    json_array_foreach (json_object_get(s->result, "findings"), i, finding) {
        s->found[group_of(finding)]++;
        s->failing[group_of(finding)] += fails(s, finding);
    }
    for (int group = NOTES + 1; group < EXPLORATION; group++) {
        s->findings += s->found[group];
        s->failures += s->failing[group] > 0;
        s->skipped += s->found[group] > 0 && s->failing[group] == 0;
    }
    s->because = string(s->result, "incomplete_because");
    s->errors = s->found[EXPLORATION] || (s->because && !s->failures);
    s->skipped += s->because && !s->errors;
}

static void put_counts(const struct suite *s)
{
    fprintf(s->out, " tests=\"%d\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            GROUPS - 1, s->failures, s->errors, s->skipped,
            json_real_value(json_object_get(s->result, "seconds")));
}

static void put_verdict(const struct suite *s)
{
    const json_t *buffered = json_object_get(s->result, "buffered_interleavings"), *words;
    size_t i;
    fprintf(s->out, "  <system-out>isp: %zu finding%s in %lld interleavings", s->findings,
            s->findings == 1 ? "" : "s",
            (long long)json_integer_value(json_object_get(s->result, "interleavings")));
    if (json_integer_value(buffered))
        fprintf(s->out, " and %lld with buffered sends", (long long)json_integer_value(buffered));
    fputs(s->because ? ", incomplete: " : ", all explored", s->out);
    put(s->out, s->because ? s->because : "");
    const char *most = string(json_object_get(s->result, "most_orders"), "words");
    if (most) {
        fputc('\n', s->out);
        put(s->out, most);
    }
    json_array_foreach (json_object_get(s->result, "assumptions"), i, words) {
        fputs("\nassumption: ", s->out);
        put(s->out, json_string_value(words));
    }
    fputs("</system-out>\n", s->out);
}

bool sched_report_junit(const struct sched_report *report, FILE *out)
{
    struct suite s = {.result = report->result, .out = out, .name = suite_name(report->result)};
    s.class_name = class_name(s.name);
    count(&s);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"isp\"", out);
    put_counts(&s);
    fputs(" <testsuite", out);
    put_attribute(out, "name", s.name);
    put_counts(&s);
    for (int group = NOTES + 1; group < GROUPS; group++)
        put_case(&s, group);
    put_verdict(&s);
    fputs(" </testsuite>\n</testsuites>\n", out);
    free(s.class_name);
    free(s.name);
    return !ferror(out);
}
