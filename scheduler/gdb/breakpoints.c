/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See breakpoints.h. A function's name may be in several libraries; a breakpoint stays enabled in the
 * program's own, or else in isp's, or else in MPI's: one call is to stop the rank once.
 */
#include "breakpoints.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "session.h"

/* ---- its places ---- */

static enum sched_module_kind kind_of(struct sched_gdb *g, const json_t *place)
{
    unsigned long long pc = 0;
    sched_mi_number(place, "addr", &pc);
    return sched_modules_kind(sched_gdb_modules(g), pc, sched_mi_text(place, "func"));
}

/* Of the inferior that has a process (shared_symbols.c). */
static bool is_in_process(const json_t *place)
{
    const char *group = json_string_value(json_array_get(json_object_get(place, "thread-groups"), 0));
    return !group || strcmp(group, "i1") == 0;
}

enum { WORST = 4 };

/* How good a place is: lower is better. */
static int rank_of(struct sched_gdb *g, const json_t *place)
{
    static const int ranks[] = {
        [SCHED_MODULE_OWN] = 0, [SCHED_MODULE_ISP] = 1, [SCHED_MODULE_MPI] = 2, [SCHED_MODULE_SYSTEM] = 3};
    return is_in_process(place) ? ranks[kind_of(g, place)] : WORST;
}

static bool choose_places(struct sched_gdb *g, const json_t *bkpt)
{
    const json_t *places = json_object_get(bkpt, "locations");
    int best = WORST - 1;
    size_t i;
    json_t *place;
    json_array_foreach (places, i, place)
        if (rank_of(g, place) < best)
            best = rank_of(g, place);
    json_array_foreach (places, i, place) {
        const char *number = sched_mi_text(place, "number");
        bool unwanted = number && rank_of(g, place) > best;
        const char *enabled = sched_mi_text(place, "enabled");
        if (unwanted && enabled && *enabled == 'y' && !sched_gdb_do(g, "-break-disable %s", number))
            return false;
    }
    return true;
}

/* ---- breakpoints ---- */

static void fill(const json_t *bkpt, struct sched_gdb_breakpoint *b)
{
    const json_t *places = json_object_get(bkpt, "locations"), *place = bkpt;
    for (size_t i = json_array_size(places); i-- > 0;)
        if (is_in_process(json_array_get(places, i)))
            place = json_array_get(places, i);
    *b = (struct sched_gdb_breakpoint){
        .number = sched_mi_int(bkpt, "number", 0),
        .is_pending = json_object_get(bkpt, "pending") != NULL,
        .file = sched_mi_copy(place, "fullname"),
        .line = sched_mi_int(place, "line", 0),
    };
}

bool sched_gdb_break(struct sched_gdb *g, const char *place, const char *condition, bool once,
                     struct sched_gdb_breakpoint *b)
{
    if (!g->pid)
        return false;
    char *quoted = sched_mi_quote(place), *when = condition ? sched_mi_quote(condition) : NULL;
    json_t *values = sched_gdb_call(g, "-break-insert -f %s %s %s %s", once ? "-t" : "", when ? "-c" : "",
                                    when ? when : "", quoted);
    const json_t *bkpt = json_object_get(values, "bkpt");
    bool done = bkpt && choose_places(g, bkpt);
    if (done)
        fill(bkpt, b);
    json_decref(values);
    free(quoted);
    free(when);
    return done;
}

void sched_gdb_breakpoint_finish(struct sched_gdb_breakpoint *b)
{
    free(b->file);
    *b = (struct sched_gdb_breakpoint){0};
}

void sched_gdb_breakpoints_again(struct sched_gdb *g)
{
    json_t *values = sched_gdb_call(g, "-break-list");
    size_t i;
    json_t *bkpt;
    json_array_foreach (json_object_get(json_object_get(values, "BreakpointTable"), "body"), i, bkpt)
        choose_places(g, bkpt);
    json_decref(values);
}

/* ---- watchpoints ---- */

static bool is_of_hardware(struct sched_gdb *g, int number)
{
    json_t *values = sched_gdb_call(g, "-break-info %d", number);
    const json_t *table = json_object_get(json_object_get(values, "BreakpointTable"), "body");
    const char *type = sched_mi_text(json_array_get(table, 0), "type");
    bool is_one = !type || strcmp(type, "watchpoint") != 0;
    json_decref(values);
    return is_one;
}

bool sched_gdb_watch(struct sched_gdb *g, int level, const char *expression, enum sched_gdb_access access,
                     int *number)
{
    static const char *const options[] = {
        [SCHED_GDB_WRITTEN] = "", [SCHED_GDB_READ] = "-r", [SCHED_GDB_TOUCHED] = "-a"};
    static const char *const names[] = {
        [SCHED_GDB_WRITTEN] = "wpt", [SCHED_GDB_READ] = "hw-rwpt", [SCHED_GDB_TOUCHED] = "hw-awpt"};
    if (!sched_gdb_needs_stopped(g))
        return false;
    char *quoted = sched_mi_quote(expression);
    json_t *values = sched_gdb_call(g, "-break-watch --thread %d --frame %d %s %s", g->thread, level,
                                    options[access], quoted);
    free(quoted);
    int new = sched_mi_int(json_object_get(values, names[access]), "number", 0);
    json_decref(values);
    if (!new)
        return false;
    if (!is_of_hardware(g, new)) { /* one step after the other would take ages */
        sched_gdb_do(g, "-break-delete %d", new);
        sched_gdb_fail(g, "the processor cannot watch %s", expression);
        return false;
    }
    SCHED_GROW(g->watchpoints, g->n_watchpoints);
    g->watchpoints[g->n_watchpoints++] = new;
    *number = new;
    return true;
}

/* ---- changes ---- */

bool sched_gdb_break_when(struct sched_gdb *g, int number, const char *condition)
{
    char *command = sched_format("condition %d %s", number, condition ? condition : ""),
         *quoted = sched_mi_quote(command);
    bool done = sched_gdb_do(g, "-interpreter-exec console %s", quoted);
    free(command);
    free(quoted);
    return done;
}

bool sched_gdb_break_enable(struct sched_gdb *g, int number, bool enabled)
{
    return sched_gdb_do(g, "-break-%s %d", enabled ? "enable" : "disable", number);
}

bool sched_gdb_break_delete(struct sched_gdb *g, int number)
{
    for (size_t i = 0; i < g->n_watchpoints; i++)
        if (g->watchpoints[i] == number)
            g->watchpoints[i--] = g->watchpoints[--g->n_watchpoints];
    return sched_gdb_do(g, "-break-delete %d", number);
}
