/* SPDX-License-Identifier: BSD-3-Clause */
/* See subject.h. */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "report/json.h"
#include "trace/open.h"

/* ---- words of a shell, as report/replay.c writes them ---- */

static void add_word(struct sched_subject *subject, char *word)
{
    subject->words = sched_grow(subject->words, (size_t)subject->n + 2, sizeof *subject->words);
    subject->words[subject->n++] = word;
    subject->words[subject->n] = NULL;
}

/* What is between quotes; `at` behind the opening one. In $'...' bytes may be \NNN. Returns what follows. */
static const char *take_quoted(const char *at, bool bytes, char **to)
{
    for (; *at && *at != '\''; at++)
        if (bytes && *at == '\\' && strspn(at + 1, "01234567") >= 3) {
            *(*to)++ = (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
            at += 3;
        } else {
            *(*to)++ = *at;
        }
    return *at ? at + 1 : at;
}

static void split(struct sched_subject *subject, const char *command)
{
    for (const char *at = command + strspn(command, " "); *at; at += strspn(at, " ")) {
        char *word = sched_alloc(strlen(at) + 1, 1), *to = word;
        while (*at && *at != ' ') {
            bool bytes = at[0] == '$' && at[1] == '\'';
            if (bytes || *at == '\'')
                at = take_quoted(at + 1 + bytes, bytes, &to);
            else if (at[0] == '\\' && at[1])
                *to++ = at[1], at += 2;
            else
                *to++ = *at++;
        }
        *to = '\0';
        add_word(subject, word);
    }
}

/* ---- results ---- */

static json_t *read_trace(const char *file, char **why)
{
    sqlite3 *trace = sched_trace_open(file, why);
    json_t *result = trace ? sched_trace_result(trace) : NULL;
    sqlite3_close(trace);
    if (!result && !*why)
        *why = sched_format("%s: the trace is damaged", file);
    return result;
}

static bool is_trace(const char *file)
{
    char head[16] = "";
    FILE *in = fopen(file, "rb");
    bool is =
        in && fread(head, 1, sizeof head, in) == sizeof head && memcmp(head, "SQLite format 3", 16) == 0;
    if (in)
        fclose(in);
    return is;
}

static json_t *read_result(const char *file, char **why)
{
    json_error_t error;
    if (is_trace(file))
        return read_trace(file, why);
    json_t *result = json_load_file(file, 0, &error);
    if (!result)
        *why = sched_format("%s is no result of isp (--json or --trace): %s", file, error.text);
    return result;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The k-th that can be replayed; of 0: the first error, else the first. */
static const json_t *choose(const json_t *findings, long k)
{
    const json_t *first = NULL;
    long at = 0;
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *f = json_array_get(findings, i);
        if (!*text_of(f, "replay"))
            continue;
        if (++at == k || (k == 0 && strcmp(text_of(f, "severity"), "error") == 0))
            return f;
        first = first ? first : f;
    }
    return k == 0 ? first : NULL;
}

static char *words_of(const json_t *f)
{
    const json_t *site = sched_json_headline(json_array_get(json_object_get(f, "sites"), 0));
    const char *file = text_of(site, "file"), *story = text_of(f, "story");
    json_int_t line = json_integer_value(json_object_get(site, "line"));
    char *place = *file ? sched_format("%s:%" JSON_INTEGER_FORMAT ": ", file, line) : sched_strdup("");
    char *raw = sched_format("%s%s: %s [%s]\n%s", place, text_of(f, "severity"), text_of(f, "message"),
                             text_of(f, "rule"), story);
    free(place);
    char *text = sched_escape(raw, "\n\t");
    free(raw);
    return text;
}

static void take_evidence(struct sched_subject *subject, const json_t *f)
{
    const json_t *decision = json_object_get(json_object_get(f, "critical"), "decision");
    subject->finding = words_of(f);
    subject->decision = json_is_integer(decision) ? (int)json_integer_value(decision) : -1;
    sched_evidence_init(&subject->evidence, f);
}

static void take_finding(struct sched_subject *subject, const json_t *result, const json_t *f)
{
    const char *folder = text_of(json_object_get(result, "invocation"), "folder");
    split(subject, text_of(f, "replay"));
    take_evidence(subject, f);
    subject->folder = *folder ? sched_strdup(folder) : NULL;
}

bool sched_subject_result(struct sched_subject *subject, const char *file, long k, char **why)
{
    *subject = (struct sched_subject){.decision = -1};
    json_t *result = read_result(file, why);
    const json_t *findings = json_object_get(result, "findings");
    const json_t *f = choose(findings, k);
    if (f)
        take_finding(subject, result, f);
    else if (result && !json_is_array(findings))
        *why = sched_format("%s is no result of isp (--json or --trace)", file);
    else if (result && k == 0)
        *why = sched_format(
            "%s has no finding that an interleaving shows; isp debug -n N --choices C -- PROGRAM "
            "stands in any",
            file);
    else if (result)
        *why = sched_format("%s has no finding %ld that an interleaving shows", file, k);
    json_decref(result);
    return f;
}

/* Of a run that nobody has asked a finding of, a note is none. */
static const json_t *choose_wrong(const json_t *result, long k)
{
    const json_t *f = choose(json_object_get(result, "findings"), k);
    return f && (k || strcmp(text_of(f, "severity"), "note") != 0) ? f : NULL;
}

bool sched_subject_finding(struct sched_subject *subject, const json_t *result, long k)
{
    const json_t *f = choose_wrong(result, k);
    *subject = (struct sched_subject){.decision = -1};
    if (f)
        take_finding(subject, result, f);
    return f;
}

bool sched_subject_take_shown(struct sched_subject *subject, const json_t *result, long k)
{
    const json_t *f = choose_wrong(result, k);
    if (f)
        take_evidence(subject, f);
    return f;
}

void sched_subject_words(struct sched_subject *subject, int argc, char **argv)
{
    *subject = (struct sched_subject){.decision = -1};
    add_word(subject, sched_strdup("isp"));
    add_word(subject, sched_strdup("replay"));
    for (int i = 0; i < argc; i++)
        add_word(subject, sched_strdup(argv[i]));
}

void sched_subject_finish(struct sched_subject *subject)
{
    for (int i = 0; i < subject->n; i++)
        free(subject->words[i]);
    free(subject->words);
    free(subject->folder);
    free(subject->finding);
    sched_evidence_finish(&subject->evidence);
}
