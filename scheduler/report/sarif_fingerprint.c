/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Services that compare two results must know which findings are the same, though somebody has put a line
 * above them. Neither message nor ranks nor interleaving go into the fingerprint: they differ between numbers
 * of ranks and ways to explore.
 */
#include "sarif_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json.h"
#include "sites/names.h"
#include "source_file.h"

char *sched_sarif_line(const char *folder, const char *file, json_int_t line)
{
    char *path = *file == '/' || !folder ? sched_strdup(file) : sched_format("%s/%s", folder, file);
    char *text = sched_source_file_line(sched_source_file_open_named(path), line);
    free(path);
    return text;
}

/* FNV-1a, of what is not white space, and of where the text ends. */
static uint64_t mix(uint64_t hash, const char *text)
{
    for (const char *p = text ? text : "";; p++) {
        if (isspace((unsigned char)*p))
            continue;
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
        if (!*p)
            return hash;
    }
}

struct alike {
    uint64_t hash;
    const char *file;
    json_int_t line;
    size_t index;
};

static struct alike of(const json_t *result, size_t number)
{
    const json_t *finding = json_array_get(json_object_get(result, "findings"), number);
    const json_t *site = json_array_get(json_object_get(finding, "sites"), 0),
                 *shown = sched_json_headline(site);
    const char *function = json_string_value(json_object_get(shown, "function"));
    struct alike a = {UINT64_C(0xcbf29ce484222325), json_string_value(json_object_get(shown, "file")),
                      json_integer_value(json_object_get(shown, "line")), number};
    const char *base = a.file ? strrchr(a.file, '/') : NULL;
    const char *folder = json_string_value(json_object_get(json_object_get(result, "invocation"), "folder"));
    char *line = a.file ? sched_sarif_line(folder, a.file, a.line) : NULL;
    a.hash = mix(a.hash, json_string_value(json_object_get(finding, "rule")));
    a.hash = mix(a.hash, base ? base + 1 : a.file);
    a.hash = mix(a.hash, function ? sched_name_plain(function) : NULL); /* as before there were scopes */
    a.hash = mix(a.hash, json_string_value(json_object_get(site, "call")));
    a.hash = mix(a.hash, line);
    free(line);
    return a;
}

/* Those that are alike, by their places. */
static int in_order(const void *one, const void *other)
{
    const struct alike *a = one, *b = other;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    int files = strcmp(a->file ? a->file : "", b->file ? b->file : "");
    if (files || a->line != b->line)
        return files ? files : a->line < b->line ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

char **sched_sarif_fingerprints(const json_t *result)
{
    size_t n = json_array_size(json_object_get(result, "findings"));
    struct alike *all = sched_alloc(n, sizeof *all);
    char **prints = sched_alloc(n, sizeof *prints);
    for (size_t i = 0; i < n; i++)
        all[i] = of(result, i);
    qsort(all, n, sizeof *all, in_order);
    for (size_t i = 0, ordinal = 0; i < n; i++) {
        ordinal = i > 0 && all[i].hash == all[i - 1].hash ? ordinal + 1 : 1;
        prints[all[i].index] = sched_format("%016" PRIx64 ":%zu", all[i].hash, ordinal);
    }
    free(all);
    return prints;
}
