/* SPDX-License-Identifier: BSD-3-Clause */
/* See change.h. */
#include "change.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/change.h"
#include "sites/places.h"
#include "words/values.h"
#include "words/words.h"

static bool find(struct sched_sites *sites, const struct isp_change *c, struct sched_variable *v)
{
    if (sched_place_variable(sites, &c->place, 0, v) && v->name)
        return true;
    for (unsigned i = 0; i < ISP_CHANGE_WAYS; i++)
        if (c->ways[i].n_steps && sched_place_on_way(sites, &c->ways[i], 0, v) && v->name)
            return true;
    return false;
}

/* What libraries of C++ have between a container and its elements. */
static void shorten(char *name)
{
    static const char *const inner[] = {"._M_impl", "._M_start", "._M_elems", "._M_t", "._M_head_impl"};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        char *at = strstr(name, inner[i]);
        if (at)
            memmove(at, at + strlen(inner[i]), strlen(at + strlen(inner[i])) + 1);
    }
}

/* As the program's variable says, where MPI was only told of bytes. */
static enum isp_value_kind kind_of(const struct sched_variable *v)
{
    switch (v->kind) {
    case SCHED_VALUE_SIGNED: return ISP_VALUE_SIGNED;
    case SCHED_VALUE_UNSIGNED: return ISP_VALUE_UNSIGNED;
    case SCHED_VALUE_FLOAT: return v->bytes == sizeof(long double) ? ISP_VALUE_EXTENDED : ISP_VALUE_FLOATING;
    default: return ISP_VALUE_BYTE;
    }
}

static bool is_bytes(uint32_t basic)
{
    return basic == ISP_BASIC_NONE || basic == ISP_BASIC_BYTE || basic == ISP_BASIC_PACKED;
}

/* The variable has a value of its own, which was told whole. */
static bool has_value(const struct isp_change *c, const struct sched_variable *v)
{
    return v->name && v->bytes && v->bytes <= 16 && v->kind != SCHED_VALUE_BYTES && v->before <= c->before &&
           c->before - v->before + v->bytes <= c->bytes;
}

static char *values(const struct isp_change *c, const struct sched_variable *v)
{
    struct isp_basic_facts facts = isp_basic_facts(c->basic);
    size_t size = facts.size ? facts.size : 1, at = c->before;
    enum isp_value_kind kind = facts.size ? (enum isp_value_kind)facts.kind : ISP_VALUE_BYTE;
    if (is_bytes(c->basic) && has_value(c, v)) {
        size = v->bytes;
        at -= v->before;
        kind = kind_of(v);
    }
    return at + size <= c->bytes ? sched_values_words(kind, size, c->was + at, c->is + at) : NULL;
}

static void add_place(char **text, const struct isp_change *c, const struct sched_variable *v)
{
    struct isp_basic_facts facts = isp_basic_facts(c->basic);
    bool whole = v->name && (v->bytes == facts.size || !facts.size || has_value(c, v));
    const char *at = v->name ? "" : "at ";
    if (v->name)
        sched_words_add(text, ", at %s", v->name);
    if (whole || c->index == ISP_CHANGE_NO_INDEX)
        return;
    if (facts.size)
        sched_words_add(text, ", %selement %" PRIu64 " (%s)", at, c->index, facts.name);
    else
        sched_words_add(text, ", %sbyte %" PRIu64, at, c->index);
}

/* How many more; of bytes within one variable that is not known. */
static void add_more(char **text, const struct isp_change *c, const struct sched_variable *v)
{
    bool bytes = is_bytes(c->basic);
    if (c->n > 1 && !(bytes && has_value(c, v)))
        sched_words_add(text, ", and %" PRIu64 " more %s%s", c->n - 1, bytes ? "byte" : "element",
                        c->n > 2 ? "s" : "");
}

char *sched_change_words(struct sched_world *w, const struct sched_told *t)
{
    struct isp_reader in = isp_reader_of(t->change, t->change_bytes);
    struct isp_change c;
    struct sched_variable v = {0};
    char *text = sched_strdup("");
    isp_get_change(&in, &c);
    if (!in.ok)
        return text;
    if (find(w->run->sites, &c, &v))
        shorten(v.name);
    add_place(&text, &c, &v);
    char *both = c.n ? values(&c, &v) : NULL;
    if (both)
        sched_words_add(&text, "%s%s", *text ? ": " : ", ", both);
    if (c.n)
        add_more(&text, &c, &v);
    free(both);
    sched_variable_finish(&v);
    return text;
}
