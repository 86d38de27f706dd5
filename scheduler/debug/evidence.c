/* SPDX-License-Identifier: BSD-3-Clause */
/* See evidence.h. */
#include "evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "motion.h"
#include "sites/sites.h"
#include "view.h"
#include "world/hold.h"

/* ---- from the result ---- */

static bool is_known_at_the_end(const char *rule)
{
    static const char *const rules[] = {"missing-wait", "lost-message", "no-finalize",
                                        "deadlock",     "livelock",     "unsafe-buffering"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rule, rules[i]) == 0)
            return true;
    return strncmp(rule, "leak-", 5) == 0;
}

static char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return sched_strdup(text ? text : "");
}

static struct sched_evidence_site site_of(const json_t *site)
{
    const json_t *rank = json_object_get(site, "rank");
    return (struct sched_evidence_site){.rank = json_is_integer(rank) ? (int)json_integer_value(rank) : -1,
                                        .line = (int)json_integer_value(json_object_get(site, "line")),
                                        .file = text_of(site, "file"),
                                        .function = text_of(site, "function"),
                                        .is_call = json_is_string(json_object_get(site, "call"))};
}

void sched_evidence_init(struct sched_evidence *e, const json_t *finding)
{
    const json_t *sites = json_object_get(finding, "sites");
    const char *rule = json_string_value(json_object_get(finding, "rule"));
    *e = (struct sched_evidence){.at_end = rule && is_known_at_the_end(rule)};
    e->sites = sched_alloc(json_array_size(sites), sizeof *e->sites);
    while (e->n < json_array_size(sites)) {
        e->sites[e->n] = site_of(json_array_get(sites, e->n));
        e->n++;
    }
}

void sched_evidence_finish(struct sched_evidence *e)
{
    for (unsigned i = 0; i < e->n; i++) {
        free(e->sites[i].file);
        free(e->sites[i].function);
    }
    free(e->sites);
    *e = (struct sched_evidence){0};
}

/* ---- in the session ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Files may be named from another folder. */
static bool is_at(const struct sched_session *s, uint32_t site, const struct sched_evidence_site *wanted)
{
    const struct sched_location *at = sched_sites_find(s->engine.result->sites, site);
    return at->file && at->line == wanted->line && strcmp(base_name(at->file), base_name(wanted->file)) == 0;
}

/* The last of the rank's calls there. */
static bool find_call(const struct sched_session *s, const struct sched_evidence_site *site,
                      struct sched_record_name *name)
{
    uint32_t k = site->rank >= 0 && site->rank < s->n ? s->record->of[site->rank].n : 0;
    while (k > 0) {
        const struct sched_record_event *e = &s->record->of[site->rank].events[--k];
        *name = (struct sched_record_name){site->rank, k};
        if (is_at(s, e->call.site, site) && !(e->call.flags & ISP_F_CONTINUES))
            return true;
    }
    return false;
}

/* Of the operation whose memory it is. */
static bool find_call_before(const struct sched_session *s, const struct sched_evidence *e,
                             struct sched_record_name *name)
{
    for (unsigned i = 1; i < e->n; i++)
        if (e->sites[i].is_call && e->sites[i].rank == e->sites[0].rank && find_call(s, &e->sites[i], name))
            return true;
    return false;
}

/* Runs the rank to the line, when it first comes there. */
static bool go_to_line(struct sched_session *s, const struct sched_evidence_site *site)
{
    bool *set = sched_alloc((size_t)s->n, sizeof *set);
    char *place = sched_format("%s:%d", base_name(site->file), site->line);
    set[site->rank] = true;
    struct sched_motion motion = {.set = set, .move = SCHED_GDB_UNTIL, .place = place};
    bool there = false;
    for (int tries = 0; tries < 2 && !there; tries++) { /* a call of Fortran's may come back to its line */
        enum sched_motion_end end = sched_motion_make(s, &motion);
        struct sched_view_row row = sched_view_rank(s, site->rank);
        there = end != SCHED_MOTION_FAILED && s->inferiors[site->rank].at_line && row.line == site->line;
        sched_view_finish(&row);
    }
    free(place);
    free(set);
    return there;
}

/* Accesses, and calls that are no events: from the call of the operation on, or from the beginning. */
static bool go_between(struct sched_session *s, const struct sched_evidence *e)
{
    struct sched_record_name name;
    bool ok = find_call_before(s, e, &name) ? sched_session_go_to(s, name)
                                            : sched_session_go_to_start(s, e->sites[0].rank);
    return ok && go_to_line(s, &e->sites[0]);
}

/* It has died there, or is there and waits. */
static bool is_there(const struct sched_session *s, const struct sched_evidence_site *site)
{
    struct sched_held_view view = sched_hold_view(s->now->s.world, site->rank);
    return view.stopped || is_at(s, sched_world_rank(s->now->s.world, site->rank).site, site);
}

void sched_evidence_go(const struct sched_evidence *e, struct sched_session *s)
{
    const struct sched_evidence_site *first = e->n ? &e->sites[0] : NULL;
    struct sched_record_name name;
    if (!first || first->rank < 0 || first->rank >= s->n)
        return;
    s->focus = first->rank;
    if (e->at_end || is_there(s, first))
        return;
    bool ok = first->is_call && find_call(s, first, &name) ? sched_session_go_to(s, name)
                                                           : first->line > 0 && go_between(s, e);
    if (!ok)
        sched_session_go(s, s->last, first->rank);
}
