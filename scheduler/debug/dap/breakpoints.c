/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that set breakpoints: each replaces those of its kind, or file. */
#include "breakpoints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "debug/inferior.h"

enum { MOST = 1000, WATCHED_MOST = 8 };

static json_t *refused(const char *why) { return json_pack("{s:b,s:s}", "verified", 0, "message", why); }

static char *copy(const char *text) { return text && *text ? sched_strdup(text) : NULL; }

/* What all kinds have. False: the hit condition is none. */
static bool take_conditions(const json_t *wanted, struct sched_dap_breakpoint *b)
{
    const char *hits = sched_dap_string(wanted, "hitCondition");
    b->count = hits && *hits ? sched_dap_count(hits) : NULL;
    if (hits && *hits && !b->count)
        return false;
    b->when = copy(sched_dap_string(wanted, "condition"));
    return true;
}

static json_t *add(struct sched_dap *dap, const json_t *wanted, struct sched_dap_breakpoint b)
{
    if (take_conditions(wanted, &b))
        return sched_dap_breakpoint_add(dap, b);
    free(b.path);
    return refused("hitCondition: a number of hits, as 3, >= 3 or % 3");
}

/* A request for breakpoints of one kind: `add_one` answers for each. `path` is borrowed. */
struct request {
    struct sched_dap *dap;
    enum sched_dap_stop_kind kind;
    const char *path; /* those of this file only, or NULL */
    json_t *(*add_one)(const struct request *request, const json_t *wanted);
};

static bool replace(const struct request *r, const json_t *arguments, json_t *body)
{
    const json_t *list = json_object_get(arguments, "breakpoints");
    size_t i;
    json_t *answers, *wanted;
    if (list && (!json_is_array(list) || json_array_size(list) > MOST))
        return sched_dap_fail(r->dap, "breakpoints: a list of at most %d", MOST);
    sched_dap_breakpoints_forget(r->dap, r->kind, r->path);
    json_object_set_new(body, "breakpoints", answers = json_array());
    json_array_foreach (list, i, wanted)
        json_array_append_new(answers, r->add_one(r, wanted));
    return true;
}

static json_t *add_line(const struct request *r, const json_t *wanted)
{
    json_int_t line = json_integer_value(json_object_get(wanted, "line")) - r->dap->first_line + 1;
    if (line <= 0 || line >= INT32_MAX)
        return refused("line: a number of a line");
    return add(
        r->dap, wanted,
        (struct sched_dap_breakpoint){.kind = r->kind, .path = sched_strdup(r->path), .line = (int)line});
}

static json_t *add_function(const struct request *r, const json_t *wanted)
{
    const char *name = sched_dap_string(wanted, "name");
    if (!name || !*name)
        return refused("name: a function of the program, or of MPI");
    return add(r->dap, wanted, (struct sched_dap_breakpoint){.kind = r->kind, .path = sched_strdup(name)});
}

bool sched_dap_set_breakpoints(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const char *path = sched_dap_string(json_object_get(arguments, "source"), "path");
    struct request lines = {dap, SCHED_DAP_LINE, path, add_line};
    if (!path || !*path || strpbrk(path, "\"\n"))
        return sched_dap_fail(dap, "source.path: the path of a source file");
    return replace(&lines, arguments, body);
}

bool sched_dap_set_function_breakpoints(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    struct request functions = {dap, SCHED_DAP_FUNCTION, NULL, add_function};
    return replace(&functions, arguments, body);
}

bool sched_dap_set_exception_breakpoints(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const json_t *filters = json_object_get(arguments, "filters");
    size_t i;
    json_t *filter;
    if (!json_is_array(filters))
        return sched_dap_fail(dap, "filters: a list of finding, end");
    dap->stops_at_finding = dap->stops_at_end = false;
    json_array_foreach (filters, i, filter) {
        const char *name = json_string_value(filter);
        dap->stops_at_finding |= name && strcmp(name, "finding") == 0;
        dap->stops_at_end |= name && strcmp(name, "end") == 0;
    }
    return true;
}

/* ---- data ---- */

/* What a processor can watch: 1, 2, 4 or 8 bytes at a multiple of that. */
static uint64_t watched_size(const struct sched_bytes *b)
{
    uint64_t size = 1;
    while (2 * size <= b->size && 2 * size <= WATCHED_MOST && b->address % (2 * size) == 0)
        size *= 2;
    return size;
}

static bool find_bytes(struct sched_dap *dap, const json_t *arguments, const char *name,
                       struct sched_bytes *bytes)
{
    struct sched_session *s = dap->session;
    const json_t *reference = json_object_get(arguments, "variablesReference");
    int rank, index, focus = s->focus;
    char *expression = NULL;
    if (json_integer_value(reference)) {
        expression = sched_dap_expression(dap, json_integer_value(reference), name, &rank, &index);
        if (!expression)
            return false;
    } else if (!sched_dap_frame(dap, arguments, &rank, &index))
        return false;
    s->focus = rank;
    bool ok = sched_why_bytes(s, index, expression ? expression : name, bytes);
    s->focus = focus;
    free(expression);
    return ok || sched_dap_failed(dap);
}

/* A dataId is RANK:ADDRESS:SIZE:NAME. */
bool sched_dap_data_breakpoint_info(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const char *name = sched_dap_string(arguments, "name");
    struct sched_bytes bytes;
    if (!name || !*name)
        return sched_dap_fail(dap, "name: a variable");
    if (!find_bytes(dap, arguments, name, &bytes)) {
        json_object_set_new(body, "dataId", json_null());
        json_object_set_new(body, "description", sched_dap_text(dap->problem));
        return true;
    }
    uint64_t size = watched_size(&bytes);
    char *id = sched_format("%d:%#" PRIx64 ":%" PRIu64 ":%s", bytes.rank, bytes.address, size, name),
         *words =
             sched_format("%s of rank %d%s", name, bytes.rank, size < bytes.size ? " (its first bytes)" : "");
    json_object_set_new(body, "dataId", json_string(id));
    json_object_set_new(body, "description", sched_dap_text(words));
    json_object_set_new(body, "accessTypes", json_pack("[s,s]", "write", "readWrite"));
    json_object_set_new(body, "canPersist", json_false());
    free(id);
    free(words);
    return true;
}

static json_t *add_data(const struct request *r, const json_t *wanted)
{
    const char *id = sched_dap_string(wanted, "dataId"), *access = sched_dap_string(wanted, "accessType");
    struct sched_bytes b = {0};
    int used = 0;
    bool ok = id && sscanf(id, "%d:%" SCNx64 ":%" SCNu64 ":%n", &b.rank, &b.address, &b.size, &used) == 3 &&
              used > 0 && b.rank >= 0 && b.rank < r->dap->session->n &&
              (b.size == 1 || b.size == 2 || b.size == 4 || b.size == 8);
    if (!ok)
        return refused("dataId: as dataBreakpointInfo has given it");
    bool touched = access && strcmp(access, "readWrite") == 0;
    return add(
        r->dap, wanted,
        (struct sched_dap_breakpoint){
            .kind = r->kind, .path = sched_strdup(id + used), .bytes = b, .read = touched, .written = true});
}

bool sched_dap_set_data_breakpoints(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    struct request data = {dap, SCHED_DAP_DATA, NULL, add_data};
    return replace(&data, arguments, body);
}
