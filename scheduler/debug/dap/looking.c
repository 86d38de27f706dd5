/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that look at ranks and their frames. A frameId is rank * FRAMES + index + 1. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dap.h"
#include "debug/inferior.h"
#include "debug/view.h"

enum { FRAMES = SCHED_GDB_FRAMES_MOST };

/* ---- threads ---- */

/* "rank 1: ring.c:12 main, waits for rank 2" */
static char *name_of(struct sched_session *s, int rank)
{
    struct sched_view_row row = sched_view_rank(s, rank);
    char *name =
        sched_format("rank %d: %s%s%s%s%s", rank, row.call ? row.call : row.place, row.call ? " at " : "",
                     row.call ? row.place : "", row.what ? ", " : "", row.what ? row.what : "");
    sched_view_finish(&row);
    return name;
}

bool sched_dap_threads(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    json_t *threads = json_array();
    for (int r = 0; r < dap->session->n; r++) {
        char *name = name_of(dap->session, r);
        json_array_append_new(threads, json_pack("{s:i,s:o}", "id", r + 1, "name", sched_dap_text(name)));
        free(name);
    }
    json_object_set_new(body, "threads", threads);
    return true;
}

/* ---- frames ---- */

static json_t *source_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return json_pack("{s:o,s:o}", "name", sched_dap_text(slash ? slash + 1 : file), "path",
                     sched_dap_text(file));
}

static json_t *frame_of(const struct sched_dap *dap, int id, const struct sched_gdb_frame *f)
{
    bool calls = f->call && strncmp(f->call, "MPI_", 4) == 0;
    char *name = calls ? sched_format("%s, in %s", f->function ? f->function : "?", f->call)
                       : sched_strdup(f->function ? f->function : "?");
    bool known = f->line && f->file;
    json_t *frame =
        json_pack("{s:i,s:i,s:i,s:o}", "id", id, "line", known ? f->line - 1 + dap->first_line : 0, "column",
                  known ? dap->first_line : 0, "name", sched_dap_text(name));
    if (f->file)
        json_object_set_new(frame, "source", source_of(f->file));
    else
        json_object_set_new(frame, "presentationHint", json_string("subtle"));
    free(name);
    return frame;
}

/* A rank that has left has no frames. */
static bool has_process(struct sched_session *s, int rank)
{
    return sched_motion_standing(s, rank) != SCHED_IS_OVER;
}

bool sched_dap_stack_trace(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    int rank;
    size_t n = 0;
    json_t *list = json_array();
    json_object_set_new(body, "stackFrames", list);
    if (!sched_dap_rank(dap, arguments, &rank))
        return false;
    struct sched_gdb *g = sched_inferior_look(dap->session, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    if (!frames && has_process(dap->session, rank))
        return g ? sched_dap_fail(dap, "%s", sched_gdb_error(g)) : sched_dap_failed(dap);
    json_int_t from = json_integer_value(json_object_get(arguments, "startFrame"));
    json_int_t levels = json_integer_value(json_object_get(arguments, "levels"));
    from = from < 0 ? 0 : from;
    for (json_int_t i = from; i < (json_int_t)n && (levels <= 0 || i - from < levels); i++)
        json_array_append_new(list, frame_of(dap, rank * FRAMES + (int)i + 1, &frames[i]));
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    json_object_set_new(body, "totalFrames", json_integer((json_int_t)n));
    return true;
}

bool sched_dap_frame(struct sched_dap *dap, const json_t *arguments, int *rank, int *index)
{
    const json_t *id = json_object_get(arguments, "frameId");
    json_int_t frame = id ? json_integer_value(id) : (json_int_t)dap->session->focus * FRAMES + 1;
    if (frame < 1 || (frame - 1) / FRAMES >= dap->session->n)
        return sched_dap_fail(dap, "frameId: no frame has this number");
    *rank = (int)((frame - 1) / FRAMES);
    *index = (int)((frame - 1) % FRAMES);
    return true;
}

/* ---- why it has stopped ---- */

bool sched_dap_exception_info(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    int rank;
    if (!sched_dap_rank(dap, arguments, &rank))
        return false;
    const struct sched_inferior *i = &dap->session->inferiors[rank];
    bool signal = i->at_line && i->stop.reason == SCHED_GDB_SIGNAL;
    const char *text = signal ? i->stop.meaning : dap->stop_text;
    if (!text)
        return sched_dap_fail(dap, "rank %d has not stopped for an exception", rank);
    json_object_set_new(body, "exceptionId", sched_dap_text(signal ? i->stop.signal : dap->session->ending));
    json_object_set_new(body, "description", sched_dap_text(text));
    json_object_set_new(body, "breakMode", json_string("always"));
    return true;
}
