/* SPDX-License-Identifier: BSD-3-Clause */
/* Random intervals, inserted, removed and searched, compared with a list of them; and the work that a search
 * takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "memory/interval_tree.h"

enum { NODES = 200, ROUNDS = 20000 };

static uint64_t state_ = 1;

static unsigned any(unsigned below)
{
    state_ = state_ * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(state_ >> 33) % below;
}

struct found {
    uintptr_t last_low;
    unsigned n;
};

static bool count(void *context, struct prof_interval *node)
{
    struct found *f = context;
    assert_true(node->low >= f->last_low);
    f->last_low = node->low;
    f->n++;
    return true;
}

static unsigned by_list(const struct prof_interval *nodes, const bool *in, uintptr_t low, uintptr_t high)
{
    unsigned n = 0;
    for (int i = 0; i < NODES; i++)
        n += in[i] && nodes[i].low < high && nodes[i].high > low;
    return n;
}

static void finds_what_a_list_finds(void **context)
{
    static struct prof_interval nodes[NODES];
    static bool in[NODES];
    struct prof_interval *root = NULL;
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned i = any(NODES);
        if (in[i]) {
            prof_interval_remove(&root, &nodes[i]);
        } else {
            nodes[i].low = any(1000);
            nodes[i].high = nodes[i].low + 1 + any(any(10) ? 20 : 500);
            prof_interval_insert(&root, &nodes[i]);
        }
        in[i] = !in[i];
        uintptr_t low = any(1000), high = low + 1 + any(50);
        struct found f = {0};
        assert_true(prof_interval_each(root, low, high, count, &f));
        assert_int_equal(f.n, by_list(nodes, in, low, high));
    }
}

static bool stop(void *context, struct prof_interval *node)
{
    *(struct prof_interval **)context = node;
    return false;
}

static unsigned depth(const struct prof_interval *n)
{
    if (!n)
        return 0;
    unsigned l = depth(n->left), r = depth(n->right);
    return 1 + (l > r ? l : r);
}

/* Buffers one after the other, the worst order for a plain tree. */
static void stays_flat(void **context)
{
    enum { MANY = 100000 };
    struct prof_interval *nodes = calloc(MANY, sizeof *nodes), *root = NULL, *first = NULL;
    (void)context;
    for (uintptr_t i = 0; i < MANY; i++) {
        nodes[i].low = 8 * i;
        nodes[i].high = 8 * i + 8;
        prof_interval_insert(&root, &nodes[i]);
    }
    assert_in_range(depth(root), 17, 70);
    assert_false(prof_interval_each(root, 8 * 777 + 3, 8 * MANY, stop, &first));
    assert_ptr_equal(first, &nodes[777]);
    for (uintptr_t i = 0; i < MANY; i++)
        prof_interval_remove(&root, &nodes[i]);
    assert_null(root);
    free(nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_list_finds),
        cmocka_unit_test(stays_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
