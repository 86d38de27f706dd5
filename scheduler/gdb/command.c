/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands to gdb and what it answers. Each has a number, by which its reply is known; notifications come in
 * between. Callbacks of the stream give a reply to whoever waits for it, and otherwise only follow the state.
 */
#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/now.h"
#include "session.h"

enum { PATIENCE_S = 30, GRACE_S = 3, SAID_MOST = 8 << 20 };

void sched_gdb_fail(struct sched_gdb *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = sched_format_list(format, args);
    va_end(args);
    text[strcspn(text, "\n")] = '\0';
    free(g->error);
    g->error = text;
}

const char *sched_gdb_error(const struct sched_gdb *g) { return g->error ? g->error : ""; }

/* ---- its end ---- */

static void answer_all(struct sched_gdb *g)
{
    struct sched_gdb_waiting *all = g->waiting;
    size_t n = g->n_waiting;
    g->waiting = NULL, g->n_waiting = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].on_reply)
            all[i].on_reply(g, NULL, all[i].context);
    free(all);
}

void sched_gdb_end(struct sched_gdb *g, const char *why)
{
    if (!g->pid)
        return;
    kill(g->pid, SIGKILL);
    int status = 0;
    while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    g->pid = 0;
    bufferevent_free(g->stream);
    g->stream = NULL;
    bool had = g->state != NO_PROCESS;
    g->state = NO_PROCESS;
    g->process = 0;
    sched_gdb_fail(g, "%s", why);
    answer_all(g);
    if (had && !g->is_dying)
        sched_gdb_tell_stop(g, SCHED_GDB_GONE);
}

void sched_gdb_on_end(struct bufferevent *stream, short what, void *context)
{
    sched_gdb_end(context, "gdb has ended");
}

/* ---- what it says ---- */

static void hear(struct sched_gdb *g, const char *text)
{
    size_t n = strlen(text);
    if (!g->listens || g->n_said + n > SAID_MOST)
        return;
    g->said = sched_grow(g->said, g->n_said + n + 1, 1);
    memcpy(g->said + g->n_said, text, n + 1);
    g->n_said += n;
}

static void note_running(struct sched_gdb *g)
{
    if (g->state != STOPPED)
        return;
    sched_gdb_forget(g);
    g->state = RUNNING;
}

static void give_reply(struct sched_gdb *g, const struct sched_mi_record *r)
{
    if (strcmp(r->word, "running") == 0)
        note_running(g);
    for (size_t i = 0; i < g->n_waiting; i++) {
        struct sched_gdb_waiting w = g->waiting[i];
        if (w.token != r->token)
            continue;
        memmove(g->waiting + i, g->waiting + i + 1, (--g->n_waiting - i) * sizeof w);
        if (w.on_reply)
            w.on_reply(g, r, w.context);
        return;
    }
}

static void follow(struct sched_gdb *g, const struct sched_mi_record *r)
{
    if (r->kind == SCHED_MI_EXEC && strcmp(r->word, "stopped") == 0)
        sched_gdb_on_stopped(g, r->values);
    else if (r->kind == SCHED_MI_EXEC && strcmp(r->word, "running") == 0)
        note_running(g);
    else if (r->kind == SCHED_MI_NOTIFY && strcmp(r->word, "thread-group-exited") == 0 && g->state == STOPPED)
        sched_gdb_on_process_gone(g);
    else if (r->kind == SCHED_MI_NOTIFY && strcmp(r->word, "library-loaded") == 0)
        g->modules_known = false;
}

static void take_line(struct sched_gdb *g, const char *line, size_t size)
{
    struct sched_mi_record r;
    sched_mi_parse(line, size, &r);
    if (r.kind == SCHED_MI_RESULT)
        give_reply(g, &r);
    else if (r.kind == SCHED_MI_CONSOLE || r.kind == SCHED_MI_TARGET)
        hear(g, r.text);
    else
        follow(g, &r);
    sched_mi_finish(&r);
}

void sched_gdb_on_stream(struct bufferevent *stream, void *context)
{
    struct sched_gdb *g = context;
    struct evbuffer *in = bufferevent_get_input(stream);
    char *line;
    size_t size;
    while (g->stream && (line = evbuffer_readln(in, &size, EVBUFFER_EOL_LF))) {
        take_line(g, line, size);
        free(line);
    }
    if (g->stream && evbuffer_get_length(in) > SCHED_MI_LINE_MOST)
        sched_gdb_end(g, "gdb has said too much in one line");
}

/* ---- waiting ---- */

static void on_time(evutil_socket_t fd, short what, void *context) {}

static void wake_in(struct event *timer, double seconds)
{
    struct timeval t = {.tv_sec = (time_t)seconds};
    t.tv_usec = (suseconds_t)(1e6 * (seconds - (double)t.tv_sec));
    event_add(timer, &t);
}

bool sched_gdb_turn(struct sched_gdb *g, bool (*is_true)(struct sched_gdb *, void *), void *context,
                    double seconds)
{
    double until = sched_now_s() + seconds;
    struct event *timer = seconds > 0 ? sched_must(evtimer_new(g->host.base, on_time, NULL)) : NULL;
    bool late = false, interrupted = false;
    while (!is_true(g, context) && !late && !interrupted) {
        double left = until - sched_now_s();
        interrupted = g->host.interrupted && *g->host.interrupted;
        late = timer && left <= 0;
        if (late || interrupted)
            break;
        if (timer)
            wake_in(timer, left);
        event_base_loop(g->host.base, EVLOOP_ONCE);
    }
    if (timer)
        event_free(timer);
    if (is_true(g, context))
        return true;
    sched_gdb_fail(g, interrupted ? "interrupted" : "no answer of gdb in %g s", seconds);
    return false;
}

/* ---- commands ---- */

static long send_list(struct sched_gdb *g, sched_gdb_on_reply *on_reply, void *context, const char *format,
                      va_list args)
{
    long token = ++g->token;
    if (!g->stream) {
        if (on_reply)
            on_reply(g, NULL, context);
        return token;
    }
    SCHED_GROW(g->waiting, g->n_waiting);
    g->waiting[g->n_waiting++] = (struct sched_gdb_waiting){token, on_reply, context};
    struct evbuffer *out = bufferevent_get_output(g->stream);
    evbuffer_add_printf(out, "%ld", token);
    evbuffer_add_vprintf(out, format, args);
    evbuffer_add(out, "\n", 1);
    return token;
}

void sched_gdb_send(struct sched_gdb *g, sched_gdb_on_reply *on_reply, void *context, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    send_list(g, on_reply, context, format, args);
    va_end(args);
}

struct answer {
    bool came;
    json_t *values; /* NULL: an error */
};

static bool has_come(struct sched_gdb *g, void *context) { return ((struct answer *)context)->came; }

static void on_answer(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    struct answer *a = context;
    a->came = true;
    if (r && strcmp(r->word, "error") != 0) {
        a->values = json_incref(r->values);
    } else if (r) {
        const char *text = sched_mi_text(r->values, "msg");
        sched_gdb_fail(g, "%s", text && *text ? text : "gdb cannot do it");
    }
}

static void nobody_waits(struct sched_gdb *g, long token)
{
    for (size_t i = 0; i < g->n_waiting; i++)
        if (g->waiting[i].token == token)
            g->waiting[i].on_reply = NULL;
}

json_t *sched_gdb_call(struct sched_gdb *g, const char *format, ...)
{
    struct answer a = {0};
    double patience = g->host.patience_s > 0 ? g->host.patience_s : PATIENCE_S;
    if (!g->pid)
        return NULL; /* the error says why, ever since */
    va_list args;
    va_start(args, format);
    long token = send_list(g, on_answer, &a, format, args);
    va_end(args);
    if (!sched_gdb_turn(g, has_come, &a, patience) && g->pid &&
        !(g->host.interrupted && *g->host.interrupted)) {
        kill(g->pid,
             SIGINT); /* it gives up what it does, also a function of the program's that it has called */
        if (!sched_gdb_turn(g, has_come, &a, GRACE_S) && g->pid) {
            sched_gdb_end(g, "gdb does not answer");
        } else if (!a.values) {
            sched_gdb_fail(g, "it took gdb more than %g s", patience);
        }
    }
    nobody_waits(g, token);
    return a.values;
}

bool sched_gdb_needs_stopped(struct sched_gdb *g)
{
    if (g->pid && g->state != STOPPED)
        sched_gdb_fail(g, g->state == NO_PROCESS ? "there is no process" : "the process runs");
    return g->pid && g->state == STOPPED;
}

char *sched_gdb_console(struct sched_gdb *g, const char *command)
{
    if (g->state == RUNNING) {
        sched_gdb_needs_stopped(g);
        return NULL;
    }
    char *quoted = sched_mi_quote(command);
    g->listens = true;
    json_t *values = sched_gdb_call(g, "-interpreter-exec console %s", quoted);
    g->listens = false;
    char *said = g->said;
    g->said = NULL, g->n_said = 0;
    free(quoted);
    if (values)
        said = said ? said : sched_strdup("");
    else
        free(said), said = NULL;
    json_decref(values);
    return said;
}

char **sched_gdb_complete(struct sched_gdb *g, int level, const char *line, size_t *n)
{
    *n = 0;
    if (!sched_gdb_needs_stopped(g))
        return NULL;
    char *quoted = sched_mi_quote(line);
    json_t *values = sched_gdb_call(g, "-complete --thread %d --frame %d %s", g->thread, level, quoted);
    const json_t *matches = json_object_get(values, "matches");
    char **lines = json_array_size(matches) ? sched_alloc(json_array_size(matches), sizeof *lines) : NULL;
    for (size_t i = 0; i < json_array_size(matches); i++) {
        const char *text = json_string_value(json_array_get(matches, i));
        if (text)
            lines[(*n)++] = sched_strdup(text);
    }
    json_decref(values);
    free(quoted);
    return lines;
}
