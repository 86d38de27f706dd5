/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent vectors against arrays: random sets, maxima and mixtures of thousands of components. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "poe/arena.h"
#include "poe/poe.h"
#include "poe/vector.h"

enum { VECTORS = 12, MOST = 6000, STEPS = 4000 };

/* A vector, and the same as an array. */
struct pair {
    struct poe_vector *vector;
    uint32_t at[2][MOST];
};

struct all {
    struct poe_arena *arena;
    struct pair *pairs;
    uint32_t components;
    unsigned seed;
};

static uint32_t draw(struct all *all, uint32_t below)
{
    all->seed = all->seed * 1664525u + 1013904223u;
    return (all->seed >> 8) % below;
}

static void check_one(const struct pair *p, uint32_t component)
{
    for (enum poe_clock_kind kind = POE_CLOCK_ZERO; kind <= POE_CLOCK_INFINITE; kind++)
        assert_int_equal(poe_vector_at(p->vector, kind, component), p->at[kind][component]);
}

static void set(struct all *all, struct pair *p)
{
    uint32_t component = draw(all, all->components), zero = draw(all, 50), infinite = draw(all, 50);
    p->vector = poe_vector_set(all->arena, p->vector, component, zero, infinite);
    p->at[POE_CLOCK_ZERO][component] = zero;
    p->at[POE_CLOCK_INFINITE][component] = infinite;
    check_one(p, component);
}

/* Of a and b becomes c, which may be one of them. */
static void combine(struct all *all, struct pair *a, struct pair *b, struct pair *c, bool mix)
{
    struct poe_vector *made = mix ? poe_vector_mix(all->arena, a->vector, b->vector)
                                  : poe_vector_join(all->arena, a->vector, b->vector);
    poe_vector_drop(all->arena, c->vector);
    c->vector = made;
    for (enum poe_clock_kind kind = POE_CLOCK_ZERO; kind <= POE_CLOCK_INFINITE; kind++)
        for (uint32_t i = 0; i < MOST; i++) {
            uint32_t x = a->at[kind][i], y = b->at[kind][i];
            c->at[kind][i] = mix ? (kind == POE_CLOCK_ZERO ? x : y) : x > y ? x : y;
        }
}

static void check_all(const struct pair *p)
{
    for (uint32_t i = 0; i < MOST; i++)
        check_one(p, i);
}

static void check_differences(struct all *all, const struct pair *a, const struct pair *b)
{
    enum poe_clock_kind kind = draw(all, 2) ? POE_CLOCK_ZERO : POE_CLOCK_INFINITE;
    uint32_t from = draw(all, all->components), wanted = from;
    while (wanted < MOST && a->at[kind][wanted] == b->at[kind][wanted])
        wanted++;
    assert_int_equal(poe_vector_difference(a->vector, b->vector, kind, from),
                     wanted < MOST ? wanted : UINT32_MAX);
}

static void step(struct all *all)
{
    struct pair *a = &all->pairs[draw(all, VECTORS)], *b = &all->pairs[draw(all, VECTORS)],
                *c = &all->pairs[draw(all, VECTORS)];
    switch (draw(all, 20)) {
    case 0: combine(all, a, b, c, true); break;
    case 1:
    case 2: combine(all, a, b, c, false); break;
    case 3: check_differences(all, a, b); break;
    case 4: all->components = 1 + draw(all, draw(all, 2) ? MOST : 40); break;
    default: set(all, a);
    }
}

static size_t saved_bytes(struct poe_arena *arena)
{
    struct poe_saved *saved = poe_arena_save(arena);
    size_t bytes = poe_saved_bytes(saved);
    poe_saved_destroy(saved);
    return bytes;
}

static void play(struct all *all, unsigned seed)
{
    all->seed = seed;
    all->components = 3;
    all->pairs = calloc(VECTORS, sizeof *all->pairs);
    for (unsigned i = 0; i < STEPS; i++) {
        step(all);
        if (i % 100 == 0)
            check_all(&all->pairs[draw(all, VECTORS)]);
    }
    for (unsigned i = 0; i < VECTORS; i++) {
        check_all(&all->pairs[i]);
        poe_vector_drop(all->arena, all->pairs[i].vector);
    }
    free(all->pairs);
}

static void test_they_are_as_arrays(void **state)
{
    for (unsigned seed = 1; seed <= 30; seed++) {
        struct all all = {.arena = poe_arena_create()};
        play(&all, seed);
        poe_arena_destroy(all.arena);
    }
    (void)state;
}

/* All that was taken is given back: what does the same again takes no more from the arena. */
static void test_nothing_is_left(void **state)
{
    struct all all = {.arena = poe_arena_create()};
    play(&all, 7);
    size_t once = saved_bytes(all.arena);
    struct all fresh = {.arena = poe_arena_create()};
    for (int i = 0; i < 5; i++)
        play(&fresh, 7);
    assert_int_equal(saved_bytes(fresh.arena), once);
    poe_arena_destroy(all.arena);
    poe_arena_destroy(fresh.arena);
    (void)state;
}

/* A maximum shares what is the same: a message that tells one thing more costs a path. */
static void test_a_maximum_shares(void **state)
{
    struct poe_arena *arena = poe_arena_create();
    struct poe_vector *a = NULL;
    for (uint32_t i = 0; i < 16384; i++)
        a = poe_vector_set(arena, a, i, i + 1, i + 1);
    struct poe_vector *b = poe_vector_set(arena, poe_vector_keep(a), 12345, 99999, 99999);
    size_t before = saved_bytes(arena);
    struct poe_vector *c = poe_vector_join(arena, a, b);
    assert_ptr_equal(c, b);
    struct poe_vector *d = poe_vector_set(arena, poe_vector_keep(a), 54, 99999, 99999);
    struct poe_vector *e = poe_vector_join(arena, d, b);
    assert_int_equal(poe_vector_at(e, POE_CLOCK_ZERO, 12345), 99999);
    assert_int_equal(poe_vector_at(e, POE_CLOCK_INFINITE, 54), 99999);
    assert_int_equal(poe_vector_at(e, POE_CLOCK_INFINITE, 12344), 12345);
    assert_true(before > (size_t)2 * 16384 * sizeof(uint32_t));
    assert_true(saved_bytes(arena) < before / 4); /* what has changed since */
    poe_arena_destroy(arena);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_they_are_as_arrays),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_a_maximum_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
