/* SPDX-License-Identifier: BSD-3-Clause */
/* See stops.h. */
#include "stops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "debug/breaks.h"
#include "debug/inferior.h"

struct stop {
    int number;
    char *text;  /* as it was asked for */
    int *in_gdb; /* its number in each rank's gdb; 0: it is not for this rank */
    struct stop *next;
};

struct sched_stops {
    struct sched_session *session;
    struct stop *all;
    int last;
};

struct sched_stops *sched_stops_create(struct sched_session *session)
{
    struct sched_stops *stops = sched_alloc(1, sizeof *stops);
    stops->session = session;
    session->breaks = sched_breaks_create(session->n);
    return stops;
}

static void destroy(struct stop *stop)
{
    free(stop->text);
    free(stop->in_gdb);
    free(stop);
}

void sched_stops_destroy(struct sched_stops *stops)
{
    while (stops && stops->all) {
        struct stop *first = stops->all;
        stops->all = first->next;
        destroy(first);
    }
    if (stops) {
        sched_breaks_destroy(stops->session->breaks);
        stops->session->breaks = NULL;
    }
    free(stops);
}

static struct stop *create(struct sched_stops *stops, const char *text)
{
    struct stop *stop = sched_alloc(1, sizeof *stop), **end = &stops->all;
    *stop = (struct stop){.number = ++stops->last, .text = sched_strdup(text)};
    stop->in_gdb = sched_alloc((size_t)stops->session->n, sizeof *stop->in_gdb);
    while (*end)
        end = &(*end)->next;
    *end = stop;
    return stop;
}

bool sched_stops_add_place(struct sched_stops *stops, const char *text, const bool *set, bool once)
{
    struct sched_session *s = stops->session;
    const char *condition = strstr(text, " if ");
    char *place = sched_must(strndup(text, condition ? (size_t)(condition - text) : strlen(text)));
    struct stop *stop = create(stops, text);
    bool ok = true;
    for (int r = 0; r < s->n && ok; r++) {
        struct sched_gdb_breakpoint b;
        struct sched_gdb *g = set[r] ? sched_inferior_look(s, r) : NULL;
        if (!set[r])
            continue;
        ok = g && sched_gdb_break(g, place, condition ? condition + 4 : NULL, once, &b);
        if (!ok) {
            if (g)
                sched_session_fail(s, "%s", sched_gdb_error(g));
            continue;
        }
        stop->in_gdb[r] = b.number;
        ok = !b.is_pending || sched_session_fail(s, "rank %d has no such place: %s", r, place);
        sched_gdb_breakpoint_finish(&b);
    }
    if (ok)
        printf("breakpoint %d at %s\n", stop->number, text);
    else
        sched_stops_delete(stops, stop->number);
    free(place);
    return ok;
}

bool sched_stops_add_message(struct sched_stops *stops, const char *text, const bool *set)
{
    struct sched_session *s = stops->session;
    struct sched_message_break what;
    char *why;
    if (!sched_message_break_parse(&what, text, s->n, &why)) {
        sched_session_fail(s, "%s", why);
        free(why);
        return false;
    }
    struct stop *stop = create(stops, text);
    uint64_t n = sched_breaks_add(s, stop->number, &what, set);
    printf("breakpoint %d at %s: %" PRIu64 " event%s of this interleaving\n", stop->number, text, n,
           n == 1 ? "" : "s");
    return true;
}

bool sched_stops_add_watch(struct sched_stops *stops, const char *expression, const bool *set,
                           const int *level)
{
    struct sched_session *s = stops->session;
    char *text = sched_format("watch %s", expression);
    struct stop *stop = create(stops, text);
    bool ok = true;
    for (int r = 0; r < s->n && ok; r++) {
        int at;
        struct sched_gdb *g = set[r] ? sched_inferior_look_at(s, r, level[r], &at) : NULL;
        if (!set[r])
            continue;
        ok = g && sched_gdb_watch(g, at, expression, SCHED_GDB_WRITTEN, &stop->in_gdb[r]);
        if (!ok && g)
            sched_session_fail(s, "%s", sched_gdb_error(g));
    }
    if (ok)
        printf("watchpoint %d: %s\n", stop->number, expression);
    else
        sched_stops_delete(stops, stop->number);
    free(text);
    return ok;
}

bool sched_stops_delete(struct sched_stops *stops, long number)
{
    struct sched_session *s = stops->session;
    bool any = number == 0;
    for (struct stop **at = &stops->all; *at;) {
        struct stop *stop = *at;
        if (number && stop->number != number) {
            at = &stop->next;
            continue;
        }
        for (int r = 0; r < s->n; r++)
            if (stop->in_gdb[r] && s->inferiors[r].gdb)
                sched_gdb_break_delete(s->inferiors[r].gdb, stop->in_gdb[r]);
        sched_breaks_delete(s->breaks, stop->number);
        any = true;
        *at = stop->next;
        destroy(stop);
    }
    return any || sched_session_fail(s, "there is no breakpoint %ld: info breakpoints lists them", number);
}

void sched_stops_put(const struct sched_stops *stops)
{
    if (!stops->all)
        puts("no breakpoints");
    for (const struct stop *stop = stops->all; stop; stop = stop->next) {
        printf("%d  %s  ranks", stop->number, stop->text);
        const bool *of = sched_breaks_ranks(stops->session->breaks, stop->number);
        for (int r = 0; r < stops->session->n; r++)
            if (of ? of[r] : stop->in_gdb[r] != 0)
                printf(" %d", r);
        puts("");
    }
}
