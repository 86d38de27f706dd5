/* SPDX-License-Identifier: BSD-3-Clause */
/* See completion.h. */
#include "completion.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "debug/inferior.h"
#include "debug/message_break.h"

/* What a command takes, apart from what gdb knows. The longest beginning of a line that is here counts. */
static const struct {
    const char *begins;
    const char *words[6];
} options[] = {
    {"set ", {"others"}},
    {"set others ", {"run", "causal"}},
    {"info ", {"breakpoints"}},
    {"goto ", {"start", "end", "choice"}},
    {"print ", {"-a"}},
    {"break ", {"send", "recv", "collective", "choice"}},
    {"break send ", {"to=", "tag=", "comm="}},
    {"break recv ", {"from=", "tag=", "comm="}},
    {"break collective ", {"MPI_", "comm="}},
    {"break choice ", {NULL}},
};

/* Those whose argument gdb completes, as that of which command of its own. */
static const struct {
    const char *begins, *in_gdb;
} asked[] = {
    {"print -a ", "print "}, {"print ", "print "}, {"display ", "print "},
    {"watch ", "print "},    {"why ", "print "},   {"break ", "break "},
    {"tbreak ", "break "},   {"until ", "break "}, {"gdb ", ""},
};

static void add(struct sched_completion *k, const char *typed, const char *word)
{
    if (strncmp(word, typed, strlen(typed)) != 0)
        return;
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->words[i], word) == 0)
            return;
    SCHED_GROW(k->words, k->n);
    k->words[k->n++] = sched_strdup(word);
}

/* ---- ranks ---- */

/* In brackets: what stands before the last comma stays. */
static void add_ranks(struct sched_completion *k, const char *open, const char *line, int ranks)
{
    const char *comma = strrchr(open, ',');
    const char *typed = comma ? comma + 1 : open + 1;
    k->from = (size_t)(typed - line);
    if (!comma)
        add(k, typed, "all]");
    for (int r = 0; r < ranks; r++) {
        char *word = sched_format("%d]", r);
        add(k, typed, word);
        free(word);
    }
}

static void add_numbers(struct sched_completion *k, const char *typed, int ranks, const char *end)
{
    for (int r = 0; r < ranks; r++) {
        char *word = sched_format("%d%s", r, end);
        add(k, typed, word);
        free(word);
    }
}

/* ---- commands and their words ---- */

static void add_commands(struct sched_completion *k, const char *typed)
{
    for (const struct sched_console_command *c = sched_console_commands; c->name; c++)
        add(k, typed, c->name);
}

/* The longest one that the command begins with; -1. */
static int options_of(const char *command)
{
    int best = -1;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t n = strlen(options[i].begins);
        if (strncmp(command, options[i].begins, n) == 0 && (best < 0 || n > strlen(options[best].begins)))
            best = (int)i;
    }
    return best;
}

/* Those of "break send " may come in any order, one word after the other; else the first word counts. */
static void add_options(struct sched_completion *k, const char *command, const char *word)
{
    int i = options_of(command);
    bool alone = i >= 0 && strlen(options[i].begins) == (size_t)(word - command);
    bool again = i >= 0 && strncmp(command, "break ", 6) == 0 && strlen(options[i].begins) > 6;
    for (size_t n = 0; (alone || again) && n < sizeof options->words / sizeof *options->words; n++)
        if (options[i].words[n])
            add(k, word, options[i].words[n]);
}

/* ---- gdb ---- */

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

/* gdb completes the whole line; its last word is what is wanted. */
static void ask_gdb(struct sched_console *c, struct sched_completion *k, const char *line, const char *word)
{
    int rank = c->session->focus, level;
    struct sched_gdb *g = c->session->inferiors[rank].gdb
                              ? sched_inferior_look_at(c->session, rank, c->level[rank], &level)
                              : NULL;
    size_t n = 0, before = strlen(line) - strlen(word);
    char **found = g ? sched_gdb_complete(g, level, line, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(found[i], line, before) == 0 && is_plain(found[i]))
            add(k, word, found[i] + before);
        free(found[i]);
    }
    free(found);
}

static void add_of_gdb(struct sched_console *c, struct sched_completion *k, const char *command,
                       const char *word)
{
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        size_t n = strlen(asked[i].begins);
        if (strncmp(command, asked[i].begins, n) != 0)
            continue;
        char *line = sched_format("%s%s", asked[i].in_gdb, command + n);
        ask_gdb(c, k, line, word);
        free(line);
        return;
    }
}

/* ---- the line ---- */

/* The name of a command may be cut short; its words are known by the whole one. Caller frees. */
static char *whole_command(struct sched_console *c, const char *command)
{
    size_t n = strcspn(command, " ");
    char *name = sched_must(strndup(command, n));
    const struct sched_console_command *is = sched_console_find(c, name);
    char *whole = sched_format("%s%s", is ? is->name : name, command + n);
    free(name);
    return whole;
}

static void add_arguments(struct sched_console *c, struct sched_completion *k, const char *command)
{
    const char *word = strrchr(command, ' ') + 1;
    int ranks = c->session->n;
    if (strncmp(command, "focus ", 6) == 0)
        add_numbers(k, word, ranks, "");
    if (strncmp(command, "goto ", 5) == 0)
        add_numbers(k, word, ranks, ":");
    if (strncmp(command, "help ", 5) == 0)
        add_commands(k, word);
    add_options(k, command, word);
    if (!sched_message_break_is(command + strcspn(command, " ") + 1))
        add_of_gdb(c, k, command, word);
}

struct sched_completion sched_complete(struct sched_console *c, const char *line)
{
    struct sched_completion k = {0};
    const char *at = line + strspn(line, " \t");
    const char *end = *at == '[' ? strchr(at, ']') : at;
    if (!end) {
        add_ranks(&k, at, line, c->session->n);
        return k;
    }
    at = *at == '[' ? end + 1 + strspn(end + 1, " \t") : at;
    const char *space = strrchr(at, ' ');
    k.from = (size_t)((space ? space + 1 : at) - line);
    if (space) {
        char *command = whole_command(c, at);
        add_arguments(c, &k, command);
        free(command);
    } else {
        add_commands(&k, at);
    }
    return k;
}

void sched_completion_finish(struct sched_completion *k)
{
    for (size_t i = 0; i < k->n; i++)
        free(k->words[i]);
    free(k->words);
    *k = (struct sched_completion){0};
}

size_t sched_completion_common(const struct sched_completion *k)
{
    size_t common = k->n ? strlen(k->words[0]) : 0;
    for (size_t i = 1; i < k->n; i++)
        for (size_t at = 0; at < common; at++)
            if (k->words[i][at] != k->words[0][at])
                common = at;
    return common;
}
