/* SPDX-License-Identifier: BSD-3-Clause */
#include "path.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/words.h"
#include "isp/functions.h"

enum { MOST = 1 << 18 };

struct sched_path *sched_path_create(void) { return sched_alloc(1, sizeof(struct sched_path)); }

void sched_path_destroy(struct sched_path *path)
{
    if (path) {
        free(path->choices);
        free(path->alternatives);
    }
    free(path);
}

static struct sched_path_choice *add_choice(struct sched_path *path, const struct sched_path_choice *choice)
{
    if (path->n == path->room)
        path->choices =
            sched_grow(path->choices, path->room = path->room ? 2 * path->room : 16, sizeof *path->choices);
    path->choices[path->n] = *choice;
    path->choices[path->n].first = path->n_alternatives;
    path->choices[path->n].n = 0;
    return &path->choices[path->n++];
}

/* To the last choice. */
static void add_alternative(struct sched_path *path, const struct sched_path_alternative *a)
{
    if (path->n_alternatives == path->room_alternatives)
        path->alternatives =
            sched_grow(path->alternatives,
                       path->room_alternatives = path->room_alternatives ? 2 * path->room_alternatives : 16,
                       sizeof *path->alternatives);
    path->alternatives[path->n_alternatives++] = *a;
    path->choices[path->n - 1].n++;
}

struct sched_path *sched_path_copy(const struct sched_path *path, unsigned from)
{
    if (!path)
        return NULL;
    struct sched_path *copy = sched_path_create();
    copy->from = from > path->from ? from : path->from;
    for (unsigned i = copy->from - path->from; i < path->n; i++) {
        add_choice(copy, &path->choices[i]);
        for (uint32_t k = 0; k < path->choices[i].n; k++)
            add_alternative(copy, &path->alternatives[path->choices[i].first + k]);
    }
    return copy;
}

static void begin(void *self, const struct sched_run *run, unsigned n)
{
    struct sched_path *path = self;
    if (n >= path->n)
        return;
    path->n = n;
    path->n_alternatives = path->choices[n].first;
}

static struct sched_path_alternative describe(struct poe *poe, const struct poe_transition *of,
                                              const struct poe_alternative *a)
{
    struct sched_path_alternative to = {.kind = a->kind, .rank = -1};
    const struct poe_transition *t = a->kind == POE_TAKE_MESSAGE ? a->send : NULL;
    if (a->kind == POE_TAKE_MESSAGE)
        to.rank = a->source;
    if (a->kind == POE_TAKE_SUBSET) {
        to.n = a->n;
        for (uint32_t i = 0; i < a->n && a->positions[i] < 64; i++)
            to.positions |= UINT64_C(1) << a->positions[i];
        if (a->n == 1 && of->call.op == ISP_OP_COMPLETE && a->positions[0] < of->call.n)
            t = poe_operation(poe, of->rank, of->call.list[a->positions[0]]);
    }
    if (t) {
        to.fn = t->call.fn;
        to.site = t->call.site;
    }
    return to;
}

static void decide(void *self, struct sched_run *run, const struct poe_choice *choice, unsigned taken)
{
    struct sched_path *path = self;
    if (path->n != choice->number || path->n_alternatives + choice->n > MOST)
        return;
    const struct poe_transition *t = choice->transition;
    add_choice(path, &(struct sched_path_choice){.rank = t->rank,
                                                 .fn = t->call.fn,
                                                 .op = (uint8_t)t->call.op,
                                                 .mode = (uint8_t)t->call.mode,
                                                 .site = t->call.site});
    for (unsigned i = 0; i < choice->n; i++) {
        struct sched_path_alternative a = describe(run->poe, t, &choice->alternatives[i]);
        add_alternative(path, &a);
    }
}

const struct sched_listener sched_path_listener = {.begin = begin, .decide = decide};

const struct sched_path_choice *sched_path_find(const struct sched_path *path, unsigned number)
{
    return path && number >= path->from && number - path->from < path->n ? &path->choices[number - path->from]
                                                                         : NULL;
}

/* ---- words ---- */

static char *subset_words(const struct sched_path_choice *choice, const struct sched_path_alternative *a,
                          struct sched_sites *sites)
{
    if (choice->mode == ISP_COMPLETE_ALL)
        return sched_strdup("succeeds");
    char *text = sched_format("completes request%s", a->n == 1 ? "" : "s");
    for (int i = 0, told = 0; i < 64; i++)
        if (a->positions >> i & 1)
            sched_words_add(&text, told++ ? ", %d" : " %d", i);
    if (a->n == 1 && a->fn) {
        char *place = sched_sites_words(sites, a->site);
        sched_words_add(&text, " (%s at %s)", isp_fn_name((enum isp_fn)a->fn), place);
        free(place);
    }
    return text;
}

static char *message_words(const struct sched_path_choice *choice, const struct sched_path_alternative *a,
                           struct sched_sites *sites)
{
    char *text =
        sched_format("%s the message of rank %d", choice->op == ISP_OP_PROBE ? "finds" : "takes", a->rank);
    if (a->fn) {
        char *place = sched_sites_words(sites, a->site);
        sched_words_add(&text, ", sent at %s", place);
        free(place);
    }
    return text;
}

/* A lock, a turn or an atomic access. */
static char *visit_words(const struct sched_path_choice *choice, unsigned taken)
{
    bool lock = choice->mode == ISP_LOCK_SHARED || choice->mode == ISP_LOCK_EXCLUSIVE;
    if (taken >= choice->n)
        return sched_strdup(lock ? "gets the lock after another rank" : "comes after that of another rank");
    return sched_strdup(lock ? "gets the lock" : "comes first");
}

char *sched_path_words(const struct sched_path *path, const struct sched_path_choice *choice, unsigned taken,
                       struct sched_sites *sites)
{
    bool message = choice->op == ISP_OP_RECV || choice->op == ISP_OP_PROBE;
    if (choice->op == ISP_OP_LOCK)
        return visit_words(choice, taken);
    bool thread = choice->n && path->alternatives[choice->first].kind == POE_ADMIT;
    if (thread)
        return sched_strdup(taken ? "comes after a call of another thread that competes with it"
                                  : "comes before other threads' calls");
    if (taken >= choice->n) /* *later* */
        return sched_strdup(message ? "waits for a message that comes later"
                                    : "waits for what completes later");
    const struct sched_path_alternative *a = &path->alternatives[choice->first + taken];
    switch (a->kind) {
    case POE_TAKE_MESSAGE: return message_words(choice, a, sites);
    case POE_TAKE_SUBSET: return subset_words(choice, a, sites);
    case POE_NOT_YET: return sched_strdup("says \"not yet\"");
    default: return sched_strdup("gets no message before it is cancelled");
    }
}

/* ---- for another process ---- */

json_t *sched_path_write(const struct sched_path *path, json_t *(*site)(const struct sched_sites *, uint32_t),
                         const struct sched_sites *sites)
{
    json_t *choices = json_array();
    for (unsigned i = 0; i < path->n; i++) {
        const struct sched_path_choice *c = &path->choices[i];
        json_t *alternatives = json_array();
        for (uint32_t k = 0; k < c->n; k++) {
            const struct sched_path_alternative *a = &path->alternatives[c->first + k];
            json_array_append_new(alternatives,
                                  json_pack("[i, i, i, o, i, I]", (int)a->kind, (int)a->fn, a->rank,
                                            site(sites, a->site), (int)a->n, (json_int_t)a->positions));
        }
        json_array_append_new(choices, json_pack("[i, i, i, i, o, o]", c->rank, (int)c->fn, (int)c->op,
                                                 (int)c->mode, site(sites, c->site), alternatives));
    }
    return json_pack("{s:i, s:o}", "from", (int)path->from, "choices", choices);
}

static bool read_alternative(struct sched_path *path, json_t *json,
                             uint32_t (*site)(struct sched_sites *, const json_t *),
                             struct sched_sites *sites)
{
    int kind, fn, rank, n;
    json_t *at;
    json_int_t positions;
    if (json_unpack(json, "[i, i, i, o, i, I]", &kind, &fn, &rank, &at, &n, &positions) != 0 || fn < 0 ||
        fn >= ISP_FN_COUNT || n < 0)
        return false;
    add_alternative(path, &(struct sched_path_alternative){.kind = (enum poe_alternative_kind)kind,
                                                           .fn = (uint16_t)fn,
                                                           .rank = rank,
                                                           .site = site(sites, at),
                                                           .n = (uint32_t)n,
                                                           .positions = (uint64_t)positions});
    return true;
}

struct sched_path *sched_path_read(const json_t *json, uint32_t (*site)(struct sched_sites *, const json_t *),
                                   struct sched_sites *sites)
{
    struct sched_path *path = sched_path_create();
    json_t *choices;
    int from;
    bool ok = json_unpack((json_t *)json, "{s:i, s:o}", "from", &from, "choices", &choices) == 0 && from >= 0;
    path->from = ok ? (unsigned)from : 0;
    for (size_t i = 0; ok && i < json_array_size(choices); i++) {
        int rank, fn, op, mode;
        json_t *at, *alternatives;
        ok = json_unpack(json_array_get(choices, i), "[i, i, i, i, o, o]", &rank, &fn, &op, &mode, &at,
                         &alternatives) == 0 &&
             fn >= 0 && fn < ISP_FN_COUNT;
        if (ok)
            add_choice(path, &(struct sched_path_choice){.rank = rank,
                                                         .fn = (uint16_t)fn,
                                                         .op = (uint8_t)op,
                                                         .mode = (uint8_t)mode,
                                                         .site = site(sites, at)});
        for (size_t k = 0; ok && k < json_array_size(alternatives); k++)
            ok = read_alternative(path, json_array_get(alternatives, k), site, sites);
    }
    if (ok)
        return path;
    sched_path_destroy(path);
    return NULL;
}
