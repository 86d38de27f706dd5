/* SPDX-License-Identifier: BSD-3-Clause */
/* See console.h. */
#include "console.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/say.h"
#include "debug/printing.h"
#include "debug/revisit.h"
#include "editing.h"
#include "stops.h"
#include "words/wrap.h"

void sched_console_init(struct sched_console *c, struct sched_session *session)
{
    *c =
        (struct sched_console){.session = session, .decision = -1, .colours = sched_terminal_colours(stdout)};
    c->set = sched_alloc((size_t)session->n, sizeof *c->set);
    c->level = sched_alloc((size_t)session->n, sizeof *c->level);
    c->stops = sched_stops_create(session);
}

void sched_console_finish(struct sched_console *c)
{
    sched_why_finish(&c->why);
    for (unsigned i = 0; i < c->n_displays; i++)
        free(c->displays[i]);
    free(c->displays);
    free(c->set);
    free(c->level);
    sched_stops_destroy(c->stops);
}

/* ---- ranks in brackets ---- */

/* "0,2-3" or "all", up to its end. False: it is none. */
static bool read_set(struct sched_console *c, const char *text, const char *end)
{
    memset(c->set, 0, (size_t)c->session->n * sizeof *c->set);
    if (end - text == 3 && strncmp(text, "all", 3) == 0) {
        memset(c->set, 1, (size_t)c->session->n * sizeof *c->set);
        return true;
    }
    if (text == end || end[-1] == ',')
        return false;
    while (text < end) {
        char *after;
        long from = strtol(text, &after, 10), to = from;
        if (after == text)
            return false;
        if (*after == '-')
            to = strtol(text = after + 1, &after, 10);
        if (after == text || from < 0 || to < from || to >= c->session->n || (after < end && *after != ','))
            return false;
        for (long r = from; r <= to; r++)
            c->set[r] = true;
        text = after + 1;
    }
    return true;
}

/* Takes the ranks that a command begins with; what follows them, or NULL. */
static const char *take_set(struct sched_console *c, const char *line)
{
    c->set_given = *line == '[';
    if (!c->set_given) {
        memset(c->set, 0, (size_t)c->session->n * sizeof *c->set);
        c->set[c->session->focus] = true;
        return line;
    }
    const char *end = strchr(line, ']');
    if (!end || !read_set(c, line + 1, end)) {
        sched_session_fail(c->session, "which ranks? [0], [0,2-3] or [all], of 0 to %d", c->session->n - 1);
        return NULL;
    }
    return end + 1 + strspn(end + 1, " \t");
}

/* ---- lines ---- */

/* One that is used without arguments gets none. */
static bool takes(struct sched_console *c, const struct sched_console_command *command, const char *args)
{
    return !*args || strchr(command->usage, ' ') ||
           sched_session_fail(c->session, "%s is used alone, and not with \"%s\"", command->name, args);
}

static bool do_line(struct sched_console *c, const char *line)
{
    const char *at = take_set(c, line);
    if (!at)
        return false;
    size_t n = strcspn(at, " \t");
    char *name = sched_must(strndup(at, n)), *args = sched_strdup(at + n + strspn(at + n, " \t"));
    const struct sched_console_command *command = sched_console_find(c, name);
    bool ok = command && takes(c, command, args) && command->run(c, args);
    free(name);
    free(args);
    return ok;
}

void sched_console_line(struct sched_console *c, const char *line)
{
    char *copy = sched_strdup(line + strspn(line, " \t"));
    sched_session_catch_up(c->session);
    for (size_t n = strlen(copy); n > 0 && isspace((unsigned char)copy[n - 1]);)
        copy[--n] = '\0';
    if (*copy && *copy != '#' && !do_line(c, copy)) {
        fflush(stdout);
        sched_say("%s", c->session->why);
        c->failed++;
    }
    sched_printing_flush(c->session->printing);
    fflush(stdout);
    free(copy);
}

const struct sched_console_command *sched_console_command_of(struct sched_console *c, const char *line)
{
    const char *at = line + strspn(line, " \t"), *end = *at == '[' ? strchr(at, ']') : NULL;
    at = end ? end + 1 + strspn(end + 1, " \t") : at;
    size_t n = strcspn(at, " \t");
    char *name = sched_must(strndup(at, n));
    const struct sched_console_command *command = n ? sched_console_find(c, name) : NULL;
    free(name);
    return command;
}

void sched_console_begin(struct sched_console *c)
{
    sched_printing_flush(c->session->printing);
    sched_revisit_note(c->session);
    sched_console_show(c);
    fflush(stdout);
}

void sched_console_read(struct sched_console *c, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    if (isatty(fileno(in)) && isatty(STDOUT_FILENO)) {
        sched_editing_read(c, in);
        return;
    }
    while (!c->quit && getline(&line, &room, in) > 0)
        sched_console_line(c, line);
    free(line);
}
