/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See editing.h. While a line is edited Ctrl-C is a key and no signal, so that it cannot come in between;
 * while a command runs it is a signal. Signals that end isp at the prompt give the terminal back first, as it
 * was.
 */
#include "editing.h"

#include <histedit.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/alloc.h"
#include "completion.h"
#include "typed.h"

struct editing {
    struct sched_console *console;
    EditLine *el;
    History *history;
    char prompt[40];
    char *last; /* the last command that moved; NULL: none */
};

/* ---- the terminal ---- */

static struct {
    struct termios cooked;
    int fd;
} terminal;

static const int ending[] = {SIGTERM, SIGHUP, SIGQUIT};

static void give_back(int number)
{
    tcsetattr(terminal.fd, TCSANOW, &terminal.cooked);
    signal(number, SIG_DFL);
    raise(number);
}

/* Of those that would end isp. */
static void set_endings(void (*from)(int), void (*to)(int))
{
    struct sigaction old;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == from)
            signal(ending[i], to);
}

/* ---- what libedit calls ---- */

static struct editing *editing_of(EditLine *el)
{
    void *e = NULL;
    el_get(el, EL_CLIENTDATA, &e);
    return e;
}

static char *prompt(EditLine *el)
{
    struct editing *e = editing_of(el);
    snprintf(e->prompt, sizeof e->prompt, "isp:%d> ", e->console->session->focus);
    return e->prompt;
}

static unsigned char clear(EditLine *el, int key)
{
    const LineInfo *line = el_line(el);
    el_cursor(el, (int)(line->lastchar - line->cursor));
    el_deletestr(el, (int)(line->lastchar - line->buffer));
    puts("^C");
    return CC_REDISPLAY;
}

/* As the terminal would do by itself. */
static unsigned char suspend(EditLine *el, int key)
{
    el_set(el, EL_PREP_TERM, 0);
    kill(0, SIGTSTP);
    el_set(el, EL_PREP_TERM, 1);
    return CC_REDISPLAY;
}

static unsigned char end(EditLine *el, int key)
{
    raise(SIGQUIT);
    return CC_REDISPLAY;
}

static void put_words(const struct sched_completion *k)
{
    enum { WIDTH = 80, MOST = 100 };
    size_t widest = 0, n = k->n < MOST ? k->n : MOST;
    for (size_t i = 0; i < n; i++)
        widest = strlen(k->words[i]) > widest ? strlen(k->words[i]) : widest;
    size_t columns = widest + 2 < WIDTH ? WIDTH / (widest + 2) : 1;
    for (size_t i = 0; i < n; i++)
        printf("%s%-*s", i % columns == 0 ? "\n" : "", (int)widest + 2, k->words[i]);
    puts("");
    if (n < k->n)
        printf("... and %zu more\n", k->n - n);
}

/* Goes on as far as all words are alike; where that is no further, shows them. */
static unsigned char complete(EditLine *el, int key)
{
    struct editing *e = editing_of(el);
    const LineInfo *info = el_line(el);
    char *line = sched_must(strndup(info->buffer, (size_t)(info->cursor - info->buffer)));
    struct sched_completion k = sched_complete(e->console, line);
    size_t typed = strlen(line) - k.from, common = sched_completion_common(&k);
    unsigned char what = k.n ? CC_REFRESH : CC_REFRESH_BEEP;
    if (k.n == 1 || common > typed) {
        char *rest = sched_must(strndup(k.words[0] + typed, common - typed));
        bool whole = k.n == 1 && common > 0 && !strchr("=:_", k.words[0][common - 1]);
        el_insertstr(el, rest);
        if (whole)
            el_insertstr(el, " ");
        free(rest);
    } else if (k.n) {
        put_words(&k);
        what = CC_REDISPLAY;
    }
    sched_completion_finish(&k);
    free(line);
    return what;
}

/* ---- start and end ---- */

static void load_history(struct editing *e)
{
    HistEvent event;
    size_t n;
    char **lines = sched_typed_load(&n);
    e->history = sched_must(history_init());
    history(e->history, &event, H_SETSIZE, SCHED_TYPED_MOST);
    history(e->history, &event, H_SETUNIQUE, 1);
    for (size_t i = 0; i < n; i++) {
        history(e->history, &event, H_ENTER, lines[i]);
        free(lines[i]);
    }
    free(lines);
}

static void begin(struct editing *e, FILE *in)
{
    setlocale(LC_CTYPE, ""); /* what is typed may be more than ASCII */
    terminal.fd = fileno(in);
    tcgetattr(terminal.fd, &terminal.cooked);
    load_history(e);
    e->el = sched_must(el_init("isp", in, stdout, stderr));
    el_set(e->el, EL_CLIENTDATA, e);
    el_set(e->el, EL_PROMPT, prompt);
    el_set(e->el, EL_HIST, history, e->history);
    el_set(e->el, EL_EDITOR, "emacs");
    el_set(e->el, EL_ADDFN, "isp-complete", "complete the line", complete);
    el_set(e->el, EL_ADDFN, "isp-clear", "clear the line", clear);
    el_set(e->el, EL_ADDFN, "isp-suspend", "stop isp, for the shell", suspend);
    el_set(e->el, EL_ADDFN, "isp-end", "end isp at once", end);
    el_source(e->el, NULL); /* ~/.editrc */
    el_set(e->el, EL_BIND, "^I", "isp-complete", NULL);
    el_set(e->el, EL_BIND, "^C", "isp-clear", NULL);
    el_set(e->el, EL_BIND, "^Z", "isp-suspend", NULL);
    el_set(e->el, EL_BIND, "\\034", "isp-end", NULL); /* Ctrl-\ */
    el_set(e->el, EL_SETTY, "-d", "-isig", NULL);
}

static void finish(struct editing *e)
{
    el_end(e->el);
    history_end(e->history);
    free(e->last);
}

/* ---- lines ---- */

/* NULL: the end. Caller frees. */
static char *next_line(struct editing *e)
{
    int size = 0;
    el_resize(e->el);
    set_endings(SIG_DFL, give_back);
    el_set(e->el, EL_PREP_TERM, 1); /* before the prompt: keys are keys from there on */
    const char *line = el_gets(e->el, &size);
    set_endings(give_back, SIG_DFL);
    return line && size > 0 ? sched_must(strndup(line, strcspn(line, "\n"))) : NULL;
}

static void remember(struct editing *e, const char *line)
{
    HistEvent event, newest;
    bool again = history(e->history, &newest, H_FIRST) >= 0 && strcmp(newest.str, line) == 0;
    if (!again)
        sched_typed_add(line);
    history(e->history, &event, H_ENTER, line);
    const struct sched_console_command *command = sched_console_command_of(e->console, line);
    if (!command || !sched_console_moves(command))
        return;
    free(e->last);
    e->last = sched_strdup(line);
}

void sched_editing_read(struct sched_console *c, FILE *in)
{
    struct editing e = {.console = c};
    char *line = NULL;
    begin(&e, in);
    while (!c->quit && (line = next_line(&e))) {
        bool empty = !line[strspn(line, " \t")];
        if (!empty)
            remember(&e, line);
        if (!empty || e.last)
            sched_console_line(c, empty ? e.last : line);
        free(line);
        line = NULL;
    }
    if (!c->quit)
        puts(""); /* Ctrl-D has left the prompt there */
    finish(&e);
}
