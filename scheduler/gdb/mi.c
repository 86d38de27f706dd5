/* SPDX-License-Identifier: BSD-3-Clause */
/* See mi.h. A parser by recursive descent; `at` stays where the syntax ends. */
#include "mi.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"

struct input {
    const char *at, *end;
    unsigned depth, values;
};

static bool is_next(const struct input *in, char c) { return in->at < in->end && *in->at == c; }

static bool take(struct input *in, char c)
{
    bool found = is_next(in, c);
    in->at += found;
    return found;
}

/* ---- strings ---- */

static int octal(struct input *in)
{
    int value = 0;
    for (int i = 0; i < 3 && in->at < in->end && *in->at >= '0' && *in->at <= '7'; i++)
        value = 8 * value + (*in->at++ - '0');
    return value & 0xff;
}

/* Behind a backslash. */
static char escaped(struct input *in)
{
    static const char names[] = "abfnrtve", values[] = "\a\b\f\n\r\t\v\033";
    if (*in->at >= '0' && *in->at <= '7') {
        int value = octal(in);
        return (char)(value ? value : ' '); /* texts here end with a NUL */
    }
    char c = (char)*in->at++;
    const char *known = c ? strchr(names, c) : NULL;
    return (char)(known ? values[known - names] : c);
}

/* A copy without quotes, or NULL. */
static char *c_string(struct input *in)
{
    if (!take(in, '"'))
        return NULL;
    char *text = sched_alloc((size_t)(in->end - in->at) + 1, 1), *to = text;
    while (in->at < in->end && *in->at != '"') {
        char c = (char)*in->at++;
        if (c == '\\' && in->at < in->end)
            c = escaped(in);
        *to++ = (char)(c ? c : ' ');
    }
    if (take(in, '"'))
        return text;
    free(text);
    return NULL;
}

/* Takes the text. */
static json_t *make_string(char *text)
{
    json_t *string = json_string(text);
    if (!string) {
        char *clean = sched_escape(text, "\t\n\r");
        string = json_string(clean);
        free(clean);
    }
    free(text);
    return sched_must(string);
}

/* ---- values ---- */

static json_t *value(struct input *in);
static bool results(struct input *in, json_t *tuple, char end);

static void add(json_t *tuple, const char *name, json_t *new)
{
    json_t *before = json_object_get(tuple, name), *list;
    if (!before && *name) {
        json_object_set_new(tuple, name, new);
        return;
    }
    /* A list that gdb has sent under this name gets one more: it has sent no such. */
    if (json_is_array(before)) {
        json_array_append_new(before, new);
        return;
    }
    list = sched_must(json_array());
    if (before)
        json_array_append(list, before);
    json_array_append_new(list, new);
    json_object_set_new(tuple, name, list);
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.'; }

/* NAME= into `name`; none: "". */
static bool take_name(struct input *in, char *name, size_t room)
{
    size_t n = 0;
    *name = '\0';
    if (in->at == in->end || !is_of_name(*in->at))
        return true;
    while (in->at < in->end && is_of_name(*in->at)) {
        if (n + 1 == room)
            return false;
        name[n++] = *in->at++;
    }
    name[n] = '\0';
    return take(in, '=');
}

/* Of a tuple, until its end: NAME=VALUE,... */
static bool results(struct input *in, json_t *tuple, char end)
{
    char name[64];
    do {
        json_t *new = take_name(in, name, sizeof name) ? value(in) : NULL;
        if (!new)
            return false;
        add(tuple, name, new);
    } while (take(in, ','));
    return end ? take(in, end) : in->at == in->end;
}

static bool elements(struct input *in, json_t *list)
{
    char name[64];
    do {
        json_t *new = take_name(in, name, sizeof name) ? value(in) : NULL;
        if (!new)
            return false;
        json_array_append_new(list, new);
    } while (take(in, ','));
    return take(in, ']');
}

/* Of a tuple or list, behind its bracket. */
static json_t *several(struct input *in, bool is_tuple)
{
    json_t *all = sched_must(is_tuple ? json_object() : json_array());
    if (take(in, is_tuple ? '}' : ']'))
        return all;
    if (is_tuple ? results(in, all, '}') : elements(in, all))
        return all;
    json_decref(all);
    return NULL;
}

static json_t *value(struct input *in)
{
    if (++in->values > SCHED_MI_VALUES_MOST || in->depth >= SCHED_MI_DEPTH)
        return NULL;
    if (is_next(in, '"')) {
        char *text = c_string(in);
        return text ? make_string(text) : NULL;
    }
    bool is_tuple = take(in, '{');
    if (!is_tuple && !take(in, '['))
        return NULL;
    in->depth++;
    json_t *all = several(in, is_tuple);
    in->depth--;
    return all;
}

/* ---- lines ---- */

static long take_token(struct input *in)
{
    long token = -1;
    while (in->at < in->end && isdigit((unsigned char)*in->at) && token < LONG_MAX / 16)
        token = 10 * (token < 0 ? 0 : token) + (*in->at++ - '0');
    return token;
}

static bool take_word(struct input *in, char *word, size_t room)
{
    size_t n = 0;
    while (in->at < in->end && is_of_name(*in->at) && n + 1 < room)
        word[n++] = *in->at++;
    word[n] = '\0';
    return n > 0 && (in->at == in->end || is_next(in, ','));
}

static bool take_rest(struct input *in, struct sched_mi_record *r)
{
    switch (r->kind) {
    case SCHED_MI_RESULT:
    case SCHED_MI_EXEC:
    case SCHED_MI_STATUS:
    case SCHED_MI_NOTIFY:
        r->values = sched_must(json_object());
        return take_word(in, r->word, sizeof r->word) && (!take(in, ',') || results(in, r->values, '\0'));
    case SCHED_MI_CONSOLE:
    case SCHED_MI_TARGET:
    case SCHED_MI_LOG: r->text = c_string(in); return r->text && in->at == in->end;
    case SCHED_MI_PROMPT: return in->end - in->at >= 4 && memcmp(in->at, "gdb)", 4) == 0;
    default: return false;
    }
}

void sched_mi_parse(const char *line, size_t size, struct sched_mi_record *r)
{
    if (size && line[size - 1] == '\r')
        size--;
    struct input in = {.at = line, .end = line + (size < SCHED_MI_LINE_MOST ? size : SCHED_MI_LINE_MOST)};
    *r = (struct sched_mi_record){.token = take_token(&in)};
    r->kind = in.at < in.end && *in.at && strchr("^*+=~@&(", *in.at) ? (enum sched_mi_kind) * in.at++
                                                                     : SCHED_MI_OTHER;
    if (take_rest(&in, r))
        return;
    sched_mi_finish(r);
    *r = (struct sched_mi_record){.token = -1, .text = sched_must(strndup(line, size))};
}

void sched_mi_finish(struct sched_mi_record *r)
{
    json_decref(r->values);
    free(r->text);
    *r = (struct sched_mi_record){.token = -1};
}

/* ---- what is in a value ---- */

const char *sched_mi_text(const json_t *values, const char *name)
{
    return json_string_value(json_object_get(values, name));
}

bool sched_mi_number(const json_t *values, const char *name, unsigned long long *number)
{
    const char *text = sched_mi_text(values, name);
    char *end;
    if (!text || !isdigit((unsigned char)*text))
        return false;
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    unsigned long long n = strtoull(text, &end, is_hex ? 16 : 10);
    if (errno || *end)
        return false;
    *number = n;
    return true;
}

int sched_mi_int(const json_t *values, const char *name, int otherwise)
{
    unsigned long long n;
    return sched_mi_number(values, name, &n) && n <= INT_MAX ? (int)n : otherwise;
}

char *sched_mi_copy(const json_t *values, const char *name)
{
    const char *text = sched_mi_text(values, name);
    return text ? sched_strdup(text) : NULL;
}

char *sched_mi_quote(const char *text)
{
    char *quoted = sched_alloc(2 * strlen(text) + 3, 1), *to = quoted;
    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = iscntrl((unsigned char)*text) ? ' ' : *text;
    }
    *to = '"';
    return quoted;
}
