/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory of another process, saved and put back (scheduler/checkpoint/segments.h). */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "checkpoint/segments.h"

enum { PAGE = 4096, PAGES = 8, SIZE = PAGES * PAGE - 100 }; /* the last page is not full */

static const bool both[] = {true, true};

/* A segment as a rank has it: a descriptor, and a mapping of its own. */
static unsigned char *make(int *fd)
{
    *fd = memfd_create("segment", MFD_CLOEXEC);
    assert_true(*fd >= 0);
    assert_int_equal(ftruncate(*fd, SIZE), 0);
    unsigned char *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    assert_true(map != MAP_FAILED);
    return map;
}

static void puts_back_what_was_there(void **state)
{
    int fd;
    unsigned char *rank = make(&fd), was[SIZE];
    struct sched_segments *segments = sched_segments_create();
    assert_true(sched_segments_add(segments, 0, getpid(), fd));
    rank[0] = 1;
    rank[5 * PAGE + 7] = 2;
    rank[SIZE - 1] = 3;
    memcpy(was, rank, SIZE);
    struct sched_memory *first = sched_segments_save(segments, both);
    rank[0] = 10;
    rank[2 * PAGE] = 20; /* a page that was not touched before */
    struct sched_memory *second = sched_segments_save(segments, both);
    memset(rank, 99, SIZE);
    assert_true(sched_segments_restore(segments, second, both));
    assert_int_equal(rank[0], 10);
    assert_int_equal(rank[2 * PAGE], 20);
    assert_int_equal(rank[5 * PAGE + 7], 2);
    assert_true(sched_segments_restore(segments, first, both));
    assert_memory_equal(rank, was, SIZE);
    memset(rank, 77, SIZE);
    assert_true(sched_segments_restore(segments, first, both)); /* as often as wanted */
    assert_memory_equal(rank, was, SIZE);
    sched_memory_destroy(second);
    assert_true(sched_segments_restore(segments, first, both));
    sched_memory_destroy(first);
    sched_segments_destroy(segments);
    munmap(rank, SIZE);
    close(fd);
}

static void leaves_alone_what_did_not_change(void **state)
{
    static const bool only_first[] = {true, false};
    int fds[2];
    unsigned char *ranks[] = {make(&fds[0]), make(&fds[1])};
    struct sched_segments *segments = sched_segments_create();
    for (int i = 0; i < 2; i++)
        assert_true(sched_segments_add(segments, i, getpid(), fds[i]));
    ranks[1][PAGE] = 5;
    /* a new one is saved all the same */
    struct sched_memory *memory = sched_segments_save(segments, only_first);
    ranks[0][0] = ranks[1][PAGE] = 9;
    assert_true(sched_segments_restore(segments, memory, only_first));
    assert_int_equal(ranks[0][0], 0);
    assert_int_equal(ranks[1][PAGE], 9);
    assert_true(sched_segments_restore(segments, memory, both));
    assert_int_equal(ranks[1][PAGE], 5);
    sched_memory_destroy(memory);
    sched_segments_destroy(segments);
    for (int i = 0; i < 2; i++) {
        munmap(ranks[i], SIZE);
        close(fds[i]);
    }
}

static void forgets_what_came_later(void **state)
{
    int fds[2];
    unsigned char *old = make(&fds[0]), *young = make(&fds[1]);
    struct sched_segments *segments = sched_segments_create();
    assert_true(sched_segments_add(segments, 0, getpid(), fds[0]));
    struct sched_memory *memory = sched_segments_save(segments, both);
    assert_true(sched_segments_add(segments, 1, getpid(), fds[1]));
    old[0] = young[0] = 4;
    assert_true(sched_segments_restore(segments, memory, both));
    assert_int_equal(sched_segments_count(segments), 1);
    assert_int_equal(old[0], 0);
    assert_int_equal(young[0], 4);
    sched_memory_destroy(memory);
    sched_segments_destroy(segments);
    munmap(old, SIZE);
    munmap(young, SIZE);
    close(fds[0]);
    close(fds[1]);
}

/* Who touched a mapping of it would be killed. */
static void outlives_truncation(void **state)
{
    int fd;
    unsigned char *rank = make(&fd), was[SIZE];
    struct sched_segments *segments = sched_segments_create();
    assert_true(sched_segments_add(segments, 0, getpid(), fd));
    memset(rank, 6, SIZE);
    memcpy(was, rank, SIZE);
    struct sched_memory *whole = sched_segments_save(segments, both);
    assert_int_equal(ftruncate(fd, PAGE + 1), 0);
    sched_memory_destroy(sched_segments_save(segments, both));
    assert_false(sched_segments_restore(segments, whole, both));
    assert_int_equal(ftruncate(fd, SIZE), 0);
    assert_true(sched_segments_restore(segments, whole, both));
    assert_memory_equal(rank, was, SIZE);
    sched_memory_destroy(whole);
    sched_segments_destroy(segments);
    munmap(rank, SIZE);
    close(fd);
}

static void refuses_what_it_cannot_have(void **state)
{
    struct sched_segments *segments = sched_segments_create();
    assert_false(sched_segments_add(segments, 0, getpid(), 1000000));
    assert_int_equal(sched_segments_count(segments), 0);
    sched_segments_destroy(segments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_back_what_was_there),    cmocka_unit_test(leaves_alone_what_did_not_change),
        cmocka_unit_test(forgets_what_came_later),     cmocka_unit_test(outlives_truncation),
        cmocka_unit_test(refuses_what_it_cannot_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
