/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Travels through an interleaving as `isp debug` does. First each rank is led through its events one after
 * the other, always forward; then all events of all ranks are visited in a random order, forward and back.
 * What is to be seen at an event must be the same: the place and the call with its arguments, the stack of
 * the program's own functions, and all their variables. At each visit the other ranks must be where the cut
 * has them.
 *
 * usage: travel SEED MOST [options of isp replay] -- PROGRAM [args]
 *
 * At most MOST events are visited at random; prints one line: "E events, V visits, D differ, L worlds, S s".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/event_log.h"
#include "base/now.h"
#include "debug/inferior.h"
#include "debug/session.h"
#include "debug/view.h"
#include "explore/part.h"
#include "isp/functions.h"
#include "launch/launch.h"
#include "options/parse.h"
#include "world/hold.h"

struct visit {
    struct sched_record_name event;
    char *seen;
};

struct travel {
    struct sched_session *session;
    struct visit *visits;
    size_t n;
    unsigned differ, compared;
    unsigned long long seed;
};

/* ---- what is to be seen ---- */

/* Where MPI and the C library have put things depends on what they did before, for any rank. */
static void put_without_addresses(const char *text, FILE *out)
{
    while (*text) {
        bool address = strncmp(text, "0x", 2) == 0;
        size_t n = address ? 2 + strspn(text + 2, "0123456789abcdef") : 1;
        fprintf(out, "%.*s", address ? 2 : 1, text);
        text += n;
    }
}

static void put_variables(struct sched_gdb *g, const struct sched_gdb_frame *frame, FILE *out)
{
    size_t n = 0;
    struct sched_gdb_value *values = sched_gdb_variables(g, frame->level, &n);
    for (size_t i = 0; i < n; i++) {
        bool is_address = values[i].type && strcmp(values[i].type, "pthread_t") == 0;
        fprintf(out, "  %s = ", values[i].name);
        put_without_addresses(is_address ? "0x" : values[i].value, out);
        fputc('\n', out);
    }
    if (values)
        sched_gdb_values_destroy(values, n);
}

static void put_frames(struct sched_session *s, int rank, FILE *out)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    if (!g)
        fprintf(out, "gdb: %s\n", s->why);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s:%d %s %s\n", frames[i].file ? frames[i].file : "?", frames[i].line,
                frames[i].function ? frames[i].function : "?", frames[i].call ? frames[i].call : "");
        if (frames[i].file) /* else it is none of the program's sources */
            put_variables(g, &frames[i], out);
    }
    if (frames)
        sched_gdb_frames_destroy(frames, n);
}

/* Caller frees. */
static char *look(struct sched_session *s, int rank)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    struct sched_view_row row = sched_view_rank(s, rank);
    fprintf(out, "%d:%u %s %s %s\n", row.event.rank, row.event.number, row.place, row.call ? row.call : "-",
            row.what ? row.what : "");
    sched_view_finish(&row);
    put_frames(s, rank, out);
    fclose(out);
    return sched_must(text);
}

/* ---- where the ranks are ---- */

static void complain(struct travel *t, struct sched_record_name event, const char *what)
{
    t->differ++;
    fprintf(stderr, "%d:%u: %s\n", event.rank, event.number, what);
}

/* Each rank has made as much as its limit allows, and waits where the cut says so. */
static void check_cut(struct travel *t, struct sched_record_name event)
{
    struct sched_session *s = t->session;
    int32_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    struct cuts_at *at = sched_alloc((size_t)s->n, sizeof *at);
    for (int r = 0; r < s->n; r++)
        limits[r] = (int32_t)s->limits[r];
    if (!cuts_state(s->cuts, limits, at))
        complain(t, event, "the cut is not consistent");
    for (int r = 0; r < s->n; r++) {
        struct sched_held_view view = sched_hold_view(s->now->s.world, r);
        if ((int64_t)view.at == at[r].issued && view.in_call == (at[r].done < at[r].issued))
            continue;
        char *what = sched_format("rank %d is %s %llu, and the cut has it %s %d", r,
                                  view.in_call ? "in the call before" : "at", (unsigned long long)view.at,
                                  at[r].done < at[r].issued ? "in the call before" : "at", at[r].issued);
        complain(t, event, what);
        free(what);
    }
    free(limits);
    free(at);
}

static bool go(struct travel *t, struct sched_record_name event)
{
    if (sched_session_go_to(t->session, event)) {
        check_cut(t, event);
        return true;
    }
    complain(t, event, t->session->why);
    return false;
}

/* ---- the two travels ---- */

/* Events in the middle of a call cannot be stood at. */
static bool begins_call(const struct sched_session *s, struct sched_record_name event)
{
    return !(sched_record_find(s->record, event)->call.flags & ISP_F_CONTINUES);
}

static bool is_reached(struct sched_session *s, struct sched_record_name event)
{
    uint64_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    bool is = sched_cut_at(s->cuts, event, limits);
    free(limits);
    return is;
}

static void go_straight(struct travel *t, unsigned long most)
{
    struct sched_session *s = t->session;
    for (int r = 0; r < s->n; r++)
        for (uint32_t k = 0; k < s->record->of[r].n && k < most; k++) {
            struct sched_record_name event = {r, k};
            if (!begins_call(s, event))
                continue;
            if (!is_reached(s, event)) {
                complain(t, event, "it was made, and the cuts do not know how");
                continue;
            }
            SCHED_GROW(t->visits, t->n);
            t->visits[t->n++] = (struct visit){event, go(t, event) ? look(s, r) : NULL};
        }
}

static unsigned long random_below(struct travel *t, unsigned long n)
{
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned long)(t->seed >> 33) % n;
}

static void shuffle(struct travel *t)
{
    for (size_t i = t->n; i > 1; i--) {
        size_t k = random_below(t, i);
        struct visit swapped = t->visits[i - 1];
        t->visits[i - 1] = t->visits[k];
        t->visits[k] = swapped;
    }
}

enum { PLAIN_MOST = 50 };

/* plain: by a launch each time. */
static void go_anywhere(struct travel *t, unsigned long most, bool plain)
{
    t->session->stands.plain = plain;
    shuffle(t);
    for (size_t i = 0; i < t->n && i < most; i++) {
        const struct visit *v = &t->visits[i];
        if (plain)
            sched_session_leave(t->session);
        if (!v->seen || !go(t, v->event))
            continue;
        char *seen = look(t->session, v->event.rank);
        t->compared++;
        if (strcmp(seen, v->seen) != 0) {
            complain(t, v->event, "differs");
            fprintf(stderr, "--- at first\n%s--- now\n%s", v->seen, seen);
        }
        free(seen);
    }
}

/* ---- one program ---- */

static bool has_threads(const struct sched_session *s)
{
    for (int r = 0; r < s->n; r++)
        if (s->record->of[r].threads)
            return true;
    return false;
}

static int travel(struct sched_session *s, unsigned long long seed, unsigned long most)
{
    struct travel t = {.session = s, .seed = seed};
    double began_s = sched_now_s();
    if (has_threads(s)) {
        printf("skipped: ranks with several threads do not hold\n");
        return 0;
    }
    go_straight(&t, most);
    go_anywhere(&t, most, false);
    go_anywhere(&t, most < PLAIN_MOST ? most : PLAIN_MOST, true);
    printf("%zu events, %u visits, %u differ, %u worlds, %.1f s\n", t.n, t.compared, t.differ,
           s->stands.launched, sched_now_s() - began_s);
    for (size_t i = 0; i < t.n; i++)
        free(t.visits[i].seen);
    free(t.visits);
    return t.differ > 0;
}

static void ignore(void *context, int rank, bool error, const char *text) {}

int main(int argc, char **argv)
{
    struct sched_options options;
    struct sched_result result;
    char *why = NULL;
    unsigned long long seed = strtoull(argv[1], NULL, 10);
    unsigned long most = strtoul(argv[2], NULL, 10);
    argv[1] = (char *)"isp";
    argv[2] = (char *)"replay";
    sched_launch_remember();
    sched_event_log_begin();
    sched_options_parse(&options, argc - 1, argv + 1);
    sched_part_init(&result, &options, sched_sites_create());
    options.begun_s = sched_now_s();
    static const struct sched_session_user user = {.printed = ignore};
    struct sched_session *s = sched_session_create(&user, &options, &result, &why);
    int code = s ? travel(s, seed, most) : 2;
    if (!s)
        printf("no session: %s\n", why);
    free(why);
    sched_session_destroy(s);
    struct sched_sites *sites = result.sites;
    sched_part_finish(&result);
    sched_sites_destroy(sites);
    sched_options_finish(&options);
    return code;
}
