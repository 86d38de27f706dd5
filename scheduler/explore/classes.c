/* SPDX-License-Identifier: BSD-3-Clause */
#include "classes.h"

#include <stdlib.h>

#include "base/alloc.h"

struct sched_classes {
    struct sched_sites *sites;
    struct sched_class *all;
    uint32_t n;
};

struct sched_classes *sched_classes_create(struct sched_sites *sites)
{
    struct sched_classes *classes = sched_alloc(1, sizeof *classes);
    classes->sites = sites;
    return classes;
}

void sched_classes_destroy(struct sched_classes *classes)
{
    if (classes)
        free(classes->all);
    free(classes);
}

const char *sched_class_word(enum sched_class_kind kind)
{
    static const char *const words[] = {
#define WORD(name, word, what) word,
        SCHED_CLASS_LIST(WORD)
#undef WORD
    };
    return words[kind];
}

const char *sched_class_what(enum sched_class_kind kind)
{
    static const char *const words[] = {
#define WHAT(name, word, what) what,
        SCHED_CLASS_LIST(WHAT)
#undef WHAT
    };
    return words[kind];
}

static enum sched_class_kind kind_of(const struct poe_choice *c)
{
    const struct isp_call *call = &c->transition->call;
    if (c->alternatives[0].kind == POE_ADMIT)
        return SCHED_CLASS_THREAD;
    if (c->alternatives[0].kind == POE_GRANT)
        return SCHED_CLASS_VISIT;
    if (call->flags & ISP_F_POLL)
        return SCHED_CLASS_POLL;
    switch (call->op) {
    case ISP_OP_PROBE: return SCHED_CLASS_PROBE;
    case ISP_OP_COMPLETE: return SCHED_CLASS_WAIT;
    case ISP_OP_CANCEL: return SCHED_CLASS_CANCEL;
    default: return call->peer == ISP_ANY_SOURCE ? SCHED_CLASS_RECEIVE : SCHED_CLASS_CANCEL;
    }
}

/* FNV-1a; below POE_CLASS_FIRST no key is a class's. */
static uint64_t key_of(const struct sched_sites *sites, const struct sched_class *class)
{
    uint64_t hash = 0xcbf29ce484222325u;
    char *site = sched_sites_name(sites, class->site);
    char *name = sched_format("%d %d %s", class->fn, class->kind, site);
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    free(name);
    free(site);
    return hash | POE_CLASS_FIRST;
}

static const struct sched_class *find(struct sched_classes *classes, struct sched_class class)
{
    for (uint32_t i = 0; i < classes->n; i++) {
        const struct sched_class *c = &classes->all[i];
        if (c->site == class.site && c->fn == class.fn && c->kind == class.kind)
            return c;
    }
    class.key = key_of(classes->sites, &class);
    SCHED_GROW(classes->all, classes->n);
    classes->all[classes->n] = class;
    return &classes->all[classes->n++];
}

void sched_classes_tell(struct sched_classes *classes, struct poe_search *search, const struct poe_choice *c)
{
    struct sched_class class = {.site = sched_sites_place(classes->sites, c->transition->call.site),
                                .fn = (uint16_t)c->transition->call.fn,
                                .kind = (uint16_t)kind_of(c)};
    unsigned not_yet = 0;
    for (unsigned k = 0; k < c->n; k++)
        if (c->alternatives[k].kind == POE_NOT_YET)
            not_yet = k + 1;
    poe_search_classify(search, c->number, find(classes, class)->key, not_yet);
}

const struct sched_class *sched_classes_all(const struct sched_classes *classes, uint32_t *n)
{
    *n = classes->n;
    return classes->all;
}
