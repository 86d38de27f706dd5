/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What multiplies the interleavings of an exploration: how many there would be with an option, or if the
 * choices of one class (classes.h) were none, as its search expects (poe_search_shares). All are sums over
 * interleavings, so those of parts add up.
 */
#ifndef SCHED_ORDERS_H
#define SCHED_ORDERS_H

#include <jansson.h>

#include "classes.h"

enum { SCHED_ORDERS_SHARES = POE_SHARE_MIX_2 + 1 };

struct sched_order {
    struct sched_class class;
    double left; /* interleavings, if its choices took their first alternatives */
};

struct sched_orders {
    double shares[SCHED_ORDERS_SHARES]; /* by enum poe_share_key */
    struct sched_order *classes;        /* others are as POE_SHARE_ALL */
    size_t n;
};

void sched_orders_finish(struct sched_orders *orders);
/* In place of what was there: of what has left the search, or, `all`, with what it expects of the rest. */
void sched_orders_take(struct sched_orders *orders, struct poe_search *search,
                       const struct sched_classes *classes, bool all);
/* Of another part of the same exploration. */
void sched_orders_merge(struct sched_orders *orders, const struct sched_orders *more);

json_t *sched_orders_write(const struct sched_orders *orders, const struct sched_sites *sites);
/* Into empty ones. False: this is none. */
bool sched_orders_read(struct sched_orders *orders, struct sched_sites *sites, const json_t *json);

/* What a search knows of the done alternatives of the decisions from `root` to n, for who goes on with it;
 * NULL: nothing. */
json_t *sched_orders_write_done(const struct poe_search *search, unsigned root, unsigned n);
void sched_orders_read_done(struct poe_search *search, const json_t *done);

#endif
