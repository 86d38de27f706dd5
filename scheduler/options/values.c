/* SPDX-License-Identifier: BSD-3-Clause */
#include "values.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool sched_read_whole(const char *text, long min, long max, long *value)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (errno || end == text || *end || v < min || v > max)
        return false;
    *value = v;
    return true;
}

static bool read_seconds(const char *text, double *value_s)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v) || v < 0)
        return false;
    *value_s = v;
    return true;
}

static bool read_word(const struct sched_setting *s, const char *text, long *value)
{
    for (int i = 0; i < SCHED_WORDS_MAX && s->words[i]; i++)
        if (strcmp(text, s->words[i]) == 0) {
            *value = i;
            return true;
        }
    return false;
}

/* A number, or that of a word. */
static bool read_number(const struct sched_setting *s, const char *text, long *value)
{
    long most = s->kind == SCHED_COUNT ? LONG_MAX : s->kind == SCHED_FLAG ? 1 : INT_MAX;
    return s->words[0] ? read_word(s, text, value)
                       : sched_read_whole(text, s->min, s->max ? s->max : most, value);
}

bool sched_setting_set(const struct sched_setting *s, struct sched_options *o, const char *text)
{
    void *field = (char *)o + s->field;
    long number = 0;
    if (s->set)
        return s->set(o, text);
    if (s->kind == SCHED_SECONDS)
        return read_seconds(text, field);
    if (s->kind == SCHED_TEXT) {
        *(const char **)field = text;
        return s->words[0] ? read_word(s, text, &number) : *text;
    }
    if (!read_number(s, text, &number))
        return false;
    switch (s->kind) {
    case SCHED_FLAG: *(bool *)field = number; break;
    case SCHED_COUNT: *(uint64_t *)field = (uint64_t)number; break;
    default: *(int *)field = (int)number;
    }
    return true;
}

static char *list_words(const char *const *words)
{
    char *list = sched_strdup(words[0]);
    for (int i = 1; i < SCHED_WORDS_MAX && words[i]; i++) {
        bool last = i + 1 == SCHED_WORDS_MAX || !words[i + 1];
        char *longer = sched_format("%s%s%s", list, last ? " or " : ", ", words[i]);
        free(list);
        list = longer;
    }
    return list;
}

char *sched_setting_wants(const struct sched_setting *s)
{
    if (s->wants)
        return sched_strdup(s->wants);
    if (s->words[0])
        return list_words(s->words);
    switch (s->kind) {
    case SCHED_FLAG: return sched_strdup("0 or 1");
    case SCHED_SECONDS: return sched_strdup("seconds, or 0 for none");
    case SCHED_TEXT: return sched_strdup("a file");
    default: break;
    }
    return s->max ? sched_format("a whole number, %ld to %ld", s->min, s->max)
                  : sched_format("a whole number from %ld", s->min);
}
