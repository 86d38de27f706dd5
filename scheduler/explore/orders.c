/* SPDX-License-Identifier: BSD-3-Clause */
#include "orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "isp/functions.h"

void sched_orders_finish(struct sched_orders *orders)
{
    free(orders->classes);
    *orders = (struct sched_orders){0};
}

/* A new one is as `all` says. Valid until the next one. */
static struct sched_order *find(struct sched_orders *o, const struct sched_class *class)
{
    size_t i = 0;
    while (i < o->n && o->classes[i].class.key != class->key)
        i++;
    if (i == o->n) {
        SCHED_GROW(o->classes, o->n);
        o->classes[o->n++] = (struct sched_order){*class, o->shares[POE_SHARE_ALL]};
    }
    if (!o->classes[i].class.fn) /* who went on with it did not meet it again */
        o->classes[i].class = *class;
    return &o->classes[i];
}

void sched_orders_take(struct sched_orders *o, struct poe_search *search, const struct sched_classes *classes,
                       bool all)
{
    struct poe_share *shares;
    uint32_t n = poe_search_shares(search, all, &shares), n_classes;
    const struct sched_class *known = sched_classes_all(classes, &n_classes);
    sched_orders_finish(o);
    for (uint32_t i = 0; i < n; i++)
        if (shares[i].key < SCHED_ORDERS_SHARES)
            o->shares[shares[i].key] = shares[i].leaves;
    for (uint32_t i = 0; i < n_classes; i++)
        find(o, &known[i]);
    for (uint32_t i = 0; i < n; i++)
        if (shares[i].key >= POE_CLASS_FIRST)
            find(o, &(struct sched_class){.key = shares[i].key})->left = shares[i].leaves;
    free(shares);
}

void sched_orders_merge(struct sched_orders *o, const struct sched_orders *more)
{
    for (size_t i = 0; i < more->n; i++)
        find(o, &more->classes[i].class);
    for (size_t i = 0; i < o->n; i++) {
        size_t k = 0;
        while (k < more->n && more->classes[k].class.key != o->classes[i].class.key)
            k++;
        double left = k < more->n ? more->classes[k].left : more->shares[POE_SHARE_ALL];
        o->classes[i].left = poe_leaves(o->classes[i].left + left);
    }
    for (int i = 0; i < SCHED_ORDERS_SHARES; i++)
        o->shares[i] = poe_leaves(o->shares[i] + more->shares[i]);
}

/* ---- as JSON ---- */

static json_t *hex(uint64_t key)
{
    char text[20];
    snprintf(text, sizeof text, "%" PRIx64, key);
    return json_string(text);
}

json_t *sched_orders_write(const struct sched_orders *o, const struct sched_sites *sites)
{
    json_t *shares = json_array(), *classes = json_array();
    for (int i = 0; i < SCHED_ORDERS_SHARES; i++)
        json_array_append_new(shares, json_real(o->shares[i]));
    for (size_t i = 0; i < o->n; i++) {
        const struct sched_class *c = &o->classes[i].class;
        char *site = sched_sites_name(sites, c->site);
        json_t *name = json_string(site);
        json_array_append_new(classes, json_pack("[o, o, i, i, f]", hex(c->key), name ? name : json_null(),
                                                 (int)c->fn, (int)c->kind, o->classes[i].left));
        free(site);
    }
    return json_pack("{s:o, s:o}", "shares", shares, "classes", classes);
}

bool sched_orders_read(struct sched_orders *o, struct sched_sites *sites, const json_t *json)
{
    const json_t *shares = json_object_get(json, "shares"), *classes = json_object_get(json, "classes");
    if (json_array_size(shares) != SCHED_ORDERS_SHARES || !json_is_array(classes))
        return false;
    for (size_t i = 0; i < SCHED_ORDERS_SHARES; i++)
        o->shares[i] = poe_leaves(json_number_value(json_array_get(shares, i)));
    for (size_t i = 0; i < json_array_size(classes); i++) {
        const char *key;
        json_t *site;
        int fn, kind;
        double left;
        if (json_unpack(json_array_get(classes, i), "[s, o, i, i, F]", &key, &site, &fn, &kind, &left) != 0 ||
            fn < 0 || fn >= ISP_FN_COUNT || kind < 0 || kind >= SCHED_CLASS_COUNT)
            return false;
        const char *name = json_string_value(site);
        struct sched_class class = {strtoull(key, NULL, 16), name ? sched_sites_named(sites, name) : 0,
                                    (uint16_t)fn, (uint16_t)kind};
        find(o, &class)->left = poe_leaves(left);
    }
    return true;
}

/* ---- of a job that goes on ---- */

json_t *sched_orders_write_done(const struct poe_search *search, unsigned root, unsigned n)
{
    json_t *done = NULL;
    for (unsigned i = root; i < n; i++) {
        struct poe_share *shares;
        uint32_t n_shares = poe_search_done(search, i, &shares);
        json_t *list = json_array();
        for (uint32_t k = 0; k < n_shares; k++)
            json_array_append_new(list, json_pack("[o, f]", hex(shares[k].key), shares[k].leaves));
        free(shares);
        done = n_shares && !done ? json_array() : done;
        if (n_shares)
            json_array_append_new(done, json_pack("[i, O]", (int)i, list));
        json_decref(list);
    }
    return done;
}

static uint32_t read_shares(const json_t *list, struct poe_share *shares)
{
    uint32_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *key;
        double leaves;
        if (json_unpack(json_array_get(list, i), "[s, F]", &key, &leaves) == 0 && leaves >= 0)
            shares[n++] = (struct poe_share){strtoull(key, NULL, 16), leaves};
    }
    return n;
}

void sched_orders_read_done(struct poe_search *search, const json_t *done)
{
    for (size_t i = 0; i < json_array_size(done); i++) {
        int number;
        json_t *list;
        if (json_unpack(json_array_get(done, i), "[i, o]", &number, &list) != 0 || number < 0)
            continue;
        struct poe_share *shares = sched_alloc(json_array_size(list), sizeof *shares);
        uint32_t n = read_shares(list, shares);
        poe_search_set_done(search, (unsigned)number, shares, n);
        free(shares);
    }
}
