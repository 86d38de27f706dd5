/* SPDX-License-Identifier: BSD-3-Clause */
/* The arena that a run lives in: what is allocated, used again, saved and restored, and what saves cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "poe/arena.h"
#include "poe/poe.h"

enum { MANY = 400 };

static bool is_filled(const char *data, char with, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != with)
            return false;
    return true;
}

/* Small ones, big ones, and some that need a chunk of their own. */
static size_t size_of(unsigned k)
{
    return k % 50 == 7 ? (size_t)k * 1000 : k % 10 == 3 ? (size_t)k * 64 : k;
}

static void fill(struct poe_arena *arena, char **blocks)
{
    for (unsigned k = 0; k < MANY; k++) {
        blocks[k] = poe_arena_new(arena, size_of(k));
        assert_int_equal((uintptr_t)blocks[k] % 16, 0);
        assert_true(is_filled(blocks[k], 0, size_of(k)));
        memset(blocks[k], (char)k, size_of(k));
    }
}

static void check(char *const *blocks)
{
    for (unsigned k = 0; k < MANY; k++)
        assert_true(is_filled(blocks[k], (char)k, size_of(k)));
}

static size_t saved_bytes(struct poe_arena *arena)
{
    struct poe_saved *saved = poe_arena_save(arena);
    size_t bytes = poe_saved_bytes(saved);
    poe_saved_destroy(saved);
    return bytes;
}

static void test_blocks_are_zero_and_apart(void **state)
{
    struct poe_arena *arena = poe_arena_create();
    char *blocks[MANY], *again[MANY];
    fill(arena, blocks);
    check(blocks);
    for (unsigned k = 0; k < MANY; k++)
        poe_arena_free(arena, blocks[k]);
    fill(arena, again);
    check(again);
    poe_arena_free(arena, NULL);
    poe_arena_destroy(arena);
}

static void test_what_is_freed_is_used_again(void **state)
{
    struct poe_arena *arena = poe_arena_create();
    struct poe_saved *first = NULL;
    for (unsigned round = 0; round < 1000; round++) {
        char *blocks[50];
        for (unsigned k = 0; k < 50; k++)
            blocks[k] = poe_arena_new(arena, 40 * k);
        for (unsigned k = 0; k < 50; k++)
            poe_arena_free(arena, blocks[k]);
        if (!first)
            first = poe_arena_save(arena);
    }
    assert_true(saved_bytes(arena) <= poe_saved_bytes(first));
    poe_saved_destroy(first);
    poe_arena_destroy(arena);
}

static void test_resize_keeps_what_is_there(void **state)
{
    struct poe_arena *arena = poe_arena_create();
    char *p = NULL;
    for (size_t bytes = 1; bytes < 300000; bytes += bytes / 5 + 1) {
        size_t before = bytes == 1 ? 0 : bytes - 1;
        p = poe_arena_resize(arena, p, bytes);
        before = before * 5 / 6; /* at most what was there */
        assert_true(is_filled(p, 'x', before));
        memset(p, 'x', bytes);
    }
    p = poe_arena_resize(arena, p, 10);
    assert_true(is_filled(p, 'x', 10));
    uint32_t room = 0, *numbers = NULL;
    for (uint32_t k = 0; k < 1000; k++) {
        numbers = poe_arena_grow(arena, numbers, &room, k + 1, sizeof *numbers);
        assert_int_equal(numbers[k], 0);
        numbers[k] = k + 1;
    }
    assert_int_equal(numbers[0], 1);
    assert_int_equal(room, 1024);
    poe_arena_destroy(arena);
}

/* What happens after a save, and again after each restore: it must find the same, and get the same memory. */
static void go_on(struct poe_arena *arena, char **blocks, char **more)
{
    check(blocks);
    for (unsigned k = 0; k < MANY; k += 2)
        poe_arena_free(arena, blocks[k]);
    for (unsigned k = 1; k < MANY; k += 2)
        memset(blocks[k], 'y', size_of(k));
    fill(arena, more);
}

static void test_restore_brings_back_bytes_and_allocator(void **state)
{
    struct poe_arena *arena = poe_arena_create();
    char *blocks[MANY], *more[MANY], *first[MANY];
    fill(arena, blocks);
    struct poe_saved *saved = poe_arena_save(arena);
    go_on(arena, blocks, first);
    struct poe_saved *later = poe_arena_save(arena);
    for (int round = 0; round < 3; round++) {
        poe_arena_restore(arena, saved);
        go_on(arena, blocks, more);
        assert_memory_equal(more, first, sizeof more);
    }
    poe_arena_restore(arena, saved);
    check(blocks);
    poe_arena_restore(arena, later);
    check(first);
    poe_saved_destroy(saved);
    check(first);
    poe_arena_destroy(arena);
    poe_saved_destroy(later); /* after its arena */
}

static void test_saves_share_what_does_not_change(void **state)
{
    enum { BLOCKS = 10000, BYTES = 1000, SAVES = 100 };
    struct poe_arena *arena = poe_arena_create();
    static char *blocks[BLOCKS];
    for (unsigned k = 0; k < BLOCKS; k++)
        blocks[k] = memset(poe_arena_new(arena, BYTES), (char)k, BYTES);
    struct poe_saved *saves[SAVES];
    size_t others = 0;
    for (unsigned s = 0; s < SAVES; s++) {
        memset(blocks[s], 'z', BYTES);
        saves[s] = poe_arena_save(arena);
        others += s ? poe_saved_bytes(saves[s]) : 0;
    }
    size_t first = poe_saved_bytes(saves[0]);
    assert_true(first > (size_t)BLOCKS * BYTES);
    assert_true(first < (size_t)BLOCKS * BYTES * 5 / 4);
    assert_true(others < first);
    poe_arena_restore(arena, saves[50]);
    poe_saved_destroy(saves[0]);                     /* whose pages most others use */
    struct poe_saved *again = poe_arena_save(arena); /* shares with what was restored */
    assert_true(poe_saved_bytes(again) < first / 50);
    for (unsigned s = 1; s < SAVES; s++) {
        poe_arena_restore(arena, saves[s]);
        for (unsigned k = 0; k < SAVES; k++)
            assert_true(is_filled(blocks[k], k <= s ? 'z' : (char)k, BYTES));
        poe_saved_destroy(saves[s]);
    }
    poe_saved_destroy(again);
    poe_arena_destroy(arena);
}

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

/* AddressSanitizer sees what is used after its end and what is used beyond it, also after a restore. */
static void test_sanitizer_sees_what_is_not_allocated(void **state)
{
    struct poe_arena *arena = poe_arena_create();
    char *kept = poe_arena_new(arena, 24), *freed = poe_arena_new(arena, 100);
    struct poe_saved *saved = poe_arena_save(arena);
    for (int round = 0; round < 2; round++) {
        assert_false(__asan_address_is_poisoned(freed));
        assert_false(__asan_address_is_poisoned(kept + 23));
        assert_true(__asan_address_is_poisoned(kept + 24));
        poe_arena_free(arena, freed);
        assert_true(__asan_address_is_poisoned(freed + 50));
        struct poe_saved *later = poe_arena_save(arena);
        assert_true(__asan_address_is_poisoned(freed + 50));
        assert_true(__asan_address_is_poisoned(kept + 24));
        poe_saved_destroy(later);
        poe_arena_restore(arena, saved);
    }
    poe_saved_destroy(saved);
    poe_arena_destroy(arena);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_zero_and_apart),
        cmocka_unit_test(test_what_is_freed_is_used_again),
        cmocka_unit_test(test_resize_keeps_what_is_there),
        cmocka_unit_test(test_restore_brings_back_bytes_and_allocator),
        cmocka_unit_test(test_saves_share_what_does_not_change),
#ifdef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_sanitizer_sees_what_is_not_allocated),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
