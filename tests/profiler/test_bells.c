/* SPDX-License-Identifier: BSD-3-Clause */
/* A child process is a rank that sleeps, and this one rings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "link/bells.h"
#include "link/progress.h"

enum { RINGS, SLEEPS, RANKS };

static const char addresses[RANKS][ISP_BELL_ADDRESS] = {"who rings", "who sleeps"};
static const int64_t LONG_NS = 100000000000, SHORT_NS = 1000000;
static struct isp_ring_head *head;

bool prof_progress_has_windows(void) { return false; }

static int set_up(void **state)
{
    head = mmap(NULL, sizeof *head, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return head == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state) { return munmap(head, sizeof *head); }

static void attach(int rank)
{
    prof_bells_address(addresses[rank]);
    prof_bells_attach(head, rank, RANKS);
}

/* In a process of its own; its exit status is 0 if `sleep` says so. */
static pid_t start_sleeper(bool (*sleep)(void))
{
    pid_t pid = fork();
    if (pid == 0) {
        attach(SLEEPS);
        _exit(sleep() ? 0 : 1);
    }
    return pid;
}

static void assert_ends_well(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static bool sleeps_long(void)
{
    prof_bell_doze();
    return prof_bell_sleep(LONG_NS);
}

static void test_a_ring_wakes(void **state)
{
    attach(RINGS);
    pid_t pid = start_sleeper(sleeps_long);
    while (!atomic_load(&head->bells[SLEEPS].asleep))
        usleep(100);
    prof_bell_ring(SLEEPS);
    assert_ends_well(pid);
    assert_int_equal(head->bells[SLEEPS].asleep, 0);
}

static bool is_rung_before(void)
{
    prof_bell_doze();
    prof_bell_ring(SLEEPS); /* as another one would */
    return prof_bell_sleep(LONG_NS);
}

static void test_a_ring_before_the_sleep_counts(void **state)
{
    assert_ends_well(start_sleeper(is_rung_before));
}

static bool is_not_rung(void)
{
    prof_bell_ring(SLEEPS); /* it does not doze yet */
    prof_bell_doze();
    return !prof_bell_sleep(SHORT_NS) && !head->bells[SLEEPS].asleep;
}

static void test_who_is_not_rung_wakes_by_itself(void **state)
{
    assert_ends_well(start_sleeper(is_not_rung));
}

static bool returns(void) { return true; }

static void test_ranks_are_found_by_address(void **state)
{
    uint32_t tried = 0;
    attach(RINGS);
    assert_int_equal(prof_bells_find(addresses[SLEEPS], &tried), -1);
    assert_ends_well(start_sleeper(returns));
    assert_int_equal(prof_bells_find(addresses[SLEEPS], &tried), SLEEPS);
    tried = 0;
    assert_int_equal(prof_bells_find(addresses[RINGS], &tried), RINGS);
    tried = 0;
    assert_int_equal(prof_bells_find("nobody's address", &tried), -1);
}

static void test_two_ranks_are_no_crowd(void **state)
{
    attach(RINGS);
    assert_false(prof_bells_pay());
    prof_bells_attach(head, RINGS, ISP_RING_BELLS);
    assert_false(prof_bells_pay()); /* the others may be on other hosts */
    for (int i = 0; i < ISP_RING_BELLS; i++)
        prof_bells_attach(head, i, ISP_RING_BELLS);
    assert_true(prof_bells_pay());
    prof_bells_busy(+1);
    assert_false(prof_bells_pay());
    prof_bells_busy(-1);
    assert_true(prof_bells_pay());
}

/* How many cores there are decides whether it is a crowd. */
static void use_one_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_ring_wakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_ring_before_the_sleep_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_who_is_not_rung_wakes_by_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ranks_are_found_by_address, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_ranks_are_no_crowd, set_up, tear_down),
    };
    use_one_core();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
