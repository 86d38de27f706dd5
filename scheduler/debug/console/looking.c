/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that look: at ranks, frames, source and values. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "commands.h"
#include "debug/inferior.h"
#include "debug/view.h"
#include "words/words.h"

/* ---- ranks ---- */

static const char *const colours[] = {
    [SCHED_STANDS] = "\033[32m", [SCHED_WAITS] = "\033[31m", [SCHED_IS_OVER] = "\033[2m"};
static const char *const standings[] = {
    [SCHED_STANDS] = "stands", [SCHED_WAITS] = "waits", [SCHED_IS_OVER] = "is over"};

static bool is_alike(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_one_cursor(const struct sched_view_row *a, const struct sched_view_row *b)
{
    return a->standing == b->standing && is_alike(a->place, b->place) && is_alike(a->call, b->call) &&
           is_alike(a->what, b->what);
}

/* One line for all ranks from this one on that read the same. */
static void put_cursor(const struct sched_console *c, const struct sched_view_row *rows, bool *done,
                       int first)
{
    const struct sched_view_row *row = &rows[first];
    int *ranks = sched_alloc((size_t)c->session->n, sizeof *ranks), n = 0;
    bool focus = false;
    for (int r = first; r < c->session->n; r++)
        if (!done[r] && is_one_cursor(row, &rows[r])) {
            ranks[n++] = r;
            done[r] = true;
            focus |= r == c->session->focus;
        }
    char *who = sched_words_ranks(ranks, (size_t)n);
    printf("%c %s%-10s %-7s%s  %s  %s%s%s\n", focus ? '*' : ' ', c->colours ? colours[row->standing] : "",
           who, standings[row->standing], c->colours ? "\033[m" : "", row->place, row->call ? row->call : "",
           row->what ? "  " : "", row->what ? row->what : "");
    free(who);
    free(ranks);
}

bool sched_do_ranks(struct sched_console *c, const char *args)
{
    int n = c->session->n;
    struct sched_view_row *rows = sched_alloc((size_t)n, sizeof *rows);
    bool *done = sched_alloc((size_t)n, sizeof *done);
    for (int r = 0; r < n; r++)
        rows[r] = sched_view_rank(c->session, r);
    for (int r = 0; r < n; r++)
        if (!done[r])
            put_cursor(c, rows, done, r);
    for (int r = 0; r < n; r++)
        sched_view_finish(&rows[r]);
    free(rows);
    free(done);
    return true;
}

static bool read_number(const char *text, long most, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text && !*end && *value >= 0 && *value <= most;
}

bool sched_do_focus(struct sched_console *c, const char *args)
{
    long rank;
    if (!read_number(args, c->session->n - 1, &rank))
        return sched_session_fail(c->session, "focus on which rank? 0 to %d", c->session->n - 1);
    c->session->focus = (int)rank;
    sched_console_show(c);
    return true;
}

/* ---- the place ---- */

static void put_displays(struct sched_console *c)
{
    int rank = c->session->focus, level;
    struct sched_gdb *g =
        c->n_displays ? sched_inferior_look_at(c->session, rank, c->level[rank], &level) : NULL;
    for (unsigned i = 0; g && i < c->n_displays; i++) {
        char *value = sched_gdb_evaluate(g, level, c->displays[i]);
        char *shown = sched_escape(value ? value : sched_gdb_error(g), "\n\t");
        printf("%u: %s = %s\n", i + 1, c->displays[i], shown);
        free(value);
        free(shown);
    }
}

void sched_console_show(struct sched_console *c)
{
    struct sched_view_row row = sched_view_rank(c->session, c->session->focus);
    char *source = sched_view_source(row.file, row.line);
    printf("rank %d %s %s %s%s%s%s%s\n", c->session->focus, standings[row.standing], row.call ? "in" : "at",
           row.place, row.call ? ": " : "", row.call ? row.call : "", row.what ? "  " : "",
           row.what ? row.what : "");
    if (source)
        printf("%d\t%s\n", row.line, source);
    put_displays(c);
    free(source);
    sched_view_finish(&row);
}

bool sched_do_where(struct sched_console *c, const char *args)
{
    sched_console_show(c);
    return true;
}

/* ---- frames ---- */

/* Calls `one` for each rank of the set. */
static bool for_each(struct sched_console *c, bool (*one)(struct sched_console *, int rank, const char *args),
                     const char *args)
{
    for (int r = 0; r < c->session->n; r++)
        if (c->set[r] && !one(c, r, args))
            return false;
    return true;
}

static void put_frame(const struct sched_console *c, int rank, size_t number, const struct sched_gdb_frame *f)
{
    char *function = sched_escape(f->function ? f->function : "?", ""),
         *file = sched_escape(f->file ? f->file : "", "");
    const char *slash = strrchr(file, '/');
    printf("%c#%zu  %s", (int)number == c->level[rank] ? '>' : ' ', number, function);
    if (*file)
        printf("  %s:%d", slash ? slash + 1 : file, f->line);
    if (f->call)
        printf("  in %s", f->call);
    puts("");
    free(function);
    free(file);
}

static bool backtrace_of(struct sched_console *c, int rank, const char *args)
{
    size_t n;
    struct sched_gdb *g = sched_inferior_look(c->session, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    if (!frames)
        return g ? sched_session_fail(c->session, "rank %d: %s", rank, sched_gdb_error(g)) : false;
    if (c->set_given)
        printf("rank %d:\n", rank);
    for (size_t i = 0; i < n; i++)
        put_frame(c, rank, i, &frames[i]);
    sched_gdb_frames_destroy(frames, n);
    return true;
}

bool sched_do_backtrace(struct sched_console *c, const char *args) { return for_each(c, backtrace_of, args); }

static bool look_at_frame(struct sched_console *c, long wanted)
{
    int rank = c->session->focus;
    size_t n;
    struct sched_gdb *g = sched_inferior_look(c->session, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    if (!frames)
        return g ? sched_session_fail(c->session, "%s", sched_gdb_error(g)) : false;
    bool there = wanted >= 0 && (size_t)wanted < n;
    if (there) {
        c->level[rank] = (int)wanted;
        put_frame(c, rank, (size_t)wanted, &frames[wanted]);
        char *source = sched_view_source(frames[wanted].file, frames[wanted].line);
        if (source)
            printf("%d\t%s\n", frames[wanted].line, source);
        free(source);
    }
    sched_gdb_frames_destroy(frames, n);
    return there || sched_session_fail(c->session, "there are frames 0 to %zu", n - 1);
}

bool sched_do_up(struct sched_console *c, const char *args)
{
    return look_at_frame(c, c->level[c->session->focus] + 1L);
}

bool sched_do_down(struct sched_console *c, const char *args)
{
    return look_at_frame(c, c->level[c->session->focus] - 1L);
}

bool sched_do_frame(struct sched_console *c, const char *args)
{
    long level;
    if (!read_number(args, INT_MAX, &level))
        return sched_session_fail(c->session, "which frame? bt lists them");
    return look_at_frame(c, level);
}

/* The frame that is looked at, as file and line. Caller frees *file. */
static bool looked_at(struct sched_console *c, char **file, int *line)
{
    int rank = c->session->focus;
    size_t n = 0;
    if (c->level[rank] == 0) { /* it needs no gdb, mostly */
        struct sched_view_row row = sched_view_rank(c->session, rank);
        *file = row.file ? sched_strdup(row.file) : NULL;
        *line = row.line;
        sched_view_finish(&row);
        return *file ||
               sched_session_fail(c->session, "the source of this place is not known: compile with -g");
    }
    struct sched_gdb *g = sched_inferior_look(c->session, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    bool there = frames && (size_t)c->level[rank] < n && frames[c->level[rank]].file;
    *file = there ? sched_strdup(frames[c->level[rank]].file) : NULL;
    *line = there ? frames[c->level[rank]].line : 0;
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return there || sched_session_fail(c->session, "the source of this frame is not known");
}

bool sched_do_list(struct sched_console *c, const char *args)
{
    enum { AROUND = 5 };
    char *file;
    int at;
    long around;
    if (!looked_at(c, &file, &at))
        return false;
    if (!*args)
        around = at;
    else if (!read_number(args, INT_MAX - AROUND, &around)) {
        free(file);
        return sched_session_fail(c->session, "list which line? a number of this file");
    }
    bool any = false;
    for (int line = (int)around > AROUND ? (int)around - AROUND : 1; line <= around + AROUND; line++) {
        char *text = sched_view_source(file, line);
        if (text)
            printf("%s%d\t%s\n", line == at ? "> " : "  ", line, text);
        any |= text != NULL;
        free(text);
    }
    if (!any)
        sched_session_fail(c->session, "%s has no such lines, or cannot be read", file);
    free(file);
    return any;
}

/* ---- values ---- */

static bool print_of(struct sched_console *c, int rank, const char *expression)
{
    int level;
    struct sched_gdb *g = sched_inferior_look_at(c->session, rank, c->level[rank], &level);
    char *value = g ? sched_gdb_evaluate(g, level, expression) : NULL;
    if (!value)
        return g ? sched_session_fail(c->session, "%s", sched_gdb_error(g)) : false;
    char *shown = sched_escape(value, "\n\t");
    if (c->set_given)
        printf("rank %d: %s\n", rank, shown);
    else
        printf("%s\n", shown);
    free(value);
    free(shown);
    return true;
}

/* Of each rank, or why not; NULL: no rank has one. Caller frees both. */
static char **values_of_all(struct sched_console *c, const char *expression)
{
    unsigned found = 0;
    char **values = sched_alloc((size_t)c->session->n, sizeof *values);
    for (int r = 0; r < c->session->n; r++) {
        int level;
        struct sched_gdb *g = sched_inferior_look_at(c->session, r, c->level[r], &level);
        char *value = g ? sched_gdb_evaluate(g, level, expression) : NULL;
        values[r] = value ? sched_escape(value, "\n\t")
                          : sched_format("(%s)", g ? sched_gdb_error(g) : c->session->why);
        found += value != NULL;
        free(value);
    }
    if (found)
        return values;
    sched_session_fail(c->session, "no rank has a value of it: rank 0: %s", values[0]);
    for (int r = 0; r < c->session->n; r++)
        free(values[r]);
    free(values);
    return NULL;
}

/* Equal ones together. The value that most ranks have has no mark; the others have a star. */
static bool print_all(struct sched_console *c, const char *expression)
{
    int n = c->session->n, most = 0;
    char **values = values_of_all(c, expression);
    if (!values)
        return false;
    int *ranks = sched_alloc((size_t)n, sizeof *ranks), *alike = sched_alloc((size_t)n, sizeof *alike);
    for (int r = 0; r < n; r++) {
        for (int q = 0; q < n; q++)
            alike[r] += strcmp(values[r], values[q]) == 0;
        most = alike[r] > most ? alike[r] : most;
    }
    for (int r = 0; r < n; r++) {
        int k = 0;
        bool first = true;
        for (int q = 0; q < n; q++)
            if (strcmp(values[r], values[q]) == 0) {
                first &= q >= r;
                ranks[k++] = q;
            }
        char *who = sched_words_ranks(ranks, (size_t)k);
        if (first)
            printf("%c %s: %s\n", alike[r] < most ? '*' : ' ', who, values[r]);
        free(who);
    }
    for (int r = 0; r < n; r++)
        free(values[r]);
    free(values);
    free(ranks);
    free(alike);
    return true;
}

bool sched_do_print(struct sched_console *c, const char *args)
{
    if (strncmp(args, "-a ", 3) == 0)
        return print_all(c, args + 3);
    return *args && strcmp(args, "-a") != 0 ? for_each(c, print_of, args)
                                            : sched_session_fail(c->session, "print what?");
}

/* Where the focus is; elsewhere it may be something else. */
static bool has_value(struct sched_console *c, const char *expression)
{
    int rank = c->session->focus, level;
    struct sched_gdb *g = sched_inferior_look_at(c->session, rank, c->level[rank], &level);
    char *value = g ? sched_gdb_evaluate(g, level, expression) : NULL;
    if (g && !value)
        sched_session_fail(c->session, "%s", sched_gdb_error(g));
    bool has = value;
    free(value);
    return has;
}

bool sched_do_display(struct sched_console *c, const char *args)
{
    if (*args) {
        if (!has_value(c, args))
            return false;
        SCHED_GROW(c->displays, c->n_displays);
        c->displays[c->n_displays++] = sched_strdup(args);
    }
    put_displays(c);
    return true;
}

bool sched_do_undisplay(struct sched_console *c, const char *args)
{
    long number;
    if (!read_number(args, c->n_displays, &number) || number < 1)
        return sched_session_fail(c->session, "undisplay which? display shows their numbers");
    free(c->displays[number - 1]);
    memmove(&c->displays[number - 1], &c->displays[number],
            (c->n_displays - (size_t)number) * sizeof *c->displays);
    c->n_displays--;
    return true;
}

static bool gdb_of(struct sched_console *c, int rank, const char *command)
{
    struct sched_gdb *g = sched_inferior_look(c->session, rank);
    char *said = g ? sched_gdb_console(g, command) : NULL;
    if (!said)
        return g ? sched_session_fail(c->session, "%s", sched_gdb_error(g)) : false;
    char *shown = sched_escape(said, "\n\t");
    fputs(shown, stdout);
    free(said);
    free(shown);
    return true;
}

bool sched_do_gdb(struct sched_console *c, const char *args)
{
    return *args ? for_each(c, gdb_of, args)
                 : sched_session_fail(c->session, "gdb what? e.g. gdb info registers");
}
