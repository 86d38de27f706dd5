/* SPDX-License-Identifier: BSD-3-Clause */
/* See signatures.h. A told type is a tree that shares its branches: nodes whose parts are basic types or
 * earlier nodes, each with the signature of all parts before it, so that a prefix is found by going down
 * once. */
#include "signatures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"

#define uthash_fatal(message) abort()
#include <uthash.h>

struct part {
    uint64_t count;
    uint32_t what;
    struct isp_signature one, before; /* of `what`; of all parts before this one */
};

struct node {
    struct part *parts;
    uint32_t n;
    struct isp_signature signature;
    uint64_t bytes;
};

struct key {
    uint64_t hash, length;
};

struct type {
    struct key key;
    struct node *nodes; /* the last is the type */
    uint32_t n_nodes, number;
    UT_hash_handle hh;
};

struct sched_signatures {
    struct type *table;
    struct type **by_number;
    uint32_t n;
};

struct sched_signatures *sched_signatures_create(void)
{
    return sched_alloc(1, sizeof(struct sched_signatures));
}

static void destroy_nodes(struct node *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(nodes[i].parts);
    free(nodes);
}

void sched_signatures_destroy(struct sched_signatures *s)
{
    if (!s)
        return;
    HASH_CLEAR(hh, s->table);
    for (uint32_t i = 0; i < s->n; i++) {
        destroy_nodes(s->by_number[i]->nodes, s->by_number[i]->n_nodes);
        free(s->by_number[i]);
    }
    free(s->by_number);
    free(s);
}

/* ---- reading ---- */

static bool take_part(struct part *part, const struct node *nodes, uint32_t n_nodes, struct isp_reader *in)
{
    part->count = isp_get_u64(in);
    part->what = isp_get_u32(in);
    bool node = part->what >= ISP_TYPE_TOLD;
    if (!in->ok || part->count == 0 || part->what == ISP_BASIC_NONE ||
        (!node && part->what >= ISP_BASIC_END) || (node && part->what - ISP_TYPE_TOLD >= n_nodes))
        return false;
    part->one = node ? nodes[part->what - ISP_TYPE_TOLD].signature : isp_signature_basic(part->what);
    return true;
}

/* A node whose parts may be the n_nodes nodes before it. */
static bool take_node(struct node *node, const struct node *nodes, uint32_t n_nodes, struct isp_reader *in)
{
    uint32_t n = isp_get_u32(in);
    if (!in->ok || n == 0 || n > (size_t)(in->end - in->at) / 12)
        return false;
    node->parts = sched_alloc(n, sizeof *node->parts);
    node->n = n;
    node->signature = isp_signature_empty();
    for (uint32_t i = 0; i < n; i++) {
        struct part *part = &node->parts[i];
        if (!take_part(part, nodes, n_nodes, in))
            return false;
        part->before = node->signature;
        node->signature = isp_signature_join(node->signature, isp_signature_repeat(part->one, part->count));
        node->bytes += part->count * (part->what < ISP_TYPE_TOLD ? isp_basic_facts(part->what).size
                                                                 : nodes[part->what - ISP_TYPE_TOLD].bytes);
    }
    return node->signature.length != UINT64_MAX;
}

static uint32_t intern(struct sched_signatures *s, struct node *nodes, uint32_t n)
{
    struct key key = {nodes[n - 1].signature.hash, nodes[n - 1].signature.length};
    struct type *type;
    HASH_FIND(hh, s->table, &key, sizeof key, type);
    if (type) {
        destroy_nodes(nodes, n);
        return ISP_TYPE_TOLD + type->number;
    }
    type = sched_alloc(1, sizeof *type);
    *type = (struct type){.key = key, .nodes = nodes, .n_nodes = n, .number = s->n};
    s->by_number = sched_grow(s->by_number, s->n + 1, sizeof *s->by_number);
    s->by_number[s->n++] = type;
    HASH_ADD(hh, s->table, key, sizeof key, type);
    return ISP_TYPE_TOLD + type->number;
}

uint32_t sched_signatures_take(struct sched_signatures *signatures, struct isp_reader *in)
{
    uint32_t n = isp_get_u32(in);
    if (!in->ok || n == 0 || n > (size_t)(in->end - in->at) / 4) {
        in->ok = false;
        return ISP_BASIC_NONE;
    }
    struct node *nodes = sched_alloc(n, sizeof *nodes);
    for (uint32_t i = 0; i < n; i++)
        if (!take_node(&nodes[i], nodes, i, in)) {
            in->ok = false;
            destroy_nodes(nodes, n);
            return ISP_BASIC_NONE;
        }
    return intern(signatures, nodes, n);
}

/* ---- looking ---- */

/* NULL: a basic type, or none that is known. */
static const struct type *type_of(const struct sched_signatures *s, uint32_t type)
{
    return s && type >= ISP_TYPE_TOLD && type - ISP_TYPE_TOLD < s->n ? s->by_number[type - ISP_TYPE_TOLD]
                                                                     : NULL;
}

static struct isp_signature one_of(const struct sched_signatures *s, uint32_t type)
{
    const struct type *t = type_of(s, type);
    if (t)
        return t->nodes[t->n_nodes - 1].signature;
    return type == ISP_BASIC_NONE || type >= ISP_BASIC_END ? isp_signature_empty()
                                                           : isp_signature_basic(type);
}

struct isp_signature sched_signature_of(const struct sched_signatures *s, uint32_t type, uint64_t count)
{
    return isp_signature_repeat(one_of(s, type), count);
}

uint64_t sched_signature_bytes(const struct sched_signatures *s, uint32_t type, uint64_t count)
{
    const struct type *t = type_of(s, type);
    return count * (t                      ? t->nodes[t->n_nodes - 1].bytes
                    : type < ISP_TYPE_TOLD ? isp_basic_facts(type).size
                                           : 0);
}

/* The part that holds element i of the node. */
static const struct part *find_part(const struct node *node, uint64_t i)
{
    uint32_t low = 0, high = node->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (node->parts[middle].before.length <= i)
            low = middle;
        else
            high = middle;
    }
    return &node->parts[low];
}

struct isp_signature sched_signature_prefix(const struct sched_signatures *s, uint32_t type, uint64_t count,
                                            uint64_t n)
{
    const struct type *t = type_of(s, type);
    struct isp_signature one = one_of(s, type), all = isp_signature_empty();
    if (one.length == 0 || n >= sched_signature_of(s, type, count).length)
        return sched_signature_of(s, type, count);
    const struct node *node = t ? &t->nodes[t->n_nodes - 1] : NULL;
    for (;;) { /* the whole ones of `one`, and then a part of one more, which is `node` */
        all = isp_signature_join(all, isp_signature_repeat(one, n / one.length));
        n %= one.length;
        if (n == 0)
            return all;
        const struct part *part = find_part(node, n);
        all = isp_signature_join(all, part->before);
        n -= part->before.length;
        one = part->one;
        node = part->what >= ISP_TYPE_TOLD ? &t->nodes[part->what - ISP_TYPE_TOLD] : NULL;
    }
}

uint32_t sched_signature_at(const struct sched_signatures *s, uint32_t type, uint64_t count, uint64_t i)
{
    const struct type *t = type_of(s, type);
    (void)count;
    if (!t)
        return type;
    const struct node *node = &t->nodes[t->n_nodes - 1];
    for (;;) {
        i %= node->signature.length;
        const struct part *part = find_part(node, i);
        if (part->what < ISP_TYPE_TOLD)
            return part->what;
        i -= part->before.length;
        node = &t->nodes[part->what - ISP_TYPE_TOLD];
    }
}

/* ---- words ---- */

enum { SHOWN_PARTS = 6, SHOWN_DEPTH = 3 };

static void write_type(FILE *out, const struct type *t, uint32_t what, uint64_t count, unsigned depth)
{
    if (count != 1 || (depth == 0 && what < ISP_TYPE_TOLD))
        fprintf(out, "%" PRIu64 " ", count);
    if (what < ISP_TYPE_TOLD) {
        fputs(isp_basic_facts(what).name, out);
        return;
    }
    const struct node *node = &t->nodes[what - ISP_TYPE_TOLD];
    fputc('{', out);
    for (uint32_t i = 0; i < node->n; i++) {
        if (i == SHOWN_PARTS || depth == SHOWN_DEPTH) {
            fputs(i ? ", ..." : "...", out);
            break;
        }
        fputs(i ? ", " : "", out);
        write_type(out, t, node->parts[i].what, node->parts[i].count, depth + 1);
    }
    fputc('}', out);
}

char *sched_signature_words(const struct sched_signatures *s, uint32_t type, uint64_t count)
{
    const struct type *t = type_of(s, type);
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    write_type(out, t,
               t                      ? ISP_TYPE_TOLD + t->n_nodes - 1
               : type < ISP_BASIC_END ? type
                                      : ISP_BASIC_NONE,
               count, 0);
    fclose(out);
    return sched_must(text);
}
