/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests about values: scopes, variables, evaluate, setVariable. What a variablesReference is of is known
 * until ranks move.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dap.h"
#include "debug/inferior.h"

enum { PARTS_MOST = 1000 };

/* A frame (no handle), or a value with parts. */
struct parts {
    int rank, index;
    char *handle, *expression, *type;
};

struct sched_dap_values {
    struct parts *all; /* a reference is its number + 1 */
    size_t n;
};

static json_int_t add_parts(struct sched_dap *dap, int rank, int index, const struct sched_gdb_value *value,
                            const char *expression)
{
    if (!dap->values)
        dap->values = sched_alloc(1, sizeof *dap->values);
    struct sched_dap_values *v = dap->values;
    SCHED_GROW(v->all, v->n);
    v->all[v->n++] = (struct parts){.rank = rank,
                                    .index = index,
                                    .handle = value ? sched_strdup(value->handle) : NULL,
                                    .expression = expression ? sched_strdup(expression) : NULL,
                                    .type = value ? sched_strdup(value->type) : NULL};
    return (json_int_t)v->n;
}

void sched_dap_forget_values(struct sched_dap *dap)
{
    for (size_t i = 0; dap->values && i < dap->values->n; i++) {
        free(dap->values->all[i].handle);
        free(dap->values->all[i].expression);
        free(dap->values->all[i].type);
    }
    if (dap->values)
        free(dap->values->all);
    free(dap->values);
    dap->values = NULL;
}

static const struct parts *find_parts(struct sched_dap *dap, json_int_t reference)
{
    if (dap->values && reference >= 1 && reference <= (json_int_t)dap->values->n)
        return &dap->values->all[reference - 1];
    sched_dap_fail(dap, "variablesReference: it is not known, or ranks have moved since");
    return NULL;
}

/* The expression of a part as the program's language has it: x, x[3], (p)->x, *(p). Caller frees. */
static char *expression_of(const struct parts *of, const char *name)
{
    size_t n = of->type ? strlen(of->type) : 0;
    if (!of->expression)
        return sched_strdup(name);
    if (*name == '[')
        return sched_format("(%s)%s", of->expression, name);
    if (*name == '*')
        return sched_format("*(%s)", of->expression);
    return sched_format("(%s)%s%s", of->expression, n && of->type[n - 1] == '*' ? "->" : ".", name);
}

char *sched_dap_expression(struct sched_dap *dap, json_int_t reference, const char *name, int *rank,
                           int *index)
{
    const struct parts *of = find_parts(dap, reference);
    if (!of)
        return NULL;
    *rank = of->rank;
    *index = of->index;
    return expression_of(of, name);
}

bool sched_dap_scopes(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    int rank, index;
    if (!sched_dap_frame(dap, arguments, &rank, &index))
        return false;
    json_int_t reference = add_parts(dap, rank, index, NULL, NULL);
    json_object_set_new(body, "scopes",
                        json_pack("[{s:s,s:s,s:I,s:b}]", "name", "Locals", "presentationHint", "locals",
                                  "variablesReference", reference, "expensive", 0));
    return true;
}

/* `expression` may be NULL: it has none. */
static json_t *value_of(struct sched_dap *dap, int rank, int index, const struct sched_gdb_value *v,
                        const char *expression, const char *key)
{
    json_int_t parts = v->handle ? add_parts(dap, rank, index, v, expression) : 0;
    return json_pack("{s:o,s:o,s:I}", key, sched_dap_text(v->value), "type", sched_dap_text(v->type),
                     "variablesReference", parts);
}

static json_t *list_of(struct sched_dap *dap, json_int_t reference, const struct sched_gdb_value *values,
                       size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        struct parts of = dap->values->all[reference - 1]; /* the array may move */
        char *expression = expression_of(&of, values[i].name);
        json_t *value = value_of(dap, of.rank, of.index, &values[i], expression, "value");
        json_object_set_new(value, "name", sched_dap_text(values[i].name));
        json_object_set_new(value, "evaluateName", sched_dap_text(expression));
        json_array_append_new(list, value);
        free(expression);
    }
    return list;
}

bool sched_dap_variables(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    json_int_t reference = json_integer_value(json_object_get(arguments, "variablesReference"));
    json_int_t from = json_integer_value(json_object_get(arguments, "start"));
    json_int_t most = json_integer_value(json_object_get(arguments, "count"));
    const struct parts *of = find_parts(dap, reference);
    int level;
    size_t n = 0;
    if (!of)
        return false;
    struct sched_gdb *g = sched_inferior_look_at(dap->session, of->rank, of->index, &level);
    if (!g)
        return sched_dap_failed(dap);
    most = most <= 0 || most > PARTS_MOST ? PARTS_MOST : most;
    struct sched_gdb_value *values =
        of->handle ? sched_gdb_parts(g, of->handle, from < 0 ? 0 : (size_t)from, (size_t)most, &n)
                   : sched_gdb_variables(g, level, &n);
    if (!values)
        return sched_dap_fail(dap, "%s", sched_gdb_error(g));
    json_object_set_new(body, "variables", list_of(dap, reference, values, n));
    sched_gdb_values_destroy(values, n);
    return true;
}

/* What gdb can say, but not take apart; or why it cannot. */
static bool print(struct sched_dap *dap, struct sched_gdb *g, int level, const char *expression,
                  const char *key, json_t *body)
{
    char *value = sched_gdb_evaluate(g, level, expression);
    if (!value)
        return sched_dap_fail(dap, "%s", sched_gdb_error(g));
    json_object_set_new(body, key, sched_dap_text(value));
    json_object_set_new(body, "variablesReference", json_integer(0));
    free(value);
    return true;
}

static bool evaluate(struct sched_dap *dap, int rank, int index, const char *expression, const char *key,
                     json_t *body)
{
    int level;
    struct sched_gdb_value value;
    struct sched_gdb *g = sched_inferior_look_at(dap->session, rank, index, &level);
    if (!g)
        return sched_dap_failed(dap);
    if (!sched_gdb_value(g, level, expression, &value))
        return print(dap, g, level, expression, key, body);
    json_t *result = value_of(dap, rank, index, &value, expression, key);
    json_object_update(body, result);
    json_decref(result);
    sched_gdb_value_finish(&value);
    return true;
}

/* What isp does not hinder: a value that is not the recorded one may make the rank do something else. */
bool sched_dap_set_variable(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const char *name = sched_dap_string(arguments, "name"), *value = sched_dap_string(arguments, "value");
    int rank, index, level;
    if (!name || !value)
        return sched_dap_fail(dap, "name and value: texts");
    char *expression = sched_dap_expression(
        dap, json_integer_value(json_object_get(arguments, "variablesReference")), name, &rank, &index);
    if (!expression)
        return false;
    char *change = sched_format("%s = %s", expression, value), *now = NULL;
    struct sched_gdb *g = sched_inferior_look_at(dap->session, rank, index, &level);
    bool ok =
        g ? (now = sched_gdb_evaluate(g, level, change)) || sched_dap_fail(dap, "%s", sched_gdb_error(g))
          : sched_dap_failed(dap);
    ok = ok && evaluate(dap, rank, index, expression, "value", body);
    free(now);
    free(change);
    free(expression);
    return ok;
}

/* ---- evaluate ---- */

/* What is typed as "[0] step" or ":step", or as "step" where no variable has that name. */
static const char *command_in(struct sched_dap *dap, const char *text)
{
    text += strspn(text, " \t");
    const char *at = *text == ':' ? ++text : text;
    if (*at == '[') {
        at = strchr(at, ']');
        at = at ? at + 1 : "";
    }
    at += strspn(at, " \t");
    char *word = sched_must(strndup(at, strcspn(at, " \t\n")));
    const struct sched_console_command *command = *word ? sched_console_find(&dap->console, word) : NULL;
    bool whole = command && strcmp(command->name, word) == 0;
    free(word);
    return whole ? text : NULL;
}

/* What it prints goes to a file that standard output is (command.c). */
static char *take_shown(struct sched_dap *dap)
{
    fflush(stdout);
    off_t size = lseek(dap->shown, 0, SEEK_CUR);
    char *text = sched_alloc(size > 0 ? (size_t)size + 1 : 1, 1);
    ssize_t n = size > 0 ? pread(dap->shown, text, (size_t)size, 0) : 0;
    text[n > 0 ? n : 0] = '\0';
    if (ftruncate(dap->shown, 0) == 0)
        lseek(dap->shown, 0, SEEK_SET);
    return text;
}

static bool only_looks(const char *line)
{
    static const char *const names[] = {"ranks", "where", "bt",      "backtrace", "list", "print",
                                        "queue", "calls", "finding", "choices",   "info", "help"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool stay(struct sched_dap *dap, const struct sched_dap_move *move) { return true; }

static bool run_command(struct sched_dap *dap, const char *line, json_t *body)
{
    unsigned failed = dap->console.failed;
    free(take_shown(dap));
    dap->talk.moving = true;
    sched_console_line(&dap->console, line);
    dap->talk.moving = false;
    char *text = take_shown(dap);
    json_object_set_new(body, "result", sched_dap_text(text));
    json_object_set_new(body, "variablesReference", json_integer(0));
    free(text);
    if (!only_looks(line)) /* the client is to look again */
        sched_dap_then(dap, &(struct sched_dap_move){.make = stay, .reason = "step"});
    return dap->console.failed == failed || sched_dap_failed(dap);
}

bool sched_dap_evaluate(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const char *expression = sched_dap_string(arguments, "expression"),
               *context = sched_dap_string(arguments, "context");
    int rank, index;
    if (!expression || !*expression)
        return sched_dap_fail(dap, "expression: a text");
    if (!sched_dap_frame(dap, arguments, &rank, &index))
        return false;
    const char *command = context && strcmp(context, "repl") == 0 ? command_in(dap, expression) : NULL;
    bool meant = command && strchr(":[", expression[strspn(expression, " \t")]);
    if (!meant && evaluate(dap, rank, index, expression, "result", body))
        return true;
    if (!command)
        return false;
    dap->session->focus = rank;
    return run_command(dap, command, body);
}
