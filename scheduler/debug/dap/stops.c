/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See breakpoints.h. Hits are counted by the condition itself, in variables of gdb, for each process from 0:
 * so a rank that is run anew stops at the same hit.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "breakpoints.h"
#include "debug/inferior.h"
#include "debug/motion.h"

/* ---- conditions ---- */

char *sched_dap_count(const char *text)
{
    static const char *const signs[] = {"==", ">=", "<=", ">", "<", "%", ""};
    const char *sign = "", *at = text + strspn(text, " ");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
            sign = signs[i];
            break;
        }
    at += strlen(sign);
    at += strspn(at, " ");
    size_t digits = strspn(at, "0123456789");
    if (!digits || digits > 9 || at[digits + strspn(at + digits, " ")] || strtol(at, NULL, 10) == 0)
        return NULL;
    return sched_format("%s %.*s", *sign ? sign : "==", (int)digits, at);
}

/* NULL: none. Caller frees. */
static char *condition_of(const struct sched_dap_breakpoint *b)
{
    int id = b->id;
    if (!b->count)
        return b->when ? sched_strdup(b->when) : NULL;
    char *count = sched_format("($isp_of_%d == $isp_process || ($isp_hits_%d = 0) == 0) && "
                               "($isp_of_%d = $isp_process) && "
                               "(($isp_hits_%d = $isp_hits_%d + 1) %s)%s",
                               id, id, id, id, id, b->count, *b->count == '%' ? " == 0" : "");
    if (!b->when)
        return count;
    char *both = sched_format("(%s) && %s", b->when, count);
    free(count);
    return both;
}

static bool tell_gdb(struct sched_gdb *g, const char *format, int number)
{
    char *command = sched_format("set $isp_%s = %d", format, number), *said = sched_gdb_console(g, command);
    bool ok = said;
    free(command);
    free(said);
    return ok;
}

static void prepare_count(struct sched_gdb *g, const struct sched_dap_breakpoint *b)
{
    char *of = sched_format("of_%d", b->id), *hits = sched_format("hits_%d", b->id);
    if (b->count) {
        tell_gdb(g, of, 0);
        tell_gdb(g, hits, 0);
    }
    free(of);
    free(hits);
}

/* ---- into gdb ---- */

static void note_failure(struct sched_dap_breakpoint *b, const char *why)
{
    free(b->message);
    b->message = sched_strdup(why);
}

static void put_at(struct sched_dap_breakpoint *b, int rank, struct sched_gdb *g, const char *place)
{
    struct sched_gdb_breakpoint in_gdb;
    char *condition = condition_of(b);
    bool ok = sched_gdb_break(g, place, condition, false, &in_gdb);
    free(condition);
    if (!ok) {
        note_failure(b, sched_gdb_error(g));
        return;
    }
    b->in_gdb[rank] = in_gdb.number;
    b->verified |= !in_gdb.is_pending;
    if (!in_gdb.is_pending && in_gdb.line && b->kind == SCHED_DAP_LINE)
        b->line = in_gdb.line;
    if (in_gdb.is_pending)
        note_failure(b, "the program has no code there (compile with -g)");
    sched_gdb_breakpoint_finish(&in_gdb);
}

static void put_line(struct sched_dap_breakpoint *b, int rank, struct sched_gdb *g)
{
    const char *slash = strrchr(b->path, '/');
    char *whole = sched_format("\"%s\":%d", b->path, b->line),
         *name = sched_format("\"%s\":%d", slash ? slash + 1 : b->path, b->line);
    put_at(b, rank, g, whole);
    if (!b->verified && slash) { /* it may have been compiled in another folder */
        if (b->in_gdb[rank])
            sched_gdb_break_delete(g, b->in_gdb[rank]);
        b->in_gdb[rank] = 0;
        put_at(b, rank, g, name);
    }
    free(whole);
    free(name);
}

static void put_watch(struct sched_dap_breakpoint *b, int rank, struct sched_gdb *g)
{
    static const char *const types[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    char *bytes = sched_format("*(%s *) %#llx", types[b->bytes.size], (unsigned long long)b->bytes.address);
    enum sched_gdb_access access =
        b->read ? b->written ? SCHED_GDB_TOUCHED : SCHED_GDB_READ : SCHED_GDB_WRITTEN;
    char *condition = condition_of(b);
    free(sched_gdb_console(g, "set language c")); /* whatever the frame's is */
    bool ok = sched_gdb_watch(g, 0, bytes, access, &b->in_gdb[rank]);
    free(sched_gdb_console(g, "set language auto"));
    if (ok && condition && !sched_gdb_break_when(g, b->in_gdb[rank], condition)) {
        note_failure(b, sched_gdb_error(g));
        sched_gdb_break_delete(g, b->in_gdb[rank]);
        b->in_gdb[rank] = 0;
    } else if (!ok)
        note_failure(b, sched_gdb_error(g));
    b->verified |= b->in_gdb[rank] > 0;
    free(condition);
    free(bytes);
}

static void put(struct sched_dap_breakpoint *b, int rank, struct sched_gdb *g)
{
    if (b->kind == SCHED_DAP_DATA && rank != b->bytes.rank)
        return;
    prepare_count(g, b);
    if (b->kind == SCHED_DAP_DATA)
        put_watch(b, rank, g);
    else if (b->kind == SCHED_DAP_LINE)
        put_line(b, rank, g);
    else
        put_at(b, rank, g, b->path);
}

void sched_dap_breakpoints_attached(struct sched_dap *dap, int rank)
{
    struct sched_gdb *g = dap->session->inferiors[rank].gdb;
    struct sched_dap_breakpoints *bs = dap->breakpoints;
    tell_gdb(g, "process", (int)sched_gdb_process(g));
    for (size_t i = 0; bs && i < bs->n; i++) {
        if (bs->all[i].kind == SCHED_DAP_DATA)
            bs->all[i].in_gdb[rank] = 0; /* it went with its process */
        if (!bs->all[i].in_gdb[rank])
            put(&bs->all[i], rank, g);
    }
}

/* ---- the list ---- */

static json_t *describe(const struct sched_dap *dap, const struct sched_dap_breakpoint *b)
{
    json_t *json = json_pack("{s:i,s:b}", "id", b->id, "verified", b->verified);
    if (b->kind == SCHED_DAP_LINE)
        json_object_set_new(json, "line", json_integer(b->line - 1 + dap->first_line));
    if (!b->verified && b->message)
        json_object_set_new(json, "message", sched_dap_text(b->message));
    return json;
}

json_t *sched_dap_breakpoint_add(struct sched_dap *dap, struct sched_dap_breakpoint b)
{
    struct sched_session *s = dap->session;
    if (!dap->breakpoints)
        dap->breakpoints = sched_alloc(1, sizeof *dap->breakpoints);
    struct sched_dap_breakpoints *bs = dap->breakpoints;
    b.id = ++bs->last;
    b.in_gdb = sched_alloc((size_t)s->n, sizeof *b.in_gdb);
    SCHED_GROW(bs->all, bs->n);
    bs->all[bs->n++] = b;
    for (int r = 0; r < s->n; r++) {
        /* one that is over has it when it is run again */
        bool over = sched_motion_standing(s, r) == SCHED_IS_OVER;
        bool concerns = b.kind != SCHED_DAP_DATA || r == b.bytes.rank;
        struct sched_gdb *g = concerns && !over ? sched_inferior_look(s, r) : NULL;
        struct sched_dap_breakpoint *now = &bs->all[bs->n - 1];
        if (!g && concerns && !over)
            note_failure(now, s->why);
        else if (g && !now->in_gdb[r])
            put(now, r, g);
    }
    return describe(dap, &bs->all[bs->n - 1]);
}

static void destroy(struct sched_dap *dap, struct sched_dap_breakpoint *b)
{
    for (int r = 0; dap->session && r < dap->session->n; r++)
        if (b->in_gdb[r] && dap->session->inferiors[r].gdb)
            sched_gdb_break_delete(dap->session->inferiors[r].gdb, b->in_gdb[r]);
    free(b->path);
    free(b->when);
    free(b->count);
    free(b->message);
    free(b->in_gdb);
}

void sched_dap_breakpoints_forget(struct sched_dap *dap, enum sched_dap_stop_kind kind, const char *path)
{
    struct sched_dap_breakpoints *bs = dap->breakpoints;
    size_t kept = 0, n = bs ? bs->n : 0;
    for (size_t i = 0; i < n; i++)
        if (bs->all[i].kind == kind && (!path || strcmp(bs->all[i].path, path) == 0))
            destroy(dap, &bs->all[i]);
        else
            bs->all[kept++] = bs->all[i];
    if (bs)
        bs->n = kept;
}

void sched_dap_breakpoints_destroy(struct sched_dap *dap)
{
    for (int kind = SCHED_DAP_LINE; kind <= SCHED_DAP_DATA; kind++)
        sched_dap_breakpoints_forget(dap, (enum sched_dap_stop_kind)kind, NULL);
    if (dap->breakpoints)
        free(dap->breakpoints->all);
    free(dap->breakpoints);
    dap->breakpoints = NULL;
}

const struct sched_dap_breakpoint *sched_dap_breakpoint_find(const struct sched_dap *dap, int rank,
                                                             int in_gdb)
{
    const struct sched_dap_breakpoints *bs = dap->breakpoints;
    for (size_t i = 0; bs && in_gdb && i < bs->n; i++)
        if (bs->all[i].in_gdb[rank] == in_gdb)
            return &bs->all[i];
    return NULL;
}
