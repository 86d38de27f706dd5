/* SPDX-License-Identifier: BSD-3-Clause */
/* See values.h. What has parts is a variable object of gdb's, until the rank moves. */
#include "values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "session.h"

enum { READ_AT_ONCE = 64 << 10 };

/* ---- expressions ---- */

char *sched_gdb_evaluate(struct sched_gdb *g, int level, const char *expression)
{
    if (!sched_gdb_needs_stopped(g))
        return NULL;
    char *quoted = sched_mi_quote(expression);
    json_t *values =
        sched_gdb_call(g, "-data-evaluate-expression --thread %d --frame %d %s", g->thread, level, quoted);
    char *value = values ? sched_mi_copy(values, "value") : NULL;
    json_decref(values);
    free(quoted);
    return values && !value ? sched_strdup("") : value;
}

/* ---- with parts ---- */

static char *or_empty(const json_t *values, const char *name)
{
    char *text = sched_mi_copy(values, name);
    return text ? text : sched_strdup("");
}

static bool has_parts(const json_t *object)
{
    return sched_mi_int(object, "numchild", 0) > 0 || sched_mi_int(object, "has_more", 0) > 0 ||
           sched_mi_int(object, "dynamic", 0) > 0;
}

/* Takes the name. */
static struct sched_gdb_value make_value(const json_t *object, char *name)
{
    return (struct sched_gdb_value){
        .name = name,
        .value = or_empty(object, "value"),
        .type = or_empty(object, "type"),
        .handle = has_parts(object) ? sched_mi_copy(object, "name") : NULL,
    };
}

static void keep_handle(struct sched_gdb *g, const char *handle)
{
    SCHED_GROW(g->handles, g->n_handles);
    g->handles[g->n_handles++] = sched_strdup(handle);
}

bool sched_gdb_number(struct sched_gdb *g, int level, const char *format, const char *expression,
                      uint64_t *number)
{
    char *whole = sched_format(format, expression), *value = sched_gdb_evaluate(g, level, whole);
    bool ok = value;
    if (ok)
        *number = strtoull(value, NULL, 0);
    free(whole);
    free(value);
    return ok;
}

/* In Fortran the address of X is LOC(X), which gdb has as an operator in C only: its casts are tried
 * first. */
bool sched_gdb_place(struct sched_gdb *g, int level, const char *expression, uint64_t *address,
                     uint64_t *size)
{
    return (sched_gdb_number(g, level, "(unsigned long) &(%s)", expression, address) ||
            sched_gdb_number(g, level, "&(%s)", expression, address)) &&
           sched_gdb_number(g, level, "sizeof (%s)", expression, size);
}

bool sched_gdb_value(struct sched_gdb *g, int level, const char *expression, struct sched_gdb_value *value)
{
    if (!sched_gdb_needs_stopped(g))
        return false;
    char *quoted = sched_mi_quote(expression);
    json_t *object = sched_gdb_call(g, "-var-create --thread %d --frame %d - * %s", g->thread, level, quoted);
    free(quoted);
    const char *name = sched_mi_text(object, "name");
    if (name) {
        keep_handle(g, name);
        *value = make_value(object, sched_strdup(expression));
    }
    json_decref(object);
    return name != NULL;
}

/* C++: gdb's own level between a class and its members. */
static bool is_access(const json_t *part)
{
    const char *name = sched_mi_text(part, "exp");
    return name && !sched_mi_text(part, "type") &&
           (strcmp(name, "public") == 0 || strcmp(name, "private") == 0 || strcmp(name, "protected") == 0);
}

static json_t *ask_parts(struct sched_gdb *g, const char *handle, size_t from, size_t to)
{
    return sched_gdb_call(g, "-var-list-children --all-values \"%s\" %zu %zu", handle, from, to);
}

static void add_part(struct sched_gdb_value **parts, size_t *n, const json_t *part)
{
    const char *name = sched_mi_text(part, "exp");
    const char *number = name && *name >= '0' && *name <= '9' ? name : NULL;
    SCHED_GROW(*parts, *n);
    (*parts)[(*n)++] =
        make_value(part, number ? sched_format("[%s]", number) : sched_strdup(name ? name : "?"));
}

/* Those of "public" and so on stand in its place. */
static void add_parts(struct sched_gdb *g, struct sched_gdb_value **parts, size_t *n, const json_t *values,
                      size_t most)
{
    size_t i;
    json_t *part;
    json_array_foreach (json_object_get(values, "children"), i, part) {
        const char *handle = sched_mi_text(part, "name");
        if (is_access(part) && handle) {
            json_t *inner = ask_parts(g, handle, 0, most);
            add_parts(g, parts, n, inner, most);
            json_decref(inner);
        } else {
            add_part(parts, n, part);
        }
    }
}

struct sched_gdb_value *sched_gdb_parts(struct sched_gdb *g, const char *handle, size_t from, size_t most,
                                        size_t *n)
{
    json_t *values = sched_gdb_needs_stopped(g) ? ask_parts(g, handle, from, from + most) : NULL;
    if (!values)
        return NULL;
    struct sched_gdb_value *parts = sched_alloc(1, sizeof *parts);
    *n = 0;
    add_parts(g, &parts, n, values, most);
    json_decref(values);
    return parts;
}

/* ---- variables ---- */

/* Structures and arrays have no value in gdb's list: they get one, with a handle. */
static struct sched_gdb_value make_variable(struct sched_gdb *g, int level, const json_t *variable)
{
    struct sched_gdb_value value = {0};
    const char *name = sched_mi_text(variable, "name"), *type = sched_mi_text(variable, "type");
    bool is_simple = sched_mi_text(variable, "value") && !(type && strchr(type, '*'));
    name = name ? name : "?";
    if (is_simple || strchr(name, '@') || !sched_gdb_value(g, level, name, &value))
        value = make_value(variable, sched_strdup(name));
    if (!*value.value && sched_mi_text(variable, "value")) {
        free(value.value);
        value.value = sched_mi_copy(variable, "value");
    }
    value.is_argument = sched_mi_int(variable, "arg", 0) > 0;
    return value;
}

static bool is_named(const struct sched_gdb_value *values, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(values[i].name, name) == 0)
            return true;
    return false;
}

struct sched_gdb_value *sched_gdb_variables(struct sched_gdb *g, int level, size_t *n)
{
    json_t *values = sched_gdb_needs_stopped(g)
                         ? sched_gdb_call(g, "-stack-list-variables --thread %d --frame %d --simple-values",
                                          g->thread, level)
                         : NULL;
    if (!values)
        return NULL;
    const json_t *list = json_object_get(values, "variables");
    struct sched_gdb_value *all = sched_alloc(json_array_size(list), sizeof *all);
    size_t i;
    json_t *variable;
    *n = 0;
    json_array_foreach (list, i, variable) {
        const char *name = sched_mi_text(variable, "name");
        bool is_entry = name && strstr(name, "@entry"); /* what an argument was at first */
        if (!is_entry && !is_named(all, *n, name ? name : "?"))
            all[(*n)++] = make_variable(g, level, variable);
    }
    json_decref(values);
    return all;
}

void sched_gdb_value_finish(struct sched_gdb_value *value)
{
    free(value->name);
    free(value->value);
    free(value->type);
    free(value->handle);
    *value = (struct sched_gdb_value){0};
}

void sched_gdb_values_destroy(struct sched_gdb_value *values, size_t n)
{
    for (size_t i = 0; values && i < n; i++)
        sched_gdb_value_finish(&values[i]);
    free(values);
}

/* ---- memory and registers ---- */

static bool read_hex(const char *text, unsigned char *to, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        if (!text[2 * i] || !text[2 * i + 1] || sscanf(text + 2 * i, "%2x", &byte) != 1)
            return false;
        to[i] = (unsigned char)byte;
    }
    return true;
}

static bool read_part(struct sched_gdb *g, uint64_t address, unsigned char *data, size_t size)
{
    json_t *values = sched_gdb_call(g, "-data-read-memory-bytes 0x%" PRIx64 " %zu", address, size);
    const char *text = sched_mi_text(json_array_get(json_object_get(values, "memory"), 0), "contents");
    bool whole = text && strlen(text) >= 2 * size && read_hex(text, data, size);
    if (values && !whole)
        sched_gdb_fail(g, "no %zu bytes of memory at 0x%" PRIx64, size, address);
    json_decref(values);
    return whole;
}

bool sched_gdb_read(struct sched_gdb *g, uint64_t address, void *data, size_t size)
{
    if (!sched_gdb_needs_stopped(g))
        return false;
    for (size_t at = 0; at < size; at += READ_AT_ONCE) {
        size_t n = size - at < READ_AT_ONCE ? size - at : READ_AT_ONCE;
        if (!read_part(g, address + at, (unsigned char *)data + at, n))
            return false;
    }
    return true;
}

bool sched_gdb_write(struct sched_gdb *g, uint64_t address, const void *data, size_t size)
{
    if (!sched_gdb_needs_stopped(g))
        return false;
    char *text = sched_alloc(2 * size + 1, 1);
    for (size_t i = 0; i < size; i++)
        sprintf(text + 2 * i, "%02x", ((const unsigned char *)data)[i]);
    bool done = sched_gdb_do(g, "-data-write-memory-bytes %#" PRIx64 " %s", address, text);
    free(text);
    return done;
}

bool sched_gdb_register(struct sched_gdb *g, int level, const char *name, uint64_t *value)
{
    if (!sched_gdb_needs_stopped(g))
        return false;
    json_t *values = sched_gdb_call(g,
                                    "-data-evaluate-expression --thread %d --frame %d --language c "
                                    "\"(unsigned long long)$%s\"",
                                    g->thread, level, name);
    unsigned long long n;
    bool found = sched_mi_number(values, "value", &n);
    if (values && !found)
        sched_gdb_fail(g, "no register %s", name);
    if (found)
        *value = n;
    json_decref(values);
    return found;
}
