/* SPDX-License-Identifier: BSD-3-Clause */
/* See frames.h. */
#include "frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "session.h"

const struct sched_modules *sched_gdb_modules(struct sched_gdb *g)
{
    if (!g->modules_known)
        sched_modules_init(&g->modules, g->process);
    g->modules_known = true;
    return &g->modules;
}

/* ---- which are the program's own ---- */

static uint64_t pc_of(const json_t *frame)
{
    unsigned long long pc = 0;
    sched_mi_number(frame, "addr", &pc);
    return pc;
}

static bool is_own(const struct sched_modules *m, const json_t *frame)
{
    const char *function = sched_mi_text(frame, "func");
    if (function && strcmp(function, "<signal handler called>") == 0)
        return false;
    return sched_modules_kind(m, pc_of(frame), function) == SCHED_MODULE_OWN;
}

/* What begins a thread is in no library, but the C library's code is below it: frames outside of main are
 * not shown by gdb. */
int sched_gdb_standing(struct sched_gdb *g, const json_t *stack)
{
    const struct sched_modules *m = sched_gdb_modules(g);
    size_t i;
    json_t *frame;
    json_array_foreach (stack, i, frame)
        if (is_own(m, frame))
            return (int)i;
    return -1;
}

/* ---- frames ---- */

static struct sched_gdb_frame make_frame(const struct sched_modules *m, const json_t *frame)
{
    const char *function = sched_mi_text(frame, "func");
    const struct sched_module *module = sched_modules_find(m, pc_of(frame));
    char *file = sched_mi_copy(frame, "fullname");
    return (struct sched_gdb_frame){
        .level = sched_mi_int(frame, "level", 0),
        .pc = pc_of(frame),
        .function = function && strcmp(function, "??") != 0 ? sched_strdup(function) : NULL,
        .file = file ? file : sched_mi_copy(frame, "file"),
        .line = sched_mi_int(frame, "line", 0),
        .module = module ? sched_strdup(module->path) : NULL,
    };
}

/* Of the frame that is left out next to the first. */
static char *name_of_call(const json_t *frame)
{
    const char *function = sched_mi_text(frame, "func");
    if (!function || strcmp(function, "??") == 0 || *function == '<')
        return NULL;
    if (strncmp(function, "prof_", 5) == 0 && isupper((unsigned char)function[5])) /* a wrapper's last call */
        return sched_format("MPI_%s", function + 5);
    char *name = sched_mpi_name(function);
    return name ? name : sched_strdup(function);
}

static struct sched_gdb_frame *make_frames(struct sched_gdb *g, const json_t *stack, size_t *n)
{
    const struct sched_modules *m = sched_gdb_modules(g);
    struct sched_gdb_frame *frames = sched_alloc(json_array_size(stack), sizeof *frames);
    size_t i, found = 0;
    json_t *frame;
    json_array_foreach (stack, i, frame) {
        if (!is_own(m, frame))
            continue;
        frames[found] = make_frame(m, frame);
        if (found == 0 && i > 0)
            frames[0].call = name_of_call(json_array_get(stack, i - 1));
        found++;
    }
    *n = found;
    return frames;
}

struct sched_gdb_frame *sched_gdb_frames(struct sched_gdb *g, int thread, size_t *n)
{
    if (!sched_gdb_needs_stopped(g))
        return NULL;
    json_t *values = sched_gdb_call(g, "-stack-list-frames --thread %d 0 %d", thread ? thread : g->thread,
                                    SCHED_GDB_FRAMES_MOST - 1);
    struct sched_gdb_frame *frames = values ? make_frames(g, json_object_get(values, "stack"), n) : NULL;
    json_decref(values);
    return frames;
}

void sched_gdb_frames_destroy(struct sched_gdb_frame *frames, size_t n)
{
    for (size_t i = 0; frames && i < n; i++) {
        free(frames[i].function);
        free(frames[i].file);
        free(frames[i].module);
        free(frames[i].call);
    }
    free(frames);
}

bool sched_gdb_frame_address(struct sched_gdb *g, int level, uint64_t *cfa)
{
    /* The stack pointer is in the caller's frame what it will be when this one has returned. */
    if (!sched_gdb_needs_stopped(g))
        return false;
    char *said = NULL;
    json_t *values = sched_gdb_call(g, "-stack-select-frame %d", level);
    if (values)
        said = sched_gdb_console(g, "info frame");
    json_decref(values);
    const char *at = said ? strstr(said, "frame at ") : NULL;
    bool found = at && sscanf(at, "frame at %" SCNx64, cfa) == 1;
    if (said && !found)
        sched_gdb_fail(g, "gdb does not know the address of frame %d", level);
    free(said);
    return found;
}

/* ---- threads ---- */

static int id_of(const char *target)
{
    const char *lwp = target ? strstr(target, "LWP ") : NULL;
    int id = 0;
    if ((lwp && sscanf(lwp, "LWP %d", &id) == 1) || (target && sscanf(target, "process %d", &id) == 1))
        return id;
    return 0;
}

static bool has_own_frames(struct sched_gdb *g, int thread)
{
    size_t n = 0;
    struct sched_gdb_frame *frames = sched_gdb_frames(g, thread, &n);
    sched_gdb_frames_destroy(frames, n);
    return n > 0;
}

struct sched_gdb_thread *sched_gdb_threads(struct sched_gdb *g, size_t *n)
{
    json_t *values = sched_gdb_needs_stopped(g) ? sched_gdb_call(g, "-thread-info") : NULL;
    if (!values)
        return NULL;
    const json_t *list = json_object_get(values, "threads");
    struct sched_gdb_thread *threads = sched_alloc(json_array_size(list), sizeof *threads);
    size_t i;
    json_t *thread;
    json_array_foreach (list, i, thread) {
        int number = sched_mi_int(thread, "id", 0);
        threads[i] = (struct sched_gdb_thread){
            .number = number,
            .id = id_of(sched_mi_text(thread, "target-id")),
            .name = sched_mi_copy(thread, "name"),
            .own = has_own_frames(g, number),
        };
    }
    *n = json_array_size(list);
    json_decref(values);
    return threads;
}

void sched_gdb_threads_destroy(struct sched_gdb_thread *threads, size_t n)
{
    for (size_t i = 0; threads && i < n; i++)
        free(threads[i].name);
    free(threads);
}

bool sched_gdb_choose_thread(struct sched_gdb *g, int thread)
{
    if (!sched_gdb_needs_stopped(g) || !sched_gdb_do(g, "-thread-select %d", thread))
        return false;
    g->thread = thread;
    return true;
}
