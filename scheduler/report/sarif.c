/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run of one tool. Only rules that have results are described: the whole list is in docs/rules. What a
 * service shows of a finding is mostly its message; so the story and the replay command are in there too.
 */
#include "sarif.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "findings/findings.h"
#include "isp/verdict.h"
#include "json.h"
#include "explain/rule_pages.h"
#include "sarif_parts.h"

static const char schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, sched_sarif_message(text));
}

/* ---- rules ---- */

static json_t *rule_json(const char *id, const char *level)
{
    json_t *rule = json_pack("{s:s, s:{s:s}}", "id", id, "defaultConfiguration", "level", level);
    enum isp_rule number = sched_rule_find(id);
    if (number == ISP_RULE_COUNT) /* of another version, in a trace */
        return rule;
    const struct sched_rule_page *page = &sched_rule_pages[number];
    json_object_set_new(rule, "shortDescription", json_pack("{s:s}", "text", sched_rule_brief(number)));
    json_object_set_new(rule, "fullDescription", json_pack("{s:s}", "text", page->meaning));
    json_object_set_new(rule, "help", json_pack("{s:s, s:s}", "text", page->page, "markdown", page->page));
    json_object_set_new(rule, "properties", json_pack("{s:[s, s]}", "tags", "mpi", "correctness"));
    return rule;
}

/* Its index among the rules; it is added if it is not there. */
static size_t rule_index(json_t *rules, const char *id, const char *level)
{
    size_t i;
    json_t *rule;
    json_array_foreach (rules, i, rule)
        if (strcmp(string(rule, "id"), id) == 0)
            return i;
    json_array_append_new(rules, rule_json(id, level));
    return i;
}

/* ---- results ---- */

static char *message_of(const json_t *finding)
{
    const char *story = string(finding, "story"), *replay = string(finding, "replay");
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    fprintf(out, "%s\n", string(finding, "message"));
    if (story && *story)
        fprintf(out, "\n%s", story);
    if (replay)
        fprintf(out, "\nreplay: %s\n", replay);
    fclose(out);
    return sched_must(text);
}

/* "rank 2: MPI_Send" */
static char *who(const json_t *site)
{
    const json_t *rank = json_object_get(site, "rank");
    const char *call = string(site, "call");
    if (!json_is_integer(rank))
        return sched_strdup(call ? call : "here");
    return sched_format("rank %d: %s", (int)json_integer_value(rank), call ? call : "here");
}

static json_t *site_json(const json_t *site, const char *message)
{
    return sched_sarif_location(string(site, "file"), json_integer_value(json_object_get(site, "line")),
                                string(site, "function"), message);
}

/* Where the finding is shown, with the text of the line. Services want a place: if none is known it is the
 * program. */
static json_t *first_location(const json_t *result, const json_t *finding)
{
    const json_t *site = sched_json_headline(json_array_get(json_object_get(finding, "sites"), 0));
    const char *file = string(site, "file");
    if (!file)
        return sched_sarif_location(json_string_value(json_array_get(json_object_get(result, "command"), 0)),
                                    0, string(site, "function"), NULL);
    json_t *location = site_json(site, NULL);
    json_int_t number = json_integer_value(json_object_get(site, "line"));
    char *line = sched_sarif_line(string(json_object_get(result, "invocation"), "folder"), file, number);
    if (line && *line) {
        json_t *region = json_object_get(json_object_get(location, "physicalLocation"), "region");
        char *safe = sched_escape(line, "\t");
        json_object_set_new(region, "snippet", json_pack("{s:s}", "text", safe));
        free(safe);
    }
    free(line);
    return location;
}

static void add_related(json_t *related, const json_t *site, char *message)
{
    json_t *location = site_json(site, message);
    json_object_set_new(location, "id", json_integer((json_int_t)json_array_size(related) + 1));
    json_array_append_new(related, location);
    free(message);
}

/* The other places, with their ranks, and the critical choice. */
static json_t *related_json(const json_t *finding)
{
    json_t *related = json_array(), *sites = json_object_get(finding, "sites");
    const json_t *critical = json_object_get(finding, "critical");
    for (size_t i = 1; i < json_array_size(sites); i++) {
        const json_t *site = json_array_get(sites, i);
        add_related(related, sched_json_headline(site), who(site));
    }
    if (json_is_object(critical))
        add_related(related, critical,
                    sched_format("the critical choice: %s of rank %d %s; without this finding it %s",
                                 string(critical, "call"),
                                 (int)json_integer_value(json_object_get(critical, "rank")),
                                 string(critical, "taken"), string(critical, "alternative")));
    return related;
}

/* Who called them, if it is known. */
static json_t *stacks_json(const json_t *sites)
{
    json_t *stacks = json_array(), *site, *caller;
    size_t i, k;
    json_array_foreach (sites, i, site) {
        json_t *callers = json_object_get(site, "stack"), *frames = json_array();
        if (callers)
            json_array_append_new(frames, json_pack("{s:o}", "location", site_json(site, NULL)));
        json_array_foreach (callers, k, caller)
            json_array_append_new(frames, json_pack("{s:o}", "location", site_json(caller, NULL)));
        char *message = callers ? who(site) : NULL;
        if (callers)
            json_array_append_new(
                stacks, json_pack("{s:o, s:O}", "message", sched_sarif_message(message), "frames", frames));
        json_decref(frames);
        free(message);
    }
    return stacks;
}

static void set_unless_empty(json_t *object, const char *key, json_t *array)
{
    if (json_array_size(array))
        json_object_set(object, key, array);
    json_decref(array);
}

static json_t *properties_json(const json_t *finding)
{
    static const char *const kept[] = {"ranks", "count", "interleaving", "buffered", "critical", "replay"};
    json_t *properties = json_object();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        json_t *value = json_object_get(finding, kept[i]);
        if (value && !json_is_null(value))
            json_object_set(properties, kept[i], value);
    }
    return properties;
}

static json_t *result_json(const json_t *report, const json_t *finding, const char *fingerprint,
                           json_t *rules, json_t *flow)
{
    const char *rule = string(finding, "rule"), *level = string(finding, "severity");
    json_t *sites = json_object_get(finding, "sites");
    char *message = message_of(finding);
    json_t *result =
        json_pack("{s:s, s:I, s:s, s:o, s:[o], s:{s:s}, s:o}", "ruleId", rule, "ruleIndex",
                  (json_int_t)rule_index(rules, rule, level), "level", level, "message",
                  sched_sarif_message(message), "locations", first_location(report, finding),
                  "partialFingerprints", "isp/v1", fingerprint, "properties", properties_json(finding));
    set_unless_empty(result, "relatedLocations", related_json(finding));
    set_unless_empty(result, "stacks", stacks_json(sites));
    if (flow)
        json_object_set_new(result, "codeFlows", json_pack("[o]", flow));
    free(message);
    return result;
}

enum { WITH_FLOWS = 1000 }; /* results with a code flow: each is some 20 kB, and services show fewer */

static json_t *results_json(const json_t *result, json_t *rules, struct sched_sarif_flows *flows)
{
    json_t *results = json_array(), *finding;
    char **prints = sched_sarif_fingerprints(result);
    size_t i;
    json_array_foreach (json_object_get(result, "findings"), i, finding) {
        json_array_append_new(results, result_json(result, finding, prints[i], rules,
                                                   i < WITH_FLOWS ? sched_sarif_flow(flows, finding) : NULL));
        free(prints[i]);
    }
    free(prints);
    return results;
}

/* ---- the run ---- */

static json_t *folder_json(const char *folder)
{
    char *path = sched_format("%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/"),
         *uri = sched_sarif_uri(path);
    json_t *location = json_pack("{s:s}", "uri", uri);
    free(uri);
    free(path);
    return location;
}

static char *joined(const json_t *words)
{
    char *text = sched_strdup("");
    size_t i;
    json_t *word;
    json_array_foreach (words, i, word) {
        char *longer = sched_format("%s%s%s", text, i ? " " : "", json_string_value(word));
        free(text);
        text = longer;
    }
    return text;
}

static void append_notification(json_t *all, const char *level, const char *id, const char *words)
{
    json_t *notification = json_pack("{s:s, s:{s:s}}", "level", level, "descriptor", "id", id);
    char *text = sched_format("%s: %s", id, words);
    set_text(notification, "message", text);
    json_array_append_new(all, notification);
    free(text);
}

static json_t *notifications_json(const char *because, const char *most, const json_t *assumptions)
{
    json_t *all = json_array(), *words;
    size_t i;
    if (because)
        append_notification(all, "warning", "incomplete", because);
    if (most)
        append_notification(all, "note", "most-orders", most);
    json_array_foreach (assumptions, i, words)
        append_notification(all, "note", "assumption", json_string_value(words));
    return all;
}

/* How isp was called, and whether the result can be trusted. */
static json_t *invocation_json(const json_t *result)
{
    const json_t *invocation = json_object_get(result, "invocation"),
                 *words = json_object_get(invocation, "words");
    const char *folder = string(invocation, "folder"), *because = string(result, "incomplete_because");
    json_t *run = json_pack("{s:b}", "executionSuccessful", 1),
           *code = json_object_get(invocation, "exit_code");
    if (code)
        json_object_set(run, "exitCode", code);
    if (json_array_size(words)) {
        char *line = joined(words);
        json_object_set_new(run, "commandLine", json_string(line));
        free(line);
    }
    if (folder)
        json_object_set_new(run, "workingDirectory", folder_json(folder));
    const char *most = string(json_object_get(result, "most_orders"), "words");
    json_t *notes = notifications_json(because, most, json_object_get(result, "assumptions"));
    if (json_array_size(notes))
        json_object_set(run, "toolExecutionNotifications", notes);
    json_decref(notes);
    return run;
}

static json_t *counts_json(const json_t *result)
{
    static const char *const kept[] = {
        "verdict", "complete", "ranks", "buffering", "interleavings", "buffered_interleavings", "seconds"};
    json_t *counts = json_object();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(counts, kept[i], json_object_get(result, kept[i]));
    return counts;
}

/* "isp/race/": what results of the same program are compared by. */
static json_t *automation_json(const json_t *result)
{
    const char *program = json_string_value(json_array_get(json_object_get(result, "command"), 0)),
               *slash = strrchr(program, '/');
    char *id = sched_format("isp/%s/", slash ? slash + 1 : program);
    json_t *automation = json_pack("{s:s}", "id", id);
    free(id);
    return automation;
}

static json_t *run_json(const json_t *result, struct sched_sarif_flows *flows)
{
    const char *folder = string(json_object_get(result, "invocation"), "folder"),
               *version = string(result, "isp");
    json_t *rules = json_array(), *results = results_json(result, rules, flows);
    json_t *run = json_pack("{s:{s:{s:s, s:s, s:s, s:o}}, s:[o], s:o, s:o, s:o}", "tool", "driver", "name",
                            "isp", "version", version, "semanticVersion", version, "rules", rules,
                            "invocations", invocation_json(result), "results", results, "automationDetails",
                            automation_json(result), "properties", counts_json(result));
    if (folder)
        json_object_set_new(run, "originalUriBaseIds",
                            json_pack("{s:o}", SCHED_SARIF_BASE, folder_json(folder)));
    return run;
}

bool sched_report_sarif(const struct sched_report *report, FILE *out)
{
    struct sched_sarif_flows *flows = sched_sarif_flows_create(report);
    json_t *log = json_pack("{s:s, s:s, s:[o]}", "$schema", schema, "version", "2.1.0", "runs",
                            run_json(report->result, flows));
    bool well = sched_sarif_flows_destroy(flows);
    if (!well)
        errno = EBADMSG;
    bool ok =
        well && json_dumpf(log, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 && fputc('\n', out) != EOF;
    json_decref(log);
    return ok;
}
