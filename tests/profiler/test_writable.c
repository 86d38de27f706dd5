/* SPDX-License-Identifier: BSD-3-Clause */
/* What counts as a program's state (profiler/outside/writable.h), and what does not, as others may write
 * it. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "outside/ignored.h"
#include "outside/writable.h"

enum { BYTES = 3 * 4096 };

static volatile char *memory; /* private, and of nobody */
static uintptr_t stack;       /* above it nothing is at work */
static struct prof_ignored ignored;

static int make_memory(void **state)
{
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED;
}

static int remove_memory(void **state) { return munmap((void *)(uintptr_t)memory, BYTES); }

static uint64_t state_now(void)
{
    uint64_t hash = 0;
    assert_true(prof_writable_hash(stack, &ignored, true, &hash));
    return hash;
}

/* Whether writing there makes another state. */
static bool counts(size_t at)
{
    volatile char *const where = memory + at;
    *where = 0;
    uint64_t before = state_now(), again = state_now();
    assert_true(before == again);
    *where = 1;
    uint64_t after = state_now();
    *where = 0;
    return after != before;
}

static void test_what_is_written_counts(void **state)
{
    assert_true(counts(0));
    assert_true(counts(4096 + 100));
    assert_true(counts(BYTES - 1));
}

static void test_windows_are_left_out(void **state)
{
    void *window = (void *)(uintptr_t)(memory + 100);
    prof_writable_leave_out(window, 2 * 4096);
    assert_true(counts(0));
    assert_false(counts(100));
    assert_false(counts(4096 + 1));
    assert_false(counts(2 * 4096 + 99));
    assert_true(counts(2 * 4096 + 104));
    prof_writable_take_back(window, 2 * 4096);
    assert_true(counts(4096 + 1));
}

/* isp's handler of signals works there. */
static void test_the_signal_stack_is_left_out(void **state)
{
    stack_t own = {.ss_sp = (void *)(uintptr_t)memory, .ss_size = BYTES}, before;
    assert_int_equal(sigaltstack(&own, &before), 0);
    bool any = counts(0) || counts(BYTES - 1);
    assert_int_equal(sigaltstack(&before, NULL), 0);
    assert_false(any);
    assert_true(counts(0));
}

/* Byte by byte, over the edge of pages, and once more when it is over. */
static void test_what_is_ignored_is_left_out(void **state)
{
    uintptr_t start = (uintptr_t)memory + 101;
    ignored = (struct prof_ignored){.ranges = {{start, start + 2 * 4096}}, .n = 1};
    assert_true(counts(100));
    assert_false(counts(101));
    assert_false(counts(4096 + 1));
    assert_false(counts(2 * 4096 + 100));
    assert_true(counts(2 * 4096 + 101));
    ignored.n = 0;
    assert_true(counts(4096 + 1));
}

/* What is below the stack of a thread (glibc 2.42), if the kernel knows it: nobody may read it. */
static void test_guards_are_left_out(void **state)
{
    enum { GUARD_INSTALL = 102 };
    memory[4096] = 1;
    madvise((void *)(uintptr_t)(memory + 4096), 4096, GUARD_INSTALL);
    assert_true(counts(100));
    assert_true(counts(2 * 4096));
}

static __thread volatile int of_thread; /* glibc has it at the upper end of the thread's stack */
static sem_t *turn;                     /* of the thread, and of who asks it; shared memory does not count */

static void *write_when_asked(void *unused)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&turn[0]);
        of_thread++;
        sem_post(&turn[1]);
    }
    return unused;
}

static void ask_thread(void)
{
    sem_post(&turn[0]);
    sem_wait(&turn[1]);
}

/* MPI's threads write when they like, and the program's are not looked at here. */
static void test_stacks_of_threads_are_left_out(void **state)
{
    pthread_t thread;
    turn = mmap(NULL, 2 * sizeof *turn, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(turn, MAP_FAILED);
    assert_int_equal(sem_init(&turn[0], 1, 0) | sem_init(&turn[1], 1, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_when_asked, NULL), 0);
    ask_thread();
    uint64_t before = state_now();
    ask_thread();
    uint64_t after = state_now();
    ask_thread(); /* now it ends */
    assert_true(after == before);
    pthread_join(thread, NULL);
    munmap(turn, 2 * sizeof *turn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_written_counts, make_memory, remove_memory),
        cmocka_unit_test_setup_teardown(test_windows_are_left_out, make_memory, remove_memory),
        cmocka_unit_test_setup_teardown(test_the_signal_stack_is_left_out, make_memory, remove_memory),
        cmocka_unit_test_setup_teardown(test_what_is_ignored_is_left_out, make_memory, remove_memory),
        cmocka_unit_test_setup_teardown(test_guards_are_left_out, make_memory, remove_memory),
        cmocka_unit_test(test_stacks_of_threads_are_left_out),
    };
    stack = (uintptr_t)__builtin_frame_address(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
