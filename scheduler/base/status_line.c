/* SPDX-License-Identifier: BSD-3-Clause */
#include "status_line.h"

#include <stdio.h>
#include <unistd.h>

#include "now.h"

static const double OPEN_S = 1; /* so long a line of the program's that has no end is left alone */

static struct {
    bool on, shown, shared;
    bool open;     /* the program has begun a line, and not ended it ... */
    double open_s; /* ... so far */
} line;

void sched_status_line_begin(bool on)
{
    line.on = on;
    line.shown = line.shared = false;
}

bool sched_status_line_is_on(void) { return line.on; }

void sched_status_line_share(void) { line.shared = true; }

void sched_status_line_show(const char *text)
{
    if (!line.on || (line.open && sched_now_s() - line.open_s < OPEN_S))
        return;
    fprintf(stderr, "%s\r\033[K%s", line.open ? "\n" : "", text);
    line.open = false;
    line.shown = true;
}

void sched_status_line_hide(void)
{
    if (line.shown || line.shared)
        fputs("\r\033[K", stderr);
    line.shown = false;
}

void sched_status_line_passes(int fd, const char *bytes, size_t n)
{
    if (!line.on || !n || !isatty(fd))
        return;
    sched_status_line_hide();
    fflush(stderr);
    line.open = bytes[n - 1] != '\n';
    line.open_s = sched_now_s();
}
