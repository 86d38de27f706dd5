/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PRAGMA quick_check reads the whole file, which takes longer than most reports of a long trace. So first
 * what its header says is compared with what is there: that finds files that were cut off, the commonest
 * damage. Then the tables must be tables, not views that somebody has put in their place; SQLite checks each
 * page as it is read.
 */
#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/alloc.h"
#include "findings/rule.h"
#include "run/options.h"
#include "base/escape.h"
#include "schema.h"

enum { HEADER = 100, RULE_MAX = 64, OTHERS_MAX = 64 };

static uint32_t number_at(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The header of a database file, as SQLite documents it. */
static char *refuse_header(const unsigned char *header, size_t n, int64_t size)
{
    if (n < HEADER || memcmp(header, "SQLite format 3", 16) != 0 ||
        number_at(header + 68) != SCHED_TRACE_APPLICATION)
        return sched_strdup("not a trace of isp");
    uint32_t version = number_at(header + 60), page = (uint32_t)header[16] << 8 | header[17];
    if (version < SCHED_TRACE_VERSION_LEAST || version > SCHED_TRACE_VERSION)
        return sched_format(
            "a trace of version %u; this isp reads versions %d to %d: use the isp that wrote it",
            (unsigned)version, SCHED_TRACE_VERSION_LEAST, SCHED_TRACE_VERSION);
    int64_t wanted = (int64_t)(page == 1 ? 65536 : page) * number_at(header + 28);
    return size < wanted ? sched_format("the trace is cut off: %lld of %lld bytes are there", (long long)size,
                                        (long long)wanted)
                         : NULL;
}

char *sched_trace_refuse(const char *file)
{
    unsigned char header[HEADER];
    struct stat st;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) != 0) {
        char *why = sched_strdup(strerror(errno));
        if (fd >= 0)
            close(fd);
        return why;
    }
    ssize_t n = S_ISREG(st.st_mode) ? read(fd, header, sizeof header) : 0;
    close(fd);
    return S_ISDIR(st.st_mode) ? sched_strdup(strerror(EISDIR))
                               : refuse_header(header, n < 0 ? 0 : (size_t)n, st.st_size);
}

static bool has_table(sqlite3 *trace, const char *schema, const char *name)
{
    sqlite3_stmt *query = NULL;
    char *sql = sched_format(
        "SELECT 1 FROM %s.sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%%VIRTUAL%%' AND name = ?",
        schema);
    sqlite3_prepare_v2(trace, sql, -1, &query, NULL);
    free(sql);
    sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC);
    bool there = sqlite3_step(query) == SQLITE_ROW;
    sqlite3_finalize(query);
    return there;
}

bool sched_trace_has_tables(sqlite3 *trace, const char *schema, int version)
{
    int i = 0, n = version < 2 ? SCHED_TABLE_JOINED : version < 3 ? SCHED_TABLE_SHOWN : SCHED_TABLES;
    while (i < n && has_table(trace, schema, sched_trace_tables[i]))
        i++;
    return i == n;
}

static int version_of(sqlite3 *trace)
{
    sqlite3_stmt *query = NULL;
    sqlite3_prepare_v2(trace, "PRAGMA user_version", -1, &query, NULL);
    int version = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int(query, 0) : SCHED_TRACE_VERSION;
    sqlite3_finalize(query);
    return version;
}

/* What a trace of an older version has not is empty: whatever it has by that name. */
static const char add_joined[] = "CREATE TEMP TABLE joined (interleaving INTEGER PRIMARY KEY, node INTEGER, "
                                 "name TEXT, stands_for INTEGER)";
static const char add_shown[] = "CREATE TEMP TABLE shown (interleaving INTEGER, key INTEGER);"
                                "CREATE TEMP TABLE shown_key (id INTEGER, key TEXT, finding INTEGER)";

struct sqlite3 *sched_trace_open(const char *file, char **why)
{
    sqlite3 *trace = NULL;
    if ((*why = sched_trace_refuse(file)))
        return NULL;
    if (sqlite3_open_v2(file, &trace, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
        sqlite3_db_config(trace, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        int version = version_of(trace);
        if (version < 2)
            sqlite3_exec(trace, add_joined, NULL, NULL, NULL);
        if (version < 3)
            sqlite3_exec(trace, add_shown, NULL, NULL, NULL);
        sqlite3_exec(trace, "PRAGMA cell_size_check = 1; PRAGMA query_only = 1; PRAGMA cache_size = -65536",
                     NULL, NULL, NULL);
        if (sched_trace_has_tables(trace, "main", version))
            return trace;
    }
    *why = sched_strdup("the trace is damaged");
    sqlite3_close(trace);
    return NULL;
}

char *sched_trace_meta(sqlite3 *trace, const char *key)
{
    sqlite3_stmt *query = NULL;
    char *value = NULL;
    if (sqlite3_prepare_v2(trace, "SELECT value FROM meta WHERE key = ?", -1, &query, NULL) == SQLITE_OK) {
        sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC);
        const char *text =
            sqlite3_step(query) == SQLITE_ROW ? (const char *)sqlite3_column_text(query, 0) : NULL;
        value = text ? sched_strdup(text) : NULL;
    }
    sqlite3_finalize(query);
    return value;
}

static bool has_texts(const json_t *object, const char *const *names)
{
    for (; *names; names++)
        if (!json_is_string(json_object_get(object, *names)))
            return false;
    return true;
}

/* What a rule is called: of this version, or of another one that has some more. Reports show it as it is. */
static bool is_rule(const char *name, json_t *others)
{
    if (sched_rule_find(name) != ISP_RULE_COUNT)
        return true;
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz-");
    json_object_set_new(others, name, json_null());
    return n > 0 && n < RULE_MAX && !name[n] && json_object_size(others) <= OTHERS_MAX;
}

static bool is_severity(const char *name)
{
    return strcmp(name, "error") == 0 || strcmp(name, "warning") == 0 || strcmp(name, "note") == 0;
}

static bool is_finding(const json_t *finding, json_t *others)
{
    static const char *const texts[] = {"rule", "severity", "message", "story", NULL};
    return has_texts(finding, texts) &&
           is_rule(json_string_value(json_object_get(finding, "rule")), others) &&
           is_severity(json_string_value(json_object_get(finding, "severity"))) &&
           json_is_array(json_object_get(finding, "ranks")) &&
           json_is_array(json_object_get(finding, "sites"));
}

static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text < 0x7f)
        text++;
    return !*text;
}

/* Whoever has made the trace: its texts are as isp's own are (json.c), without control characters but for the
 * ends of lines. */
static void make_safe(json_t *value)
{
    const char *key;
    json_t *each;
    size_t i;
    if (json_is_string(value) && !is_plain(json_string_value(value))) {
        char *safe = sched_escape(json_string_value(value), "\n\t");
        json_string_set(value, safe);
        free(safe);
    }
    json_array_foreach (value, i, each)
        make_safe(each);
    json_object_foreach (value, key, each)
        make_safe(each);
}

/* Reports count on these. */
static bool is_result(const json_t *result)
{
    static const char *const texts[] = {"isp", "verdict", "buffering", NULL};
    const json_t *command = json_object_get(result, "command"),
                 *findings = json_object_get(result, "findings"), *each;
    json_int_t ranks = json_integer_value(json_object_get(result, "ranks"));
    size_t i;
    json_array_foreach (command, i, each)
        if (!json_is_string(each))
            return false;
    json_array_foreach (json_object_get(result, "assumptions"), i, each) /* none in a trace of before */
        if (!json_is_string(each))
            return false;
    json_t *others = json_object();
    bool ok = true;
    json_array_foreach (findings, i, each)
        ok = ok && is_finding(each, others);
    json_decref(others);
    return ok && has_texts(result, texts) && json_array_size(command) > 0 && ranks > 0 &&
           ranks <= SCHED_RANKS_MAX && json_is_array(findings);
}

json_t *sched_trace_result(sqlite3 *trace)
{
    char *text = sched_trace_meta(trace, "result");
    json_t *result = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (result && is_result(result)) {
        make_safe(result);
        return result;
    }
    json_decref(result);
    return NULL;
}
