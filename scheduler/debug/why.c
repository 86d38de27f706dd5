/* SPDX-License-Identifier: BSD-3-Clause */
/* See why.h. */
#include "why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "contributions.h"
#include "inferior.h"
#include "isp/functions.h"
#include "printing.h"
#include "watching.h"
#include "world/hold.h"

/* ---- the bytes ---- */

/* What a register holds was never in memory. */
static bool refuse(struct sched_session *s, const char *expression, const char *why)
{
    if (strstr(why, "optimized out"))
        return sched_session_fail(
            s, "%s was optimized away: compile with -O0, or ask for what it was made of", expression);
    if (strstr(why, "register") || strstr(why, "lvalue") || strstr(why, "located in memory"))
        return sched_session_fail(
            s, "%s is not in memory here: a register holds it, or it is a value; ask for what it was made of",
            expression);
    return sched_session_fail(s, "%s", why);
}

bool sched_why_bytes(struct sched_session *s, int index, const char *expression, struct sched_bytes *bytes)
{
    int level;
    struct sched_gdb *g = sched_inferior_look_at(s, s->focus, index, &level);
    *bytes = (struct sched_bytes){.rank = s->focus};
    if (!g)
        return false;
    bool ok = sched_gdb_place(g, level, expression, &bytes->address, &bytes->size) ||
              refuse(s, expression, sched_gdb_error(g));
    if (ok && (!bytes->address || !bytes->size))
        return sched_session_fail(s, "%s is not in memory", expression);
    return ok;
}

uint64_t sched_why_watched(const struct sched_bytes *b)
{
    uint64_t bytes = 0;
    for (int i = 0; i < SCHED_WHY_REGISTERS && bytes < b->size; i++) {
        uint64_t size = SCHED_WHY_MOST / SCHED_WHY_REGISTERS;
        while ((b->address + bytes) % size != 0 || size > b->size - bytes)
            size /= 2;
        bytes += size;
    }
    return bytes;
}

/* Conditions and addresses are in C's words, whatever the program is written in. */
static void speak(struct sched_session *s, int rank, const char *language)
{
    struct sched_gdb *g = s->inferiors[rank].gdb;
    char *command = sched_format("set language %s", language);
    free(g ? sched_gdb_console(g, command) : NULL);
    free(command);
}

/* ---- where the change was ---- */

/* "__memcpy_avx_unaligned_erms" is the C library's name for the memcpy of this processor. */
static char *plain_name(const char *name)
{
    if (strncmp(name, "__", 2) != 0)
        return sched_strdup(name);
    static const char *const prefixes[] = {"__libc_", "__GI___", "__GI_", "__"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            name += strlen(prefixes[i]);
            break;
        }
    return sched_must(strndup(name, strcspn(name, "_")));
}

/* The function that the program has called there, if it is one of MPI; or any. */
static char *called(struct sched_session *s, int rank, bool *mpi)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    char *call = frames && n > 0 && frames[0].call ? plain_name(frames[0].call) : NULL;
    *mpi = call && (strncasecmp(call, "mpi", 3) == 0 || strncasecmp(call, "pmpi", 4) == 0);
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return call;
}

/* "mpi_recv_", "MPI_Recv", "PMPI_Recv", "mpi_recv_f08_" are the function of this event. */
static bool is_of(const char *call, const struct sched_record_event *e)
{
    const char *name = e ? isp_fn_name((enum isp_fn)e->call.fn) : NULL;
    size_t n = name ? strlen(name) : 0;
    if (*call == 'P' || *call == 'p')
        call++;
    return n && strncasecmp(call, name, n) == 0 && (!call[n] || call[n] == '_');
}

static struct sched_record_name present_call(const struct sched_session *s, int rank)
{
    struct sched_held_view view = sched_hold_view(s->now->s.world, rank);
    return (struct sched_record_name){rank, (uint32_t)(view.at ? view.at - 1 : 0)};
}

/* ---- over to the ranks that gave it ---- */

static bool follow(struct sched_session *s, const struct sched_bytes *b, struct sched_record_name writer,
                   const void *value, struct sched_why *answer)
{
    struct sched_origin o = sched_origin_find(s->record, writer, b->address, b->size);
    bool ok = true;
    answer->got = writer;
    if (o.n == 0) {
        answer->kind = SCHED_WHY_CALL;
        ok = sched_session_go_to(s, writer);
        free(answer->call);
        answer->call = sched_strdup(isp_fn_name((enum isp_fn)sched_record_find(s->record, writer)->call.fn));
    } else if (o.reduces) {
        answer->kind = SCHED_WHY_REDUCED;
        ok = sched_contributions_find(s, &o, value, sched_why_watched(b), answer);
    } else {
        answer->kind = SCHED_WHY_GIVEN;
        answer->sent = o.parts[0].of;
        answer->from = (struct sched_bytes){answer->sent.rank, o.parts[0].address, o.parts[0].size};
        ok = sched_session_go_to(s, answer->sent);
    }
    sched_origin_finish(&o);
    return ok;
}

/* "Line 41 of \"ring.c\" starts at ...": of the instruction that has written, not of the next one. */
static int line_before(struct sched_gdb *g, const struct sched_gdb_frame *f)
{
    char *question = sched_format("info line *%#" PRIx64, f->pc - 1), *said = sched_gdb_console(g, question);
    int line = said && strncmp(said, "Line ", 5) == 0 ? atoi(said + 5) : 0;
    free(question);
    free(said);
    return line ? line : f->line;
}

static void tell_line(struct sched_session *s, int rank, struct sched_why *answer)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    if (n > 0) {
        answer->line = frames[0].level == 0 ? line_before(g, &frames[0]) : frames[0].line;
        answer->file = frames[0].file ? sched_strdup(frames[0].file) : NULL;
        answer->function = frames[0].function ? sched_strdup(frames[0].function) : NULL;
    }
    if (frames)
        sched_gdb_frames_destroy(frames, n);
}

/* That gdb has stopped it there is of no interest. */
static void forget_watchpoint(struct sched_session *s, int rank)
{
    struct sched_inferior_stop *stop = &s->inferiors[rank].stop;
    if (stop->reason == SCHED_GDB_WATCHPOINT || stop->reason == SCHED_GDB_BREAKPOINT)
        stop->reason = SCHED_GDB_STEPPED;
}

/* A call may have written only some of the bytes. */
static void skip(struct sched_bytes *b)
{
    b->address++;
    b->size--;
}

static bool tell_write(struct sched_session *s, const struct sched_bytes *b, const void *value,
                       struct sched_why *answer)
{
    bool mpi;
    struct sched_record_name in = present_call(s, b->rank), writer;
    answer->call = called(s, b->rank, &mpi);
    answer->kind = mpi ? SCHED_WHY_CALL : SCHED_WHY_LINE;
    answer->got = in;
    bool is = mpi && is_of(answer->call, sched_record_find(s->record, in));
    for (struct sched_bytes rest = *b; mpi && rest.address < b->address + sched_why_watched(b); skip(&rest))
        if (sched_origin_writer(s->record, in, is, rest.address, &writer))
            return follow(s, &rest, writer, value, answer);
    tell_line(s, b->rank, answer);
    forget_watchpoint(s, b->rank);
    return true;
}

bool sched_why_read(struct sched_session *s, const struct sched_bytes *b, void *value)
{
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    return g && (sched_gdb_read(g, b->address, value, sched_why_watched(b)) ||
                 sched_session_fail(s, "rank %d: %s", b->rank, sched_gdb_error(g)));
}

/* ---- asking ---- */

struct question {
    const struct sched_bytes *b;
    struct sched_spot spot;
    struct sched_owner owner;
    struct sched_changes changes;
    char value[SCHED_WHY_MOST]; /* at the spot */
};

/* To the last change, or to where the bytes began to be those of their owner. */
static bool go_back(struct sched_session *s, struct question *q, enum sched_why_kind *kind)
{
    const struct sched_changes *c = &q->changes;
    if (c->births > 0 && c->before_birth == c->all) {
        *kind = SCHED_WHY_LEFT;
        return sched_births_go(s, &q->spot, q->b, &q->owner, c->births);
    }
    *kind = c->all > 0 ? SCHED_WHY_LINE : SCHED_WHY_NEVER;
    return c->all == 0 || sched_changes_go(s, &q->spot, q->b, c->all);
}

static bool find(struct sched_session *s, struct question *q, struct sched_why *answer)
{
    char then[SCHED_WHY_MOST];
    struct sched_record_name writer;
    if (!go_back(s, q, &answer->kind))
        return false;
    bool never = answer->kind == SCHED_WHY_NEVER;
    if (never)
        memcpy(then, q->changes.first, sizeof then);
    else if (!sched_why_read(s, q->b, then))
        return false;
    uint64_t from = never ? 0 : sched_hold_view(s->now->s.world, q->b->rank).at;
    bool other = memcmp(then, q->value, sched_why_watched(q->b)) != 0;
    if (sched_origin_last(s->record, q->b->rank, from, q->spot.at, q->b->address, &writer) &&
        (other || writer.number >= from)) {
        answer->again = !other;
        return follow(s, q->b, writer, q->value, answer);
    }
    if (other) {
        answer->kind = SCHED_WHY_OTHERS;
        return !never || sched_spot_begin_run(s, &q->spot);
    }
    if (answer->kind == SCHED_WHY_LINE)
        return tell_write(s, q->b, q->value, answer);
    if (answer->kind == SCHED_WHY_LEFT && q->owner.function)
        answer->call = sched_strdup(q->owner.function);
    forget_watchpoint(s, q->b->rank);
    return true;
}

bool sched_why_ask(struct sched_session *s, const struct sched_bytes *b, struct sched_why *answer)
{
    struct question q = {.b = b};
    *answer = (struct sched_why){.kind = SCHED_WHY_NEVER, .chosen = -1};
    bool there = sched_inferior_look(s, b->rank);
    speak(s, b->rank, "c");
    bool taken = there && sched_spot_take(s, b->rank, &q.spot), ok = taken && sched_why_read(s, b, q.value);
    if (ok) {
        sched_owner_find(s, b, &q.owner);
        sched_printing_mute(s->printing, true);
        ok = sched_changes_count(s, &q.spot, b, &q.owner, &q.changes) && find(s, &q, answer);
        sched_printing_mute(s->printing, false);
    }
    speak(s, b->rank, "auto");
    sched_owner_finish(&q.owner);
    if (taken)
        sched_spot_finish(&q.spot);
    return ok;
}

void sched_why_finish(struct sched_why *answer)
{
    for (unsigned i = 0; i < answer->n_parts; i++)
        free(answer->parts[i].value);
    free(answer->parts);
    free(answer->call);
    free(answer->file);
    free(answer->function);
    *answer = (struct sched_why){.chosen = -1};
}
