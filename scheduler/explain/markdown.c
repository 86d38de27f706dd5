/* SPDX-License-Identifier: BSD-3-Clause */
/* What of Markdown our pages use, and no more. A block is collected line by line and put when it ends, since
 * its lines are broken anew. */
#include "markdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/columns.h"
#include "words/wrap.h"

enum { MAX_CELLS = 8 };

enum block { NONE, PARAGRAPH, ITEM, TABLE };

struct page {
    FILE *out;
    int columns;
    bool colours;
    enum block block;
    char *text; /* of the block: its lines, joined by spaces; of a table by \n */
    bool code;  /* between ``` */
    bool begun; /* there is something above */
};

/* ---- within a line ---- */

static const char bold[] = "\033[1m", italic[] = "\033[3m", cyan[] = "\033[36m", off[] = "\033[0m";

static bool begins_emphasis(const char *text, const char *at)
{
    return (at == text || strchr(" (\"", at[-1])) && at[1] && !strchr(" *)", at[1]);
}

/* Without its markup, or with that as colours. Caller frees. */
static char *inline_text(const struct page *p, const char *text)
{
    char *copy = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&copy, &size));
    bool code = false, emphasis = false;
    for (const char *at = text; *at; at++) {
        if (*at == '`')
            code = !code;
        else if (*at == '*' && !code && (emphasis || begins_emphasis(text, at)))
            emphasis = !emphasis;
        else {
            fputc(*at, out);
            continue;
        }
        if (p->colours)
            fputs(!code && !emphasis ? off : code ? cyan : italic, out);
    }
    fclose(out);
    return sched_must(copy);
}

static void put_line(const struct page *p, const char *prefix, const char *text, int hang)
{
    char *plain = inline_text(p, text), *line = sched_format("%s%s", prefix, plain);
    sched_wrap_put(p->out, line, hang, p->columns);
    free(line);
    free(plain);
}

/* ---- tables ---- */

/* Splits a row in place. */
static int cells_of(char *row, char *cells[MAX_CELLS])
{
    int n = 0;
    row += strspn(row, " |");
    for (char *cell; n < MAX_CELLS && (cell = strsep(&row, "|")) && row;) {
        size_t end = strlen(cell);
        while (end && cell[end - 1] == ' ')
            cell[--end] = '\0';
        cells[n++] = cell + strspn(cell, " ");
    }
    return n;
}

static int width_of(const struct page *p, const char *cell)
{
    const struct page plain = {.colours = false};
    char *text = inline_text(&plain, cell);
    int columns = sched_columns(text);
    free(text);
    return columns;
}

/* The first column, and beside it, or below it if it is wide, the others. */
static void put_row(const struct page *p, char *const cells[], int n, int width)
{
    char *first = inline_text(p, cells[0]);
    bool below = width > p->columns / 2;
    int pad = below ? 0 : width - width_of(p, cells[0]) + 2;
    char *prefix = sched_format("  %s%*s", first, pad, "");
    if (below)
        sched_wrap_put(p->out, prefix, 2, p->columns);
    for (int i = 1; i < n; i++)
        put_line(p, below ? "      " : i == 1 ? prefix : "  ", cells[i], below ? 6 : width + 4);
    free(prefix);
    free(first);
}

static void put_table(const struct page *p)
{
    int width = 0;
    for (int pass = 0; pass < 2; pass++) {
        char *copy = sched_strdup(p->text), *rest = copy, *row, *cells[MAX_CELLS];
        while ((row = strsep(&rest, "\n"))) {
            int n = strspn(row, "|-: ") == strlen(row) ? 0 : cells_of(row, cells);
            if (n > 0 && pass == 0 && width_of(p, cells[0]) > width)
                width = width_of(p, cells[0]);
            else if (n > 0 && pass == 1)
                put_row(p, cells, n, width);
        }
        free(copy);
    }
}

/* ---- blocks ---- */

static void begin(struct page *p)
{
    if (p->begun)
        fputc('\n', p->out);
    p->begun = true;
}

static void flush(struct page *p)
{
    if (p->block == PARAGRAPH)
        put_line(p, "", p->text, 0);
    else if (p->block == ITEM)
        put_line(p, "- ", p->text, 2);
    else if (p->block == TABLE)
        put_table(p);
    free(p->text);
    p->text = NULL;
    p->block = NONE;
}

static void add(struct page *p, enum block block, const char *line)
{
    bool goes_on = p->block == block || (p->block == ITEM && block == PARAGRAPH);
    if (!goes_on) {
        flush(p);
        begin(p);
        p->block = block;
    }
    char *longer = sched_format("%s%s%s", p->text ? p->text : "",
                                !p->text            ? ""
                                : p->block == TABLE ? "\n"
                                                    : " ",
                                line);
    free(p->text);
    p->text = longer;
}

/* Nothing between the items of a list. */
static void add_item(struct page *p, const char *line)
{
    bool more = p->block == ITEM;
    flush(p);
    if (more) {
        p->block = ITEM;
        p->text = sched_strdup(line);
    } else {
        add(p, ITEM, line);
    }
}

static void put_heading(struct page *p, const char *line)
{
    char *bright =
        sched_format("%s%s%s", p->colours ? bold : "", line + strspn(line, "# "), p->colours ? off : "");
    begin(p);
    put_line(p, "", bright, 0);
    free(bright);
}

static void put_code(struct page *p, const char *line) { fprintf(p->out, *line ? "    %s\n" : "\n", line); }

static void see(struct page *p, const char *line)
{
    if (strncmp(line, "```", 3) == 0) {
        flush(p);
        if (!p->code)
            begin(p);
        p->code = !p->code;
    } else if (p->code) {
        put_code(p, line);
    } else if (*line == '#') {
        flush(p);
        put_heading(p, line);
    } else if (strncmp(line, "- ", 2) == 0) {
        add_item(p, line + 2);
    } else if (*line == '|') {
        add(p, TABLE, line);
    } else if (line[strspn(line, " ")]) {
        add(p, PARAGRAPH, line + strspn(line, " "));
    } else {
        flush(p);
    }
}

void sched_markdown_put(FILE *out, const char *text, int columns, bool colours)
{
    struct page p = {.out = out, .columns = columns, .colours = colours};
    char *copy = sched_strdup(text);
    for (char *rest = copy, *line; (line = strsep(&rest, "\n"));)
        see(&p, line);
    flush(&p);
    free(copy);
}
