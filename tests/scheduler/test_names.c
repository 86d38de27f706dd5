/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of shared memory that killed processes leave (scheduler/launch/shared_memory.h): what they have noted
 * is removed, but not what they have taken back, nor what is no segment of UCX. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "isp/wire.h"
#include "launch/shared_memory.h"

enum { NAMES = 4 };

static char folder[] = "/tmp/isp-names-XXXXXX";

static void name_of(char *name, size_t room, const char *what, int k)
{
    snprintf(name, room, "%s_isp_test_%d_%d", what, (int)getpid(), k);
}

static void make(const char *what, int k)
{
    char name[64];
    name_of(name, sizeof name, what, k);
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    close(fd);
}

/* Whether it was there; it is not any more. */
static bool take(const char *what, int k)
{
    char name[64];
    name_of(name, sizeof name, what, k);
    return shm_unlink(name) == 0;
}

static void note(int dir, char sign, const char *what, int k)
{
    char name[64];
    name_of(name, sizeof name, what, k);
    int fd = openat(dir, ISP_SEGMENTS_FILE, O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(dprintf(fd, "%c%s\n", sign, name) > 0);
    close(fd);
}

static void test_what_is_noted_is_removed(void **state)
{
    static const char ucx[] = "ucx_shm_posix", other[] = "somebody";
    assert_non_null(mkdtemp(folder));
    int dir = open(folder, O_RDONLY | O_DIRECTORY);
    sched_segment_remove_noted(dir); /* there is no file yet */
    for (int k = 0; k < NAMES; k++)
        make(ucx, k);
    make(other, 0);
    note(dir, '+', ucx, 0);
    note(dir, '+', ucx, 1);
    note(dir, '-', ucx, 1); /* it was somebody else's */
    note(dir, '+', ucx, 2);
    note(dir, '-', ucx, 2);
    note(dir, '+', ucx, 2); /* made again */
    note(dir, '-', ucx, 3); /* never noted */
    note(dir, '+', other, 0);
    note(dir, '+', "ucx_shm_posix/../ucx_shm_posix", 3);
    sched_segment_remove_noted(dir);
    assert_false(take(ucx, 0));
    assert_true(take(ucx, 1));
    assert_false(take(ucx, 2));
    assert_true(take(ucx, 3));
    assert_true(take(other, 0));
    unlinkat(dir, ISP_SEGMENTS_FILE, 0);
    close(dir);
    rmdir(folder);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_noted_is_removed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
