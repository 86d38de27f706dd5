/* SPDX-License-Identifier: BSD-3-Clause */
/* What snapshots say of regions with and without holes, small and large, and of memory that is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "memory/snapshot.h"
#include "types/types.h"

/* Not needed here. */
uint32_t prof_type_basic(MPI_Datatype handle)
{
    (void)handle;
    return 0;
}

bool prof_type_find(MPI_Datatype handle, MPI_Count *size, struct prof_type **entry)
{
    (void)handle, (void)size, (void)entry;
    return false;
}
const struct prof_shape *prof_type_shape(struct prof_type *entry) { return entry->shape; }

/* `n` blocks of 4 bytes, 8 apart. */
static struct prof_region comb(const void *at, int64_t n)
{
    struct prof_region r;
    assert_true(prof_region_adopt(&r, at, prof_shape_repeat(n, 8, prof_shape_run(0, 4))));
    return r;
}

static void changed_bytes_are_named(void **context)
{
    (void)context;
    unsigned char data[64] = {0};
    struct prof_region regions[2] = {prof_region_bytes(data, sizeof data), comb(data, 8)};
    for (int i = 0; i < 2; i++) {
        struct prof_snapshot s = {.kind = PROF_SNAPSHOT_NONE};
        struct prof_change c;
        memset(data, 0, sizeof data);
        prof_snapshot_take(&s, &regions[i]);
        assert_false(prof_snapshot_differs(&s, &regions[i], &c));
        data[17] = 5;
        data[19] = 6;
        assert_true(prof_snapshot_differs(&s, &regions[i], &c));
        assert_ptr_equal(c.run.at, data + 17);
        assert_int_equal(c.run.length, 3);
        unsigned char was[4] = "xxx";
        assert_true(prof_snapshot_old(&s, &regions[i], (struct prof_run){(uintptr_t)data + 17, 2}, was));
        assert_memory_equal(was, "\0\0x", 3);
        assert_false(prof_snapshot_old(&s, &regions[i], (struct prof_run){(uintptr_t)data + 63, 2}, was));
        assert_int_equal(prof_snapshot_count(&s, &regions[i], 1), 2);
        assert_int_equal(prof_snapshot_count(&s, &regions[i], 8), 1);
        prof_snapshot_take(&s, &regions[i]);
        assert_false(prof_snapshot_differs(&s, &regions[i], &c));
        prof_snapshot_finish(&s, &regions[i]);
    }
    prof_region_finish(&regions[1]);
}

static void holes_are_not_looked_at(void **context)
{
    (void)context;
    enum { BLOCKS = 2000 };
    unsigned char *data = calloc(BLOCKS, 8);
    for (int64_t n = 2; n <= BLOCKS; n *= 10) { /* copied, then hashed */
        struct prof_region r = comb(data, n);
        struct prof_snapshot s = {.kind = PROF_SNAPSHOT_NONE};
        struct prof_change c;
        prof_snapshot_take(&s, &r);
        data[8 * (n - 2) + 4] ^= 1; /* behind the last block but one */
        assert_false(prof_snapshot_differs(&s, &r, &c));
        data[8 * (n - 1) + 3] ^= 1;
        assert_true(prof_snapshot_differs(&s, &r, &c));
        prof_snapshot_finish(&s, &r);
        prof_region_finish(&r);
    }
    free(data);
}

static void memory_may_go(void **context)
{
    (void)context;
    size_t bytes = 1 << 20;
    char *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct prof_region r = prof_region_bytes(data, bytes);
    struct prof_snapshot s = {.kind = PROF_SNAPSHOT_NONE};
    struct prof_change c;
    prof_snapshot_take(&s, &r);
    assert_false(prof_snapshot_differs(&s, &r, &c));
    munmap(data + bytes / 2, bytes / 2);
    assert_true(prof_snapshot_differs(&s, &r, &c));
    assert_true(c.gone);
    prof_snapshot_take(&s, &r); /* of what is not there nothing is known */
    assert_false(prof_snapshot_differs(&s, &r, &c));
    prof_snapshot_finish(&s, &r);
    munmap(data, bytes / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_bytes_are_named),
        cmocka_unit_test(holes_are_not_looked_at),
        cmocka_unit_test(memory_may_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
