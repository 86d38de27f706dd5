/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves. One that begins inside MPI first leaves what is not the program's own ("finish" of the outermost
 * such frame), and then does what it is for; one that comes out there leaves it likewise. If that was in the
 * course of a line it goes on to the line's end: so a step never shows MPI, isp or the C library, whatever
 * debug information these have.
 *
 *   LEAVING_FIRST ──finished──► MOVING ──stopped in code of the program's own──► told
 *                                 │ ▲
 *              stopped elsewhere  ▼ │ finished in the frame where the move began
 *                               LEAVING ──finished in another frame──► told
 *
 * A stop of another kind (a breakpoint, a signal of the program's own) ends the move wherever it is. Signals
 * of isp's own are passed (passing.c), and then the move begins again from its first frame.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "frames.h"
#include "passing.h"
#include "session.h"

void sched_gdb_forget(struct sched_gdb *g)
{
    if (g->modules_known)
        sched_modules_finish(&g->modules);
    g->modules_known = false;
    for (size_t i = 0; i < g->n_handles; i++) {
        if (g->pid)
            sched_gdb_send(g, NULL, NULL, "-var-delete %s", g->handles[i]);
        free(g->handles[i]);
    }
    g->n_handles = 0;
}

/* ---- telling ---- */

void sched_gdb_tell_stop(struct sched_gdb *g, enum sched_gdb_reason reason)
{
    g->stop.reason = reason;
    free(g->moving.place);
    free(g->moving.function);
    g->moving = (struct sched_gdb_moving){0};
    if (g->host.on_stop && !g->is_dying)
        g->host.on_stop(g->host.context, &g->stop);
}

static void halt(struct sched_gdb *g, enum sched_gdb_reason reason)
{
    g->state = STOPPED;
    g->thread = g->stop.thread ? g->stop.thread : g->thread;
    if (g->asked_to_stop && reason != SCHED_GDB_INTERRUPTED)
        kill(g->process, SIGCONT); /* takes the SIGSTOP away that is on its way */
    g->asked_to_stop = false;
    g->owes_trap = reason == SCHED_GDB_SIGNAL && strcmp(g->stop.signal, "SIGTRAP") == 0;
    sched_gdb_tell_stop(g, reason);
}

static void gone(struct sched_gdb *g, enum sched_gdb_reason reason)
{
    g->state = NO_PROCESS;
    g->process = 0;
    g->asked_to_stop = g->owes_trap = false;
    sched_gdb_tell_stop(g, reason);
}

void sched_gdb_on_process_gone(struct sched_gdb *g)
{
    sched_gdb_forget(g);
    g->state = NO_PROCESS;
    g->process = 0;
}

/* Done, or as far as it goes. */
static void over(struct sched_gdb *g)
{
    halt(g, g->moving.finished ? SCHED_GDB_FINISHED : SCHED_GDB_STEPPED);
}

/* ---- gdb's own commands ---- */

static void on_begun(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    if (r && strcmp(r->word, "error") == 0 && g->state == RUNNING) {
        const char *text = sched_mi_text(r->values, "msg");
        sched_gdb_fail(g, "%s", text ? text : "gdb cannot do it");
        over(g);
    }
}

static void leave(struct sched_gdb *g, int level)
{
    sched_gdb_send(g, on_begun, NULL, "-exec-finish --thread %d --frame %d", g->stop.thread, level - 1);
}

static const char *command_of(enum sched_gdb_move move)
{
    static const char *const commands[] = {
        [SCHED_GDB_CONTINUE] = "-exec-continue", [SCHED_GDB_STEP] = "-exec-step",
        [SCHED_GDB_NEXT] = "-exec-next",         [SCHED_GDB_INSTRUCTION] = "-exec-step-instruction",
        [SCHED_GDB_FINISH] = "-exec-finish",     [SCHED_GDB_UNTIL] = "-exec-until",
    };
    return commands[move];
}

/* What the move is for, from gdb's frame 0, or for FINISH from another. */
static void do_move(struct sched_gdb *g, sched_gdb_on_reply *on_reply, void *context, int level)
{
    struct sched_gdb_moving *m = &g->moving;
    m->phase = MOVING;
    if (m->move == SCHED_GDB_CONTINUE)
        sched_gdb_send(g, on_reply, context, "-exec-continue");
    else if (m->place)
        sched_gdb_send(g, on_reply, context, "-interpreter-exec --thread %d console %s", g->stop.thread,
                       m->place);
    else
        sched_gdb_send(g, on_reply, context, "%s --thread %d --frame %d", command_of(m->move), g->stop.thread,
                       level);
}

/* From the frame `level`, which is the program's own. */
static void begin(struct sched_gdb *g, sched_gdb_on_reply *on_reply, void *context, int level)
{
    struct sched_gdb_moving *m = &g->moving;
    bool leaves = level > 0 && m->move != SCHED_GDB_CONTINUE && m->move != SCHED_GDB_FINISH;
    if (!leaves) {
        do_move(g, on_reply, context, level > 0 ? level : 0);
        return;
    }
    m->phase = m->move == SCHED_GDB_INSTRUCTION ? LEAVING : LEAVING_FIRST;
    sched_gdb_send(g, on_reply, context, "-exec-finish --thread %d --frame %d", g->stop.thread, level - 1);
}

/* ---- where it has come to ---- */

/* The frame where the move began, if it is there still; -1. */
static int beginning(const struct sched_gdb *g, const json_t *stack)
{
    size_t n = json_array_size(stack), from = g->moving.from_outermost;
    if (!from || from > n || !g->moving.function)
        return -1;
    const char *function = sched_mi_text(json_array_get(stack, n - from), "func");
    return function && strcmp(function, g->moving.function) == 0 ? (int)(n - from) : -1;
}

/* The call was the last of its line, and returns to where the next one begins. */
static bool is_at_next_line(const struct sched_gdb *g, const json_t *stack)
{
    int line = sched_mi_int(json_array_get(stack, 0), "line", 0);
    return line && g->moving.line && line != g->moving.line && !g->moving.place;
}

/* ... and that is the one that it is to come to. */
static bool is_at_place(const struct sched_gdb *g, const json_t *stack)
{
    const json_t *frame = json_array_get(stack, 0);
    const char *file = sched_mi_text(frame, "file"), *slash = file ? strrchr(file, '/') : NULL;
    if (!g->moving.place || !file)
        return false;
    char *end = sched_format("%s:%d\"", slash ? slash + 1 : file, sched_mi_int(frame, "line", 0));
    size_t n = strlen(g->moving.place), k = strlen(end);
    bool is = n >= k && strcmp(g->moving.place + n - k, end) == 0;
    free(end);
    return is;
}

static void judge(struct sched_gdb *g, const json_t *stack)
{
    struct sched_gdb_moving *m = &g->moving;
    int standing = sched_gdb_standing(g, stack);
    if (standing < 0) { /* main has returned, say */
        m->move = SCHED_GDB_CONTINUE;
        do_move(g, on_begun, NULL, 0);
    } else if (standing > 0) {
        bool goes_on = !m->finished && m->move != SCHED_GDB_INSTRUCTION && beginning(g, stack) == standing;
        m->phase = goes_on ? LEAVING_FIRST : LEAVING;
        leave(g, standing);
    } else if (m->phase == LEAVING_FIRST && !is_at_next_line(g, stack) && !is_at_place(g, stack)) {
        do_move(g, on_begun, NULL, 0);
    } else {
        over(g);
    }
}

static void on_stack(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    const json_t *stack = r ? json_object_get(r->values, "stack") : NULL;
    if (g->state != RUNNING)
        return;
    if (stack)
        judge(g, stack);
    else
        over(g);
}

/* A signal was passed: on from where the move began. */
static void on_stack_again(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    const json_t *stack = r ? json_object_get(r->values, "stack") : NULL;
    if (g->state != RUNNING)
        return;
    int level = stack ? beginning(g, stack) : -1;
    if (level < 0 && stack)
        level = sched_gdb_standing(g, stack);
    if (level < 0 || g->moving.finished)
        g->moving.move = SCHED_GDB_CONTINUE;
    begin(g, on_begun, NULL, level);
}

static void ask_stack(struct sched_gdb *g, sched_gdb_on_reply *on_reply)
{
    sched_gdb_send(g, on_reply, NULL, "-stack-list-frames --thread %d 0 %d", g->stop.thread,
                   SCHED_GDB_FRAMES_MOST - 1);
}

void sched_gdb_go_on(struct sched_gdb *g)
{
    if (g->moving.move == SCHED_GDB_CONTINUE)
        do_move(g, on_begun, NULL, 0);
    else
        ask_stack(g, on_stack_again);
}

void sched_gdb_own_signal(struct sched_gdb *g) { halt(g, SCHED_GDB_SIGNAL); }

/* ---- stops ---- */

static void read_stop(struct sched_gdb *g, json_t *values)
{
    const json_t *value = json_object_get(values, "value");
    const json_t *watched = NULL;
    static const char *const kinds[] = {"wpt", "hw-rwpt", "hw-awpt", NULL};
    for (const char *const *k = kinds; *k && !watched; k++)
        watched = json_object_get(values, *k);
    json_decref(g->stop_values);
    g->stop_values = json_incref(values);
    g->stop = (struct sched_gdb_stop){
        .thread = sched_mi_int(values, "thread-id", 0),
        .breakpoint =
            sched_mi_int(values, "bkptno", sched_mi_int(watched, "number", sched_mi_int(values, "wpnum", 0))),
        .signal = sched_mi_text(values, "signal-name"),
        .meaning = sched_mi_text(values, "signal-meaning"),
        .expression = sched_mi_text(watched, "exp"),
        .before = sched_mi_text(value, "old"),
        .now = sched_mi_text(value, "new") ? sched_mi_text(value, "new") : sched_mi_text(value, "value"),
        .returned = sched_mi_text(values, "return-value"),
        .name = sched_mi_text(values, "reason"),
    };
    const char *code = sched_mi_text(values, "exit-code");
    g->stop.code = code ? (int)strtol(code, NULL, 8) : 0;
}

/* The value that a FINISH has had stays known while what is around it is left. */
static void note_finished(struct sched_gdb *g)
{
    if (g->moving.move != SCHED_GDB_FINISH)
        return;
    if (!g->moving.finished) {
        json_decref(g->stop_start);
        g->stop_start = json_incref(g->stop_values);
    }
    g->moving.finished = true;
    g->stop.returned = sched_mi_text(g->stop_start, "return-value");
}

static void on_signal(struct sched_gdb *g)
{
    const char *name = g->stop.signal ? g->stop.signal : "";
    if (strcmp(name, "SIGSTOP") == 0 && g->asked_to_stop)
        halt(g, SCHED_GDB_INTERRUPTED);
    else if (strcmp(name, "SIGSTOP") == 0)
        sched_gdb_go_on(g); /* one that was too late */
    else if (!sched_gdb_may_be_isps(g))
        halt(g, SCHED_GDB_SIGNAL);
}

static bool is(const char *name, const char *word) { return strncmp(name, word, strlen(word)) == 0; }

void sched_gdb_on_stopped(struct sched_gdb *g, json_t *values)
{
    if (g->state != RUNNING && g->state != ATTACHING)
        return; /* in a function that gdb has called: the command fails */
    bool was_running = g->state == RUNNING;
    read_stop(g, values);
    g->modules_known ? sched_modules_finish(&g->modules) : (void)0;
    g->modules_known = false;
    const char *name = g->stop.name ? g->stop.name : "";
    if (is(name, "exited"))
        gone(g, is(name, "exited-signalled") ? SCHED_GDB_KILLED : SCHED_GDB_EXITED);
    else if (!was_running)
        g->state = STOPPED, g->thread = g->stop.thread ? g->stop.thread : 1;
    else if (sched_gdb_has_passed(g))
        sched_gdb_go_on(g);
    else if (is(name, "breakpoint-hit"))
        halt(g, SCHED_GDB_BREAKPOINT);
    else if (is(name, "watchpoint-scope"))
        halt(g, SCHED_GDB_SCOPE);
    else if (strstr(name, "watchpoint-trigger"))
        halt(g, SCHED_GDB_WATCHPOINT);
    else if (is(name, "signal-received"))
        on_signal(g);
    else if (is(name, "end-stepping-range") || is(name, "function-finished") ||
             is(name, "location-reached")) {
        if (is(name, "function-finished") && g->moving.phase == MOVING)
            note_finished(g);
        ask_stack(g, on_stack);
    } else
        halt(g, SCHED_GDB_OTHER);
}

/* ---- the interface ---- */

/* Notes where the move begins, and says at which of gdb's frames that is. */
static int note_beginning(struct sched_gdb *g)
{
    json_t *values =
        sched_gdb_call(g, "-stack-list-frames --thread %d 0 %d", g->thread, SCHED_GDB_FRAMES_MOST - 1);
    const json_t *stack = json_object_get(values, "stack");
    size_t n = json_array_size(stack);
    int level = stack ? sched_gdb_standing(g, stack) : -1;
    if (level >= 0) {
        g->moving.function = sched_mi_copy(json_array_get(stack, (size_t)level), "func");
        g->moving.line = sched_mi_int(json_array_get(stack, (size_t)level), "line", 0);
        g->moving.from_outermost = n < SCHED_GDB_FRAMES_MOST ? n - (size_t)level : 0;
    }
    json_decref(values);
    return level;
}

struct begun {
    bool came, ok;
};

static bool has_begun(struct sched_gdb *g, void *context) { return ((struct begun *)context)->came; }

static void on_begun_now(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    struct begun *b = context;
    b->came = true;
    b->ok = r && strcmp(r->word, "error") != 0;
    if (r && !b->ok) {
        const char *text = sched_mi_text(r->values, "msg");
        sched_gdb_fail(g, "%s", text ? text : "gdb cannot do it");
    }
}

/* gdb's own "until" does not stop in a function that is called. */
static char *advance_to(const char *place)
{
    char *command = sched_format("advance %s", place), *quoted = sched_mi_quote(command);
    free(command);
    return quoted;
}

bool sched_gdb_move(struct sched_gdb *g, enum sched_gdb_move move, const char *place)
{
    static struct begun b; /* outlives an answer that is late */
    if (!sched_gdb_needs_stopped(g))
        return false;
    g->moving = (struct sched_gdb_moving){.move = move};
    int level = note_beginning(g);
    if (!g->pid || g->state != STOPPED)
        return false;
    if (level < 0)
        g->moving.move = SCHED_GDB_CONTINUE;
    else if (place && move == SCHED_GDB_UNTIL)
        g->moving.place = advance_to(place);
    sched_gdb_forget(g);
    b = (struct begun){0};
    g->stop = (struct sched_gdb_stop){.thread = g->thread, .signal = g->owes_trap ? "SIGTRAP" : NULL};
    g->state = RUNNING;
    if (g->owes_trap) {
        b = (struct begun){.came = true, .ok = true};
        g->owes_trap = false;
        sched_gdb_pass(g);
    } else {
        begin(g, on_begun_now, &b, level);
    }
    if (!sched_gdb_turn(g, has_begun, &b, g->host.patience_s > 0 ? g->host.patience_s : 30))
        return false;
    if (!b.ok && g->pid)
        g->state = STOPPED;
    return b.ok;
}

bool sched_gdb_interrupt(struct sched_gdb *g)
{
    if (g->state == STOPPED || !g->pid)
        return g->pid != 0;
    if (g->state == NO_PROCESS)
        return sched_gdb_needs_stopped(g);
    /* It can be neither blocked nor handled; gdb keeps it from the process. */
    g->asked_to_stop = true;
    return kill(g->process, SIGSTOP) == 0 || g->state != RUNNING;
}

static bool has_stopped(struct sched_gdb *g, void *context)
{
    return g->state != RUNNING && g->state != ATTACHING;
}

bool sched_gdb_await_stop(struct sched_gdb *g, double seconds)
{
    return sched_gdb_turn(g, has_stopped, NULL, seconds);
}

const struct sched_gdb_stop *sched_gdb_last_stop(const struct sched_gdb *g)
{
    return g->state == STOPPED && g->stop_values ? &g->stop : NULL;
}
