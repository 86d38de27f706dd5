/* SPDX-License-Identifier: BSD-3-Clause */
#include "pager.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/program.h"
#include "words/wrap.h"

enum { COLUMNS = 80, WIDE = 100 }; /* longer lines are hard to read */

/* NULL: none. */
static const char *pager(void)
{
    const char *wish = getenv("PAGER"), *term = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !term || strcmp(term, "dumb") == 0)
        return NULL;
    if (wish)
        return *wish && strcmp(wish, "cat") != 0 ? wish : NULL;
    char *less = sched_program_find("less");
    free(less);
    return less ? "less" : NULL;
}

void sched_pager_show(void (*put)(FILE *out, int columns, bool colours, const void *data), const void *data)
{
    int columns = sched_terminal_columns(stdout);
    columns = columns == 0 ? COLUMNS : columns < WIDE ? columns : WIDE;
    bool colours = sched_terminal_colours(stdout);
    const char *command = pager();
    setenv("LESS", "FRX", 0); /* only if it does not fit; with colours; and it stays on the screen */
    signal(SIGPIPE, SIG_IGN); /* who has read enough leaves */
    fflush(stdout);
    /* NOLINTNEXTLINE(cert-env33-c): the user's own $PAGER is for a shell */
    FILE *out = command ? popen(command, "w") : NULL;
    put(out ? out : stdout, columns, colours, data);
    if (out)
        pclose(out);
    fflush(stdout);
}
