/* SPDX-License-Identifier: BSD-3-Clause */
/* See wrappers.h. */
#include "wrappers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "names.h"

/* Lines of a wrapper: that is known by its callers; that is known by what it looks like; that is nothing but
 * a call. */
enum { LONG = 40, SHORT = 10, ALONE = 3 };

/* From where a function was called, and the operations that this came to: none, one or several. */
struct origin {
    char *file;
    int line;
    uint32_t operation;
    bool several;
    struct origin *next;
};

struct seen {
    char *key; /* sched_function's */
    struct origin *origins;
    UT_hash_handle hh;
};

struct sched_wrappers {
    struct seen *functions;
};

struct sched_wrappers *sched_wrappers_create(void) { return sched_alloc(1, sizeof(struct sched_wrappers)); }

void sched_wrappers_destroy(struct sched_wrappers *w)
{
    struct seen *s, *next;
    if (!w)
        return;
    HASH_ITER (hh, w->functions, s, next) {
        HASH_DEL(w->functions, s);
        for (struct origin *o = s->origins, *after; o; o = after) {
            after = o->next;
            free(o->file);
            free(o);
        }
        free(s->key);
        free(s);
    }
    free(w);
}

/* ---- frames ---- */

static bool is_here(const struct sched_frame *f) { return f->place->function.here; }

/* The first after this one whose source is the program's; n: none. */
static size_t outside(const struct sched_frame *frames, size_t i, size_t n)
{
    do
        i++;
    while (i < n && !is_here(&frames[i]));
    return i < n ? i : n;
}

static size_t outermost(const struct sched_frame *frames, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (is_here(&frames[i]))
            return i;
    return 0;
}

static bool same_function(const struct sched_frame *a, const struct sched_frame *b)
{
    return strcmp(a->place->function.key, b->place->function.key) == 0;
}

/* ---- what was seen ---- */

static struct seen *find(const struct sched_wrappers *w, const struct sched_frame *f)
{
    struct seen *s;
    HASH_FIND_STR(w->functions, f->place->function.key, s);
    return s;
}

static struct origin *origin_of(struct seen *s, const struct sched_frame *from)
{
    for (struct origin *o = s->origins; o; o = o->next)
        if (o->line == from->line && strcmp(o->file, from->file) == 0)
            return o;
    struct origin *o = sched_alloc(1, sizeof *o);
    *o = (struct origin){.file = sched_strdup(from->file), .line = from->line, .next = s->origins};
    return s->origins = o;
}

static void add_operation(struct origin *o, uint32_t operation)
{
    o->several |= operation && o->operation && o->operation != operation;
    if (operation)
        o->operation = operation;
}

void sched_wrappers_see(struct sched_wrappers *w, const struct sched_frame *frames, size_t n,
                        const uint32_t *operations, size_t n_operations)
{
    for (size_t i = 0, from; (from = outside(frames, i, n)) < n; i++) {
        if (!is_here(&frames[i]))
            continue;
        struct seen *s = find(w, &frames[i]);
        if (!s) {
            s = sched_alloc(1, sizeof *s);
            s->key = sched_strdup(frames[i].place->function.key);
            HASH_ADD_KEYPTR(hh, w->functions, s->key, strlen(s->key), s);
        }
        struct origin *o = origin_of(s, &frames[from]);
        for (size_t k = 0; k < n_operations; k++)
            add_operation(o, operations[k]);
    }
}

/* ---- which are wrappers ---- */

static bool recurs(const struct sched_frame *frames, size_t i, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (k != i && same_function(&frames[k], &frames[i]))
            return true;
    return false;
}

/* Something without debug information calls the frame. */
static bool is_called_back(const struct sched_frame *frames, size_t i, size_t from)
{
    for (size_t k = i + 1; k < from; k++)
        if (!frames[k].file)
            return true;
    return false;
}

/* Functions of one source file that are in the same namespace, class or module, or in none. */
static bool same_layer(const struct sched_frame *a, const struct sched_frame *b)
{
    const char *one = a->place->name ? a->place->name : "", *other = b->place->name ? b->place->name : "";
    size_t n = strcspn(one, ":<"), m = strcspn(other, ":<");
    bool scopes = sched_name_scope(one) && sched_name_scope(other);
    bool none = !sched_name_scope(one) && !sched_name_scope(other);
    return strcmp(a->file, b->file) == 0 && (none || (scopes && n == m && memcmp(one, other, n) == 0));
}

/* By what it looks like: a few lines around MPI's function; or around another wrapper, if it is in the layer
 * of that and the program does not begin there, or if it is nothing else. */
static bool is_thin(const struct sched_frame *frames, size_t i, size_t inner, size_t last)
{
    const struct sched_place *p = frames[i].place;
    if (p->function.lines > SHORT || !p->function.parameters || p->loops)
        return false;
    return inner == i || (p->function.lines <= ALONE && p->function.calls <= 1) ||
           (same_layer(&frames[inner], &frames[i]) && !same_layer(&frames[i], &frames[last]));
}

/* What is in front of "::lambda", the function that has it in its text; 0: it is no lambda. */
static size_t around_lambda(const struct sched_frame *f)
{
    static const char end[] = "::lambda";
    size_t n = f->place->name ? strlen(f->place->name) : 0, e = strlen(end);
    return n > e && strcmp(f->place->name + n - e, end) == 0 ? n - e : 0;
}

static bool ends_with(const char *name, const char *end, size_t n)
{
    size_t length = name ? strlen(name) : 0;
    return length >= n && memcmp(name + length - n, end, n) == 0 &&
           (length == n || name[length - n - 1] == ':');
}

/* A lambda that its function has handed to another one of the program's, which calls it (frames[from]): it is
 * a piece of its function's text, as a loop's body is. */
static bool is_handed_on(const struct sched_frame *frames, size_t i, size_t from, size_t n)
{
    size_t around = around_lambda(&frames[i]);
    const char *name = frames[i].place->name;
    if (!around || ends_with(frames[from].place->name, name, around))
        return false;
    for (size_t k = from + 1; k < n; k++)
        if (ends_with(frames[k].place->name, name, around))
            return true;
    return false;
}

/* inner: the frame of the program that this one calls; itself, if that is MPI's. */
static bool is_wrapper(const struct sched_wrappers *w, const struct sched_frame *frames, size_t i,
                       size_t inner, size_t last, size_t n)
{
    size_t from = outside(frames, i, n), origins = 0;
    const struct seen *seen = find(w, &frames[i]);
    if (!seen || frames[i].place->function.lines > LONG || recurs(frames, i, n) ||
        is_called_back(frames, i, from) || is_handed_on(frames, i, from, n))
        return false;
    for (const struct origin *o = seen->origins; o; o = o->next, origins++)
        if (o->several)
            return false;
    bool direct = from == i + 1 || !around_lambda(&frames[i]); /* an algorithm calls what stands there */
    return origins > 1 || (direct && is_thin(frames, i, inner, last));
}

size_t sched_wrappers_leave(const struct sched_wrappers *w, const struct sched_frame *frames, size_t n)
{
    size_t last = outermost(frames, n), inner = n;
    for (size_t i = 0; i < last; i++) {
        if (!is_here(&frames[i]))
            continue;
        if (!is_wrapper(w, frames, i, inner == n ? i : inner, last, n))
            return i;
        inner = i;
    }
    return last;
}

bool sched_wrappers_shared(const struct sched_wrappers *w, const struct sched_frame *frames, size_t shown,
                           size_t n)
{
    for (size_t i = 0; i <= shown && i < n; i++) {
        const struct seen *s = find(w, &frames[i]);
        if (s && s->origins && s->origins->next)
            return true;
    }
    return false;
}
