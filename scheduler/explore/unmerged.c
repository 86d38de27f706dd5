/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See unmerged.h. A situation is what poe knows, without how often polls have failed. There are places for a
 * few of them; one that has been compared often, or has not come up for long, gives its place away.
 */
#include "unmerged.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/differs.h"
#include "run/run.h"
#include "sites/places.h"
#include "words/words.h"
#include "world/states.h"

enum {
    OFTEN = 6,        /* comparisons of one place */
    STALE = 64,       /* states, in which a place did not come up */
    MOST_PAIRS = 128, /* that are compared in all */
    LONGEST = 120,    /* of what is shown of names */
};

struct kept {
    bool used;
    struct poe_key situation;
    uint64_t launched; /* it is in the memory of this launch */
    struct state {
        uint64_t low, high;
    } * ranks;
    unsigned compared;
    uint64_t at; /* when it came up last */
};

struct sched_unmerged {
    struct sched_aparts *result;
    struct kept kept[ISP_COMPARE_SLOTS];
    uint64_t looks;
};

struct sched_unmerged *sched_unmerged_create(struct sched_aparts *result)
{
    struct sched_unmerged *u = sched_alloc(1, sizeof *u);
    u->result = result;
    return u;
}

void sched_unmerged_destroy(struct sched_unmerged *u)
{
    for (unsigned i = 0; u && i < ISP_COMPARE_SLOTS; i++)
        free(u->kept[i].ranks);
    free(u);
}

/* ---- what was found ---- */

void sched_aparts_finish(struct sched_aparts *a)
{
    for (size_t i = 0; i < a->n; i++) {
        free(a->all[i].what);
        free(a->all[i].values);
        free(a->all[i].option);
        free(a->all[i].hint);
    }
    free(a->all);
    *a = (struct sched_aparts){0};
}

/* The end of an index, "[12]", "(12)" or one of several, "[...]"; NULL: it is none. */
static const char *index_end(const char *at)
{
    const char *end = at + 1 + strspn(at + 1, "-0123456789.,");
    return end > at + 1 && ((*at == '[' && *end == ']') || (*at == '(' && *end == ')')) ? end : NULL;
}

/* The name of both, if they are elements of one array: NULL: they are not. */
static char *join(const char *a, const char *b)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    while (*a && *b) {
        const char *a_end = index_end(a), *b_end = index_end(b);
        bool both = a_end && b_end && *a == *b;
        if (both && (a_end - a != b_end - b || strncmp(a, b, (size_t)(a_end - a)) != 0)) {
            fprintf(out, "%c...", *a);
            a = a_end;
            b = b_end;
        }
        if (*a != *b)
            break;
        fputc(*a, out);
        a++;
        b++;
    }
    bool same = *a == *b;
    fclose(out);
    if (!same)
        free(text);
    return same ? sched_must(text) : NULL;
}

static void add(struct sched_aparts *a, const struct sched_apart *one)
{
    char *joined = NULL;
    for (size_t i = 0; i < a->n; i++)
        if ((joined = join(a->all[i].what, one->what))) {
            free(a->all[i].what);
            a->all[i].what = joined;
            a->all[i].count += one->count;
            a->all[i].alone += one->alone;
            a->all[i].rank = a->all[i].rank == one->rank ? one->rank : -1;
            return;
        }
    a->all = sched_grow(a->all, a->n + 1, sizeof *a->all);
    a->all[a->n++] = (struct sched_apart){sched_strdup(one->what),
                                          one->rank,
                                          sched_strdup(one->values),
                                          sched_strdup(one->option),
                                          sched_strdup(one->hint),
                                          one->count,
                                          one->alone};
}

void sched_aparts_merge(struct sched_aparts *a, const struct sched_aparts *more)
{
    for (size_t i = 0; i < more->n; i++)
        add(a, &more->all[i]);
    a->compared += more->compared;
}

static int by_count(const void *x, const void *y)
{
    const struct sched_apart *a = x, *b = y;
    if (a->alone != b->alone)
        return (a->alone < b->alone) - (a->alone > b->alone);
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count) : strcmp(a->what, b->what);
}

void sched_aparts_sort(struct sched_aparts *a)
{
    if (a->n)
        qsort(a->all, a->n, sizeof *a->all, by_count);
}

json_t *sched_aparts_write(const struct sched_aparts *a)
{
    json_t *all = json_array();
    for (size_t i = 0; i < a->n; i++)
        json_array_append_new(all, json_pack("[s, i, s, s, s, I, I]", a->all[i].what, a->all[i].rank,
                                             a->all[i].values, a->all[i].option, a->all[i].hint,
                                             (json_int_t)a->all[i].count, (json_int_t)a->all[i].alone));
    return json_pack("{s:o, s:I}", "all", all, "compared", (json_int_t)a->compared);
}

bool sched_aparts_read(struct sched_aparts *a, const json_t *json)
{
    json_t *all;
    json_int_t compared, count, alone;
    if (!json)
        return true;
    if (json_unpack((json_t *)json, "{s:o, s:I}", "all", &all, "compared", &compared) != 0 || compared < 0)
        return false;
    a->compared += (uint64_t)compared;
    for (size_t i = 0; i < json_array_size(all); i++) {
        struct sched_apart one;
        if (json_unpack(json_array_get(all, i), "[s, i, s, s, s, I, I]", &one.what, &one.rank, &one.values,
                        &one.option, &one.hint, &count, &alone) != 0 ||
            count < 0 || alone < 0)
            return false;
        one.count = (uint64_t)count;
        one.alone = (uint64_t)alone;
        add(a, &one);
    }
    return true;
}

/* ---- in words ---- */

static char *value_words(const struct sched_variable *v, uint64_t old, uint64_t now)
{
    unsigned bits = (unsigned)v->bytes * 8;
    int64_t a = (int64_t)(old << (64 - bits)) >> (64 - bits),
            b = (int64_t)(now << (64 - bits)) >> (64 - bits);
    float f[2];
    double d[2];
    if (v->kind == SCHED_VALUE_SIGNED)
        return sched_format("%" PRId64 ", %" PRId64, a, b);
    if (v->kind == SCHED_VALUE_UNSIGNED)
        return sched_format("%" PRIu64 ", %" PRIu64, old, now);
    if (v->kind == SCHED_VALUE_POINTER)
        return sched_format("0x%" PRIx64 ", 0x%" PRIx64, old, now);
    if (v->kind == SCHED_VALUE_FLOAT && v->bytes == sizeof *d) {
        memcpy(&d[0], &old, sizeof *d);
        memcpy(&d[1], &now, sizeof *d);
        return sched_format("%.9g, %.9g", d[0], d[1]);
    }
    if (v->kind == SCHED_VALUE_FLOAT && v->bytes == sizeof *f) {
        memcpy(&f[0], &old, sizeof *f);
        memcpy(&f[1], &now, sizeof *f);
        return sched_format("%.6g, %.6g", (double)f[0], (double)f[1]);
    }
    return sched_strdup("");
}

/* What it was and is, if that lies within the word whose byte `at` belongs to it. */
static char *values_of(const struct sched_variable *v, uint64_t old, uint64_t now, unsigned at)
{
    if (!v->bytes || v->bytes > 8 || v->before > at || at - v->before + v->bytes > 8)
        return sched_strdup("");
    unsigned shift = (unsigned)(at - v->before) * 8;
    uint64_t mask = v->bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * v->bytes) - 1;
    return value_words(v, old >> shift & mask, now >> shift & mask);
}

static bool find_behind(struct sched_sites *sites, const struct isp_difference *d, unsigned at,
                        struct sched_variable *v)
{
    for (unsigned i = 0; i < ISP_DIFFERS_WAYS; i++)
        if (sched_place_on_way(sites, &d->ways[i], at, v))
            return true;
    return false;
}

static const char *base_name(const struct isp_place *p, char *room, size_t size)
{
    uint32_t start = p->module_length;
    while (start > 0 && p->module[start - 1] != '/')
        start--;
    snprintf(room, size, "%.*s", (int)(p->module_length - start), p->module + start);
    return room;
}

/* Of what no variable is known. */
static char *place_words(struct sched_sites *sites, const struct isp_difference *d)
{
    char room[LONGEST];
    const struct isp_place *p = &d->place;
    char *module = sched_must(strndup(p->module ? p->module : "", p->module_length)), *words;
    base_name(p, room, sizeof room);
    bool is_libc = strncmp(room, "libc.so", 7) == 0;
    if (p->kind == ISP_PLACE_MODULE && is_libc)
        words = sched_strdup("what the C library remembers (random numbers, streams, what was freed)");
    else if (p->kind == ISP_PLACE_MODULE || p->kind == ISP_PLACE_THREAD)
        words = sched_format("data of %s, at 0x%" PRIx64 " of it", room, p->offset);
    else if (p->kind == ISP_PLACE_FRAME) {
        uint32_t site = sched_sites_intern(sites, module, p->module_length, p->offset);
        const struct sched_location *at = sched_sites_find(sites, site);
        words = at->function ? sched_format("what has no name in the frame of %s", at->function)
                             : sched_format("the frame of a function of %s", room);
    } else if (p->kind == ISP_PLACE_START)
        words = sched_strdup("the arguments or the environment");
    else
        words = sched_strdup("memory to which no variable leads (of the heap, or mapped)");
    free(module);
    return words;
}

struct noting {
    struct sched_sites *sites;
    int rank;
    struct sched_aparts pair; /* what this pair has shown so far: each counts once */
    bool named;               /* of this rank, a variable */
    struct sched_aparts rest; /* what has no name: of interest if nothing has one */
    bool more;                /* differs than what is in `pair` */
};

/* Several ranks, or members of an array, make it no more than one. */
static void add_once(struct sched_aparts *a, const struct sched_apart *one)
{
    add(a, one);
    for (size_t i = 0; i < a->n; i++)
        a->all[i].count = 1;
}

/* Takes subject and values. */
static void note(struct noting *n, char *subject, char *values, const char *option, const char *hint)
{
    add_once(&n->pair, &(struct sched_apart){subject, n->rank, values, (char *)(option ? option : ""),
                                             (char *)hint, 1, 0});
    free(subject);
    free(values);
}

static void note_variable(struct noting *n, const struct sched_variable *v, char *values)
{
    char *subject =
        v->file && v->line ? sched_format("%s (%s:%d)", v->name, v->file, v->line) : sched_strdup(v->name);
    n->named = true;
    note(n, subject, values, v->option, v->is_status ? "MPI_STATUS_IGNORE keeps nothing" : "");
}

static void note_rest(struct noting *n, char *subject)
{
    add_once(&n->rest, &(struct sched_apart){subject, n->rank, "", "", "", 1, 0});
    free(subject);
}

/* Each variable that has a byte in the word. Returns true if one was named. */
static bool note_word(struct noting *n, const struct isp_difference *d, unsigned word)
{
    uint64_t old = d->old[word], now = d->now[word];
    bool any = false;
    for (unsigned at = 0; at < 8; at++) {
        struct sched_variable v;
        if ((old >> 8 * at & 0xff) == (now >> 8 * at & 0xff))
            continue;
        if (!sched_place_variable(n->sites, &d->place, 8 * word + at, &v) &&
            !find_behind(n->sites, d, 8 * word + at, &v))
            continue;
        note_variable(n, &v, values_of(&v, old, now, at));
        if (v.bytes > v.before)
            at += (unsigned)(v.bytes - v.before < 8 ? v.bytes - v.before : 8) - 1;
        sched_variable_finish(&v);
        any = true;
    }
    return any;
}

static void note_run(struct noting *n, const struct isp_difference *d)
{
    uint64_t words = d->n_words < ISP_DIFFERS_WORDS ? d->n_words : ISP_DIFFERS_WORDS;
    bool any = false;
    for (unsigned i = 0; i < words; i++)
        any |= note_word(n, d, i);
    if (!any)
        note_rest(n, place_words(n->sites, d));
}

static void note_registers(struct noting *n, const struct isp_place *at, uint64_t registers)
{
    char *module = sched_must(strndup(at->module ? at->module : "", at->module_length));
    for (int i = 0; i < 64; i++) {
        struct sched_variable v;
        if (!(registers >> i & 1))
            continue;
        if (sched_variable_register(n->sites, module, at->offset, i, &v)) {
            note_variable(n, &v, sched_strdup(""));
            sched_variable_finish(&v);
        } else {
            uint32_t site = sched_sites_intern(n->sites, module, at->module_length, at->offset);
            char *place = sched_sites_words(n->sites, site);
            note_rest(n, sched_format("a register at %s", place));
            free(place);
        }
    }
    free(module);
}

static void note_parts(struct noting *n, uint32_t parts, bool memory)
{
    static const char *const words[ISP_PARTS] = {
        [ISP_PART_CALL] = "the call that it waits in",
        [ISP_PART_DEFINITIONS] = "which objects of MPI (communicators, types ...) were made, and when",
        [ISP_PART_OPERATIONS] = "pending operations and requests",
        [ISP_PART_OUTSIDE] = "files, signals or the end of the heap",
        [ISP_PART_MEMORY] = "which memory is mapped",
    };
    if (memory)
        parts &= ~(1u << ISP_PART_MEMORY);
    for (unsigned i = 0; i < ISP_PARTS; i++)
        if (parts >> i & 1 && words[i])
            note_rest(n, sched_strdup(words[i]));
}

/* What cannot be read is left: it only explains. */
static void note_all(struct noting *n, struct isp_reader *told)
{
    struct isp_place at;
    uint32_t parts = isp_get_u32(told);
    uint64_t registers = isp_get_u64(told);
    isp_get_place(told, &at);
    n->more |= isp_get_u8(told) != 0;
    uint32_t all = isp_get_u32(told);
    for (uint32_t i = 0; i < all && told->ok; i++) {
        struct isp_difference d;
        isp_get_difference(told, &d);
        if (told->ok)
            note_run(n, &d);
    }
    if (!told->ok)
        return;
    note_registers(n, &at, registers);
    note_parts(n, parts, all > 0);
}

/* ---- which states are compared ---- */

static bool is_same(const struct poe_key *a, const struct poe_key *b)
{
    return a->low == b->low && a->high == b->high;
}

static void compare(struct sched_unmerged *u, struct sched_world *w, struct kept *k, uint32_t number)
{
    struct noting n = {.sites = w->run->sites};
    for (int rank = 0; rank < w->n && w->ending == SCHED_END_NONE; rank++) {
        struct state now;
        struct isp_reader told;
        sched_world_state(w, rank, &now.low, &now.high);
        if (now.low == k->ranks[rank].low && now.high == k->ranks[rank].high)
            continue;
        n.rank = rank;
        n.named = false;
        if (sched_world_compare_state(w, rank, number, &told))
            note_all(&n, &told);
        for (size_t i = 0; !n.named && i < n.rest.n; i++)
            add_once(&n.pair, &n.rest.all[i]);
        n.more |= n.named && n.rest.n;
        sched_aparts_finish(&n.rest);
    }
    if (n.pair.n) {
        n.pair.compared = 1;
        n.pair.all[0].alone = n.pair.n == 1 && !n.more;
        sched_aparts_merge(u->result, &n.pair);
    }
    sched_aparts_finish(&n.pair);
    k->compared++;
}

static void keep(struct sched_unmerged *u, struct sched_world *w, struct kept *k, uint32_t number,
                 const struct poe_key *situation)
{
    struct state *ranks = k->ranks ? k->ranks : sched_alloc((size_t)w->n, sizeof *ranks);
    *k = (struct kept){true, *situation, w->launched, ranks, 0, u->looks};
    for (int rank = 0; rank < w->n; rank++) {
        sched_world_state(w, rank, &ranks[rank].low, &ranks[rank].high);
        sched_world_keep_state(w, rank, number);
    }
}

void sched_unmerged_look(struct sched_unmerged *u, struct sched_world *w)
{
    struct poe_key situation;
    struct kept *place = NULL;
    if (u->result->compared >= MOST_PAIRS || !poe_situation_key(w->run->poe, &situation))
        return;
    u->looks++;
    for (unsigned i = 0; i < ISP_COMPARE_SLOTS; i++) {
        struct kept *k = &u->kept[i];
        bool here = k->used && k->launched == w->launched;
        if (here && is_same(&k->situation, &situation)) {
            k->at = u->looks;
            if (k->compared < OFTEN)
                compare(u, w, k, i);
            return;
        }
        bool free_place = !here || k->compared >= OFTEN || k->at + STALE < u->looks;
        if (free_place && !place)
            place = k;
    }
    if (place)
        keep(u, w, place, (uint32_t)(place - u->kept), &situation);
}
