/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is rung when MPI sends, and when this rank may sleep. The other rank is only its bell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>

#include "link/bells.h"
#include "link/progress.h"

enum { RANK, OTHER };

/* some_ucp.c */
extern void *ucp_next_request;
extern const char *ucp_own_address;
extern const void *ucp_next_endpoint;
extern int ucp_released, ucp_completes_at_once;
/* what endpoints.c stands in front of */
int ucp_worker_get_address(void *worker, void **address, size_t *bytes);
int ucp_ep_create(void *worker, const void *parameters, void **endpoint);
void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t n, uint64_t tag, const void *parameters);
void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t n, uint64_t tag, uint64_t mask,
                       const void *parameters);
void ucp_request_release(void *request);

static const struct {
    uint64_t fields;
    const void *address;
} to_other = {1, "address of the other"}, to_stranger = {1, "address of a stranger"};
static const uint32_t plain, with_datatype = 1 << 3;
static struct isp_ring_head head;
static char other, stranger; /* endpoints */

bool prof_progress_has_windows(void) { return false; }

static void *endpoint(const void *number, const void *parameters)
{
    void *made;
    ucp_next_endpoint = number;
    assert_int_equal(ucp_ep_create(NULL, parameters, &made), 0);
    assert_ptr_equal(made, number);
    return made;
}

/* As in a rank: MPI connects all before isp is asked, and the other one attaches when it likes. */
static void begin(void)
{
    void *address;
    size_t bytes;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one); /* two are a crowd on one core, if ... */
    ucp_own_address = "address of this rank";
    assert_int_equal(ucp_worker_get_address(NULL, &address, &bytes), 0);
    endpoint(&other, &to_other);
    endpoint(&stranger, &to_stranger);
    prof_bells_attach(&head, RANK, ISP_RING_BELLS); /* ... there are so many */
    ucp_tag_send_nbx(&other, NULL, 0, 0, &plain);   /* its bell is not known yet */
    memcpy(head.bells[OTHER].address, to_other.address, ISP_BELL_ADDRESS);
    head.bells[OTHER].has_address = 1;
    head.n_addresses = ISP_RING_BELLS;
}

static void test_who_sleeps_is_rung(void **state)
{
    head.bells[OTHER].asleep = 1;
    ucp_tag_send_nbx(&stranger, NULL, 0, 0, &plain);
    assert_int_equal(head.bells[OTHER].asleep, 1);
    ucp_tag_send_nbx(&other, NULL, 0, 0, &plain);
    assert_int_equal(head.bells[OTHER].asleep, 0);
}

static void test_what_goes_later_rings_again(void **state)
{
    char request;
    int before = ucp_released;
    ucp_next_request = &request;
    assert_ptr_equal(ucp_tag_send_nbx(&other, NULL, 0, 0, &plain), &request);
    ucp_next_request = NULL;
    assert_false(prof_bells_pay());
    head.bells[OTHER].asleep = 1;
    ucp_request_release(&request);
    assert_int_equal(ucp_released, before + 1);
    assert_int_equal(head.bells[OTHER].asleep, 0);
    assert_true(prof_bells_pay());
}

static void test_an_error_is_no_request(void **state)
{
    ucp_next_request = (void *)(uintptr_t)-3;
    ucp_tag_send_nbx(&other, NULL, 0, 0, &plain);
    ucp_next_request = NULL;
    assert_true(prof_bells_pay());
}

static void receive(size_t n, const void *parameters, bool sleeps)
{
    char request;
    ucp_next_request = &request;
    ucp_tag_recv_nbx(NULL, NULL, n, 0, 0, parameters);
    ucp_next_request = NULL;
    assert_int_equal(prof_bells_pay(), sleeps);
    ucp_request_release(&request);
    assert_true(prof_bells_pay());
}

static void test_large_messages_need_both(void **state)
{
    receive(8, &plain, true);
    receive(1 << 20, &plain, false);
    receive(1, &with_datatype, false); /* elements of any size */
}

static void test_what_is_over_when_it_is_returned_is_over(void **state)
{
    char request;
    int before = ucp_released;
    ucp_next_request = &request;
    ucp_completes_at_once = 1;
    ucp_tag_recv_nbx(NULL, NULL, 1 << 20, 0, 0, &plain);
    ucp_completes_at_once = 0;
    assert_int_equal(ucp_released, before + 1);
    assert_true(prof_bells_pay());
    receive(1 << 20, &plain, false); /* another one with the same request */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_sleeps_is_rung),
        cmocka_unit_test(test_what_goes_later_rings_again),
        cmocka_unit_test(test_an_error_is_no_request),
        cmocka_unit_test(test_large_messages_need_both),
        cmocka_unit_test(test_what_is_over_when_it_is_returned_is_over),
    };
    begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
