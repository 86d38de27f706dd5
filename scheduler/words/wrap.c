/* SPDX-License-Identifier: BSD-3-Clause */
/* See wrap.h. A word that is longer than a line stays whole: it may be a path, which one wants to copy. */
#include "wrap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "columns.h"

int sched_terminal_columns(FILE *out)
{
    struct winsize size;
    if (!isatty(fileno(out)))
        return 0;
    const char *wish = getenv("COLUMNS");
    int columns = wish ? atoi(wish) : 0;
    if (columns <= 0)
        columns = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    return columns;
}

bool sched_terminal_colours(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(out)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/* Past the spaces; or, if it is a colour, past that. */
static const char *skip(const char *at, char what)
{
    if (what == '\033') {
        const char *end = strchr(at, 'm');
        return end ? end + 1 : at + 1;
    }
    return at + strspn(at, " ");
}

/* Where the line is to be broken that has `room` columns: at its end, or at spaces; NULL: nowhere. */
static const char *find_break(const char *line, int room)
{
    const char *word = NULL, *gap = NULL, *at = skip(line, ' ');
    int columns = (int)(at - line), width;
    while (*at) {
        if (*at == '\033') {
            at = skip(at, *at);
            continue;
        }
        if (*at == ' ') {
            const char *next = skip(at, ' ');
            bool fits = columns <= room;
            if (fits || !word)
                word = at;
            if (fits && next - at > 1 && columns > room / 3)
                gap = at;
            columns += (int)(next - at);
            at = next;
            if (!fits)
                break;
            continue;
        }
        at += sched_columns_step(at, &width);
        columns += width;
    }
    return columns <= room ? at : gap ? gap : word;
}

void sched_wrap_put(FILE *out, const char *line, int hang, int columns)
{
    int indent = 0;
    for (;;) {
        const char *end = columns ? find_break(line, columns - indent) : line + strlen(line);
        if (!end)
            end = line + strlen(line);
        fprintf(out, "%*s%.*s\n", indent, "", (int)(end - line), line);
        line = skip(end, ' ');
        if (!*line)
            return;
        indent = hang;
    }
}
