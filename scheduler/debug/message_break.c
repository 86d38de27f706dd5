/* SPDX-License-Identifier: BSD-3-Clause */
/* See message_break.h. */
#include "message_break.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "isp/functions.h"

static const struct {
    const char *name, *usage;
} kinds[] = {
    [SCHED_MESSAGE_SEND] = {"send", "break send to=1 tag=0 comm=world, each of which may be left out"},
    [SCHED_MESSAGE_RECV] = {"recv", "break recv from=1 tag=any comm=0,2-3, each of which may be left out"},
    [SCHED_MESSAGE_COLLECTIVE] = {"collective",
                                  "break collective MPI_Bcast comm=world, each of which may be left out"},
    [SCHED_MESSAGE_CHOICE] = {"choice", "break choice, alone"},
};

/* The length of the first word if it is one of them; 0. */
static size_t kind_of(const char *text, enum sched_message_kind *kind)
{
    size_t n = strcspn(text, " \t");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strlen(kinds[k].name) == n && strncmp(text, kinds[k].name, n) == 0) {
            *kind = (enum sched_message_kind)k;
            return n;
        }
    return 0;
}

bool sched_message_break_is(const char *text)
{
    enum sched_message_kind kind;
    return kind_of(text, &kind);
}

/* ---- values ---- */

/* A number from 0 to `most`, or "any" if that is allowed. */
static bool read_number(const char *text, int most, int any, int *value)
{
    char *end;
    if (any != SCHED_MESSAGE_WHATEVER && strcmp(text, "any") == 0) {
        *value = any;
        return true;
    }
    long number = strtol(text, &end, 10);
    *value = (int)number;
    return *text >= '0' && *text <= '9' && !*end && number >= 0 && number <= most;
}

/* "0,2-3" */
static bool read_members(struct sched_message_break *b, const char *text)
{
    b->comm = SCHED_COMM_OF;
    b->members = b->members ? b->members : sched_alloc((size_t)b->ranks, sizeof *b->members);
    for (;;) {
        char *end;
        long from = strtol(text, &end, 10), to = from;
        if (*text < '0' || *text > '9')
            return false;
        if (*end == '-') {
            text = end + 1;
            to = strtol(text, &end, 10);
            if (*text < '0' || *text > '9')
                return false;
        }
        if (from > to || to >= b->ranks)
            return false;
        for (long r = from; r <= to; r++)
            b->members[r] = true;
        if (!*end)
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
}

static bool read_comm(struct sched_message_break *b, const char *text)
{
    if (strcmp(text, "world") == 0 || strcmp(text, "MPI_COMM_WORLD") == 0)
        b->comm = SCHED_COMM_WORLD;
    else if (strcmp(text, "self") == 0 || strcmp(text, "MPI_COMM_SELF") == 0)
        b->comm = SCHED_COMM_SELF;
    else
        return read_members(b, text);
    return true;
}

/* MPI_Allreduce, allreduce */
static bool read_function(struct sched_message_break *b, const char *text)
{
    for (int fn = 1; fn < ISP_FN_COUNT; fn++) {
        const char *name = isp_fn_name((enum isp_fn)fn);
        if (strcasecmp(name, text) == 0 ||
            (strncmp(name, "MPI_", 4) == 0 && strcasecmp(name + 4, text) == 0)) {
            b->fn = (uint16_t)fn;
            return true;
        }
    }
    return false;
}

/* ---- words ---- */

static const char *value_of(const char *word, const char *name)
{
    size_t n = strlen(name);
    return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static bool read_word(struct sched_message_break *b, const char *word)
{
    bool sends = b->kind == SCHED_MESSAGE_SEND, receives = b->kind == SCHED_MESSAGE_RECV;
    const char *value;
    if (b->kind == SCHED_MESSAGE_CHOICE)
        return false;
    if ((value = value_of(word, "comm")))
        return read_comm(b, value);
    if (sends && (value = value_of(word, "to")))
        return read_number(value, b->ranks - 1, SCHED_MESSAGE_WHATEVER, &b->peer);
    if (receives && (value = value_of(word, "from")))
        return read_number(value, b->ranks - 1, ISP_ANY_SOURCE, &b->peer);
    if ((sends || receives) && (value = value_of(word, "tag")))
        return read_number(value, INT32_MAX, receives ? ISP_ANY_TAG : SCHED_MESSAGE_WHATEVER, &b->tag);
    return b->kind == SCHED_MESSAGE_COLLECTIVE && !b->fn && read_function(b, word);
}

bool sched_message_break_parse(struct sched_message_break *b, const char *text, int ranks, char **why)
{
    *b = (struct sched_message_break){
        .peer = SCHED_MESSAGE_WHATEVER, .tag = SCHED_MESSAGE_WHATEVER, .ranks = ranks};
    char *words = sched_strdup(text + kind_of(text, &b->kind)), *rest = words, *word;
    bool ok = true;
    while (ok && (word = strtok_r(rest, " \t", &rest))) {
        ok = read_word(b, word);
        if (!ok)
            *why = sched_format("what is %s? write it like this: %s (ranks are 0 to %d)", word,
                                kinds[b->kind].usage, ranks - 1);
    }
    free(words);
    if (!ok)
        sched_message_break_finish(b);
    return ok;
}

void sched_message_break_finish(struct sched_message_break *b)
{
    free(b->members);
    b->members = NULL;
}

/* ---- events ---- */

static bool is_of(const struct sched_message_break *b, const struct sched_message_event *e)
{
    const struct isp_call *call = e->call;
    switch (b->kind) {
    case SCHED_MESSAGE_SEND: return call->op == ISP_OP_SEND && !(call->flags & ISP_F_SIGNAL);
    case SCHED_MESSAGE_RECV: return call->op == ISP_OP_RECV && !(call->flags & ISP_F_SIGNAL);
    case SCHED_MESSAGE_COLLECTIVE:
        return call->op == ISP_OP_COLLECTIVE && !(call->flags & ISP_F_INTERNAL) &&
               (!b->fn || b->fn == call->fn);
    default: return e->is_choice;
    }
}

static bool is_comm(const struct sched_message_break *b, const struct sched_message_event *e)
{
    if (b->comm == SCHED_COMM_WHATEVER)
        return true;
    if (b->comm == SCHED_COMM_WORLD)
        return e->call->comm == ISP_COMM_WORLD;
    if (b->comm == SCHED_COMM_SELF)
        return e->call->comm == ISP_COMM_SELF(e->rank);
    unsigned wanted = 0;
    for (int r = 0; r < b->ranks; r++)
        wanted += b->members[r];
    for (unsigned i = 0; i < e->n; i++)
        if (e->members[i] < 0 || e->members[i] >= b->ranks || !b->members[e->members[i]])
            return false;
    return e->n == wanted;
}

static int tag_of(const struct isp_call *call)
{
    return call->flags & ISP_F_PARTITIONED ? isp_partitioned_program_tag(call->tag) : call->tag;
}

/* What was given, or where that was `any`, what came. */
static bool is_value(int wanted, int given, int any, int came)
{
    return wanted == SCHED_MESSAGE_WHATEVER || wanted == given || (given == any && wanted == came);
}

bool sched_message_break_matches(const struct sched_message_break *b, const struct sched_message_event *e)
{
    return is_of(b, e) && is_comm(b, e) && is_value(b->peer, e->call->peer, ISP_ANY_SOURCE, e->from) &&
           is_value(b->tag, tag_of(e->call), ISP_ANY_TAG, e->tag);
}
