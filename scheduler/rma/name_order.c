/* SPDX-License-Identifier: BSD-3-Clause */
/* See name_order.h. Of each rank's looks at a file, and of its changes, the last is enough: who knows that it
 * is over knows that those before it are. */
#include "name_order.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"
#include "isp/file.h"
#include "isp/functions.h"
#include "words/words.h"

enum { MOST = 10000 };

struct key {
    uint64_t device, number; /* of a file; device 0: a name */
};

enum by {
    BY_PROGRAM,
    BY_MPI,  /* bytes */
    BY_OPEN, /* MPI too: whether there is a file */
    N_BY
};

struct call {
    uint16_t fn;
    uint32_t site;
    uint64_t number;
};

struct last {
    uint32_t at; /* the rank's time then; 0: it has not */
    struct call after;
};

struct user {
    int rank;
    bool maps, missed; /* ... there was none when it looked last */
    bool came;         /* since then another rank has told that it changed it */
    bool owed;         /* it was there, and nobody had: who did tells it after that */
    struct last looked[N_BY], changed[N_BY];
};

struct entry {
    struct key key;
    char *path;
    struct user *users;
    size_t n;
    UT_hash_handle hh;
};

struct pair {
    char *path;
    int changer, looker;
    struct call changed_after, looked_after;
};

struct sched_name_order {
    int n;
    struct entry *entries;
    struct call *calls; /* by rank, the last */
    bool shares, waited, too_many;
    struct pair found;  /* of all the lowest; path NULL: there is none */
    struct pair *waits; /* its looker may look again and again, until the file is there */
    size_t n_waits;
};

/* ---- life ---- */

struct sched_name_order *sched_name_order_create(int ranks)
{
    struct sched_name_order *o = sched_alloc(1, sizeof *o);
    o->n = ranks;
    o->calls = sched_alloc((size_t)ranks, sizeof *o->calls);
    return o;
}

void sched_name_order_destroy(struct sched_name_order *o)
{
    struct entry *e, *next;
    if (!o)
        return;
    HASH_ITER (hh, o->entries, e, next) {
        HASH_DEL(o->entries, e);
        free(e->path);
        free(e->users);
        free(e);
    }
    for (size_t i = 0; i < o->n_waits; i++)
        free(o->waits[i].path);
    free(o->waits);
    free(o->calls);
    free(o->found.path);
    free(o);
}

static struct entry *add(struct sched_name_order *o, struct key key, const char *path, size_t length)
{
    struct entry *e = sched_alloc(1, sizeof *e);
    e->key = key;
    e->path = sched_must(strndup(path, length));
    HASH_ADD(hh, o->entries, key, sizeof e->key, e);
    return e;
}

struct sched_name_order *sched_name_order_copy(const struct sched_name_order *o)
{
    struct sched_name_order *c = sched_copy(o, sizeof *o);
    c->calls = sched_copy(o->calls, (size_t)o->n * sizeof *o->calls);
    c->found.path = o->found.path ? sched_strdup(o->found.path) : NULL;
    c->waits = sched_copy(o->waits, o->n_waits * sizeof *o->waits);
    for (size_t i = 0; i < o->n_waits; i++)
        c->waits[i].path = sched_strdup(o->waits[i].path);
    c->entries = NULL;
    for (const struct entry *e = o->entries; e; e = e->hh.next) {
        struct entry *copy = add(c, e->key, e->path, strlen(e->path));
        copy->users = sched_copy(e->users, e->n * sizeof *e->users);
        copy->n = e->n;
    }
    return c;
}

/* ---- pairs ---- */

/* Which one is told does not depend on time. */
static const struct pair *lower(const struct pair *a, const struct pair *b)
{
    int order = !a->path || !b->path ? !a->path - !b->path : strcmp(a->path, b->path);
    order = order ? order : a->changer - b->changer;
    order = order ? order : a->looker - b->looker;
    return order <= 0 ? a : b;
}

/* Takes it. */
static void found(struct sched_name_order *o, struct pair pair)
{
    if (lower(&o->found, &pair) == &o->found) {
        free(pair.path);
        return;
    }
    free(o->found.path);
    o->found = pair;
}

static void wait_for(struct sched_name_order *o, struct pair pair)
{
    o->waits = sched_grow(o->waits, o->n_waits + 1, sizeof *o->waits);
    o->waits[o->n_waits++] = pair;
}

/* Those of the looker, and of that path if there is one, are over: it has waited, or it has not. */
static void end_waits(struct sched_name_order *o, int looker, const char *path)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->n_waits; i++) {
        if (o->waits[i].looker != looker || (path && strcmp(path, o->waits[i].path) != 0))
            o->waits[kept++] = o->waits[i];
        else if (path)
            free(o->waits[i].path);
        else
            found(o, o->waits[i]);
    }
    o->n_waits = kept;
}

void sched_name_order_record(struct sched_name_order *o, int rank, const struct isp_call *call)
{
    if (call->flags & ISP_F_INTERNAL)
        return;
    o->calls[rank] = (struct call){call->fn, call->site, o->calls[rank].number + 1};
    end_waits(o, rank, NULL);
}

/* ---- order ---- */

static bool knows(const uint32_t *known, int rank, const struct last *last)
{
    return !last->at || (known && known[rank] >= last->at);
}

struct deed {
    unsigned what; /* ISP_FILE_... */
    enum by by;
    bool there; /* there is a file */
};

/* It may be waiting for the file. */
static bool misses(struct deed deed)
{
    return deed.by == BY_PROGRAM && deed.what == ISP_FILE_LOOKS && !deed.there;
}

/* It has called nothing since. */
static bool is_now(const struct sched_name_order *o, int rank, const struct last *last)
{
    return last->at && last->after.number == o->calls[rank].number;
}

/* What it has not found it may find when it looks again. */
static void compare_look(struct sched_name_order *o, const struct entry *e, int rank, struct deed deed,
                         const struct user *u, const struct last *changed, const uint32_t *known)
{
    if (knows(known, u->rank, changed))
        return;
    struct pair pair = {sched_strdup(e->path), u->rank, rank, changed->after, o->calls[rank]};
    (misses(deed) ? wait_for : found)(o, pair);
}

static void compare_change(struct sched_name_order *o, const struct entry *e, int rank, const struct user *u,
                           const struct last *looked, const uint32_t *known)
{
    if (knows(known, u->rank, looked))
        return;
    struct pair pair = {sched_strdup(e->path), rank, u->rank, o->calls[rank], looked->after};
    bool may_wait = u->missed && looked == &u->looked[BY_PROGRAM] && is_now(o, u->rank, looked);
    (may_wait ? wait_for : found)(o, pair);
}

/* MPI's accesses to bytes are compared with each other elsewhere. */
static bool are_comparable(enum by a, enum by b)
{
    return a == BY_PROGRAM || b == BY_PROGRAM || (a == BY_OPEN && b == BY_OPEN);
}

/* Of the change that a rank has waited for it may be told after the look that found it. */
static bool is_what_was_owed(struct user *looker)
{
    bool owed = looker->owed;
    looker->came |= looker->missed;
    looker->owed = false;
    return owed;
}

static void compare(struct sched_name_order *o, const struct entry *e, int rank, struct deed deed,
                    const uint32_t *known)
{
    for (size_t i = 0; i < e->n; i++) {
        struct user *u = &e->users[i];
        if (u->rank == rank || ((deed.what & ISP_FILE_CHANGES) && is_what_was_owed(u)))
            continue;
        for (enum by other = 0; other < N_BY; other++) {
            if (are_comparable(deed.by, other) && (deed.what & ISP_FILE_LOOKS))
                compare_look(o, e, rank, deed, u, &u->changed[other], known);
            if (are_comparable(deed.by, other) && (deed.what & ISP_FILE_CHANGES))
                compare_change(o, e, rank, u, &u->looked[other], known);
        }
    }
}

/* The rank has looked for it, has called nothing since, and now it is there: whenever it is made, the
 * rank goes on with it. */
static bool has_waited(const struct sched_name_order *o, const struct user *user, struct deed deed)
{
    return deed.what == ISP_FILE_LOOKS && deed.by == BY_PROGRAM && deed.there && user->missed &&
           is_now(o, user->rank, &user->looked[BY_PROGRAM]);
}

static struct user *user_of(struct entry *e, int rank)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->users[i].rank == rank)
            return &e->users[i];
    e->users = sched_grow(e->users, e->n + 1, sizeof *e->users);
    e->users[e->n] = (struct user){.rank = rank};
    return &e->users[e->n++];
}

static void map(struct sched_name_order *o, struct entry *e, struct user *user)
{
    user->maps = true;
    for (size_t i = 0; i < e->n; i++)
        o->shares |= e->users[i].maps && e->users[i].rank != user->rank;
}

static struct entry *find(struct sched_name_order *o, struct key key, const char *path, size_t length)
{
    struct entry *e;
    HASH_FIND(hh, o->entries, &key, sizeof key, e);
    if (!e && HASH_COUNT(o->entries) >= MOST)
        o->too_many = true;
    else if (!e)
        e = add(o, key, path, length);
    return e;
}

static void take(struct sched_name_order *o, struct entry *e, int rank, struct deed deed,
                 const uint32_t *known, uint32_t at)
{
    if (!e || !(deed.what & (ISP_FILE_LOOKS | ISP_FILE_CHANGES | ISP_FILE_MAPS)))
        return;
    struct user *user = user_of(e, rank);
    bool waited = has_waited(o, user, deed);
    o->waited |= waited;
    if (waited)
        end_waits(o, rank, e->path);
    else
        compare(o, e, rank, deed, known);
    if (waited)
        user->owed = !user->came;
    if (deed.by == BY_PROGRAM) {
        user->came &= user->missed || !misses(deed); /* until it waits anew */
        user->missed = misses(deed);
    }
    if (deed.what & ISP_FILE_LOOKS)
        user->looked[deed.by] = (struct last){at, o->calls[rank]};
    if (deed.what & ISP_FILE_CHANGES)
        user->changed[deed.by] = (struct last){at, o->calls[rank]};
    if (deed.what & ISP_FILE_MAPS)
        map(o, e, user);
}

/* That MPI or Fortran opens a file says little; MPI has made it, or found it, or not. What may be any file
 * (of another program that the rank starts, say) is compared with none. */
void sched_name_order_take(struct sched_name_order *o, int rank, const struct isp_file *f,
                           const uint32_t *known, uint32_t at)
{
    unsigned what = f->what;
    enum by by = BY_PROGRAM;
    if (what & (ISP_FILE_PERHAPS | ISP_FILE_THERE | ISP_FILE_MADE)) {
        bool there = what & ISP_FILE_THERE, made = what & ISP_FILE_MADE, gone = what & ISP_FILE_REMOVES;
        by = BY_OPEN;
        what = (there && !made ? ISP_FILE_LOOKS : 0) | ((made && !there) || gone ? ISP_FILE_CHANGES : 0);
    }
    struct key name = {.number = f->name}, file = {f->device, f->inode}; /* an inode comes again */
    if (f->name || f->device)
        take(o, find(o, f->name ? name : file, f->path, f->length), rank,
             (struct deed){what, by, f->device != 0}, known, at);
}

/* MPI opens a file before it reads or writes it, and has told the path then (ISP_MSG_FILE). */
void sched_name_order_take_access(struct sched_name_order *o, int rank, const struct isp_file_access *a,
                                  const uint32_t *known, uint32_t at)
{
    static const char nothing[] = "a file";
    bool looks = a->kind == ISP_FILE_READ || a->kind == ISP_FILE_SIZE;
    if (a->name)
        take(o, find(o, (struct key){.number = a->name}, nothing, strlen(nothing)), rank,
             (struct deed){looks ? ISP_FILE_LOOKS : ISP_FILE_CHANGES, BY_MPI, true}, known, at);
}

bool sched_name_order_shares(const struct sched_name_order *o) { return o && o->shares; }

bool sched_name_order_waited(const struct sched_name_order *o) { return o && o->waited; }

/* ---- words ---- */

static char *after(const struct sched_run *run, const struct call *last)
{
    if (last->fn == ISP_FN_MPI_Init || !last->fn)
        return sched_strdup("");
    char *place = sched_words_place(run, last->site);
    char *words = sched_format(" after %s at %s", isp_fn_name((enum isp_fn)last->fn), place);
    free(place);
    return words;
}

char *sched_name_order_unexplored(const struct sched_name_order *o, const struct sched_run *run)
{
    const struct pair *f = o ? &o->found : NULL;
    for (size_t i = 0; o && i < o->n_waits; i++)
        f = lower(f, &o->waits[i]);
    if (!o || (!f->path && !o->too_many))
        return NULL;
    if (!f->path)
        return sched_format("ranks use more than %d files, and whether they meet there was not seen", MOST);
    char *changed = after(run, &f->changed_after), *looked = after(run, &f->looked_after);
    char *why = sched_format("rank %d changes %s%s, and rank %d looks at it%s, in one order only", f->changer,
                             f->path, changed, f->looker, looked);
    free(changed);
    free(looked);
    return why;
}
