/* SPDX-License-Identifier: BSD-3-Clause */
/* Where something is, in the words of SARIF. */
#include "sarif_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"

char *sched_sarif_uri(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    fputs(*path == '/' ? "file://" : "", out);
    for (const unsigned char *p = (const unsigned char *)path; *p; p++)
        fprintf(out, strchr(plain, *p) ? "%c" : "%%%02X", *p);
    fclose(out);
    return sched_must(text);
}

/* Braces enclose placeholders, and `](` is in the middle of a link: none of both is meant. */
static char *without_markup(const char *text)
{
    char *copy = sched_alloc(2 * strlen(text) + 1, 1), *to = copy;
    for (; *text; text++) {
        if (*text == '{' || *text == '}')
            *to++ = *text;
        else if (text[0] == ']' && text[1] == '(')
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '\0';
    return copy;
}

json_t *sched_sarif_message(const char *text)
{
    char *safe = sched_escape(text, "\n\t"), *literal = without_markup(safe);
    json_t *message = json_pack("{s:s}", "text", literal);
    free(literal);
    free(safe);
    return message;
}

static json_t *artifact(const char *file)
{
    char *uri = sched_sarif_uri(file);
    json_t *place = json_pack("{s:s}", "uri", uri);
    if (*file != '/')
        json_object_set_new(place, "uriBaseId", json_string(SCHED_SARIF_BASE));
    free(uri);
    return place;
}

json_t *sched_sarif_location(const char *file, json_int_t line, const char *function, const char *message)
{
    json_t *location = json_object();
    if (file) {
        json_t *physical = json_pack("{s:o}", "artifactLocation", artifact(file));
        if (line > 0)
            json_object_set_new(physical, "region", json_pack("{s:I}", "startLine", line));
        json_object_set_new(location, "physicalLocation", physical);
    }
    if (function) {
        char *safe = sched_escape(function, "");
        json_object_set_new(location, "logicalLocations",
                            json_pack("[{s:s, s:s}]", "name", safe, "kind", "function"));
        free(safe);
    }
    if (message)
        json_object_set_new(location, "message", sched_sarif_message(message));
    return location;
}
