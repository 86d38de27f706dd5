/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ends of the link between isp and a rank on its host: a child process is the rank, and each frame that
 * it sends comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../profiler/base/clock.h"
#include "../../profiler/link/bells.h"
#include "../../profiler/link/channel.h"
#include "../../profiler/link/hooks.h"
#include "../../profiler/link/progress.h"
#include "isp/ring.h"
#include "link/link.h"

enum { RANKS = 3, RANK = 2, ROUNDS = 400, LARGEST = 300000 };

/* MPI is not here, and nobody forks the rank. */
static _Noreturn void leave(int status) { _exit(status); }
static void over(void) {}
bool prof_progress_is_needed(void) { return false; }
void prof_bells_attach(struct isp_ring_head *head, int rank, int n) {}
bool prof_progress_until(int fd, int64_t timeout_ns) { return false; }
int64_t prof_now_ns(void) { return 0; }

/* ---- the rank ---- */

static uint8_t frame[LARGEST + 5], back[LARGEST + 5];

static void read_whole(uint8_t *room, size_t size)
{
    while (size) {
        size_t n = prof_channel_read(room, size, -1);
        room += n;
        size -= n;
    }
}

static void connect_rank(const struct sched_link *link)
{
    prof_link_hooks = (struct prof_link_hooks){.leave = leave, .over = over};
    struct isp_buf b = {0};
    uint8_t welcome[5];
    if (!prof_channel_open(link->address))
        _exit(2);
    size_t at = isp_frame_begin(&b, ISP_MSG_HELLO);
    isp_put_u32(&b, ISP_WIRE_VERSION);
    isp_put_bytes(&b, link->secret, ISP_TOKEN_BYTES);
    isp_put_i32(&b, RANK);
    isp_put_i32(&b, RANKS);
    isp_put_u64(&b, (uint64_t)getpid());
    isp_put_str(&b, "here");
    isp_frame_end(&b, at);
    prof_channel_write(b.data, b.size);
    isp_buf_finish(&b);
    read_whole(welcome, sizeof welcome);
    prof_channel_attach(RANK, RANKS, false);
}

static void exchange(int round, size_t size)
{
    struct isp_buf b = {.data = frame, .room = sizeof frame};
    size_t at = isp_frame_begin(&b, ISP_MSG_CALLS);
    memset(b.data + b.size, round, size);
    b.size += size;
    isp_frame_end(&b, at);
    prof_channel_write(b.data, b.size);
    read_whole(back, b.size);
    if (memcmp(frame, back, b.size) != 0)
        _exit(3);
}

static void exchange_many(const struct sched_link *link)
{
    connect_rank(link);
    for (int i = 0; i < ROUNDS; i++) {
        exchange(i, (size_t)(i % 7 == 0 ? i * 1000 : i) % LARGEST);
        if (i % 50 == 0)
            usleep(1000); /* the other end goes to sleep */
    }
}

/* As a checkpoint does: the fork goes on, and then the one that it was forked off. */
static void exchange_in_forks(const struct sched_link *link)
{
    connect_rank(link);
    for (int i = 0; i < 5; i++) {
        exchange(i, 100);
        pid_t fork_of_rank = fork();
        if (fork_of_rank == 0) {
            for (int k = 0; k < 20; k++)
                exchange(k, 5000);
            _exit(0);
        }
        int status;
        if (waitpid(fork_of_rank, &status, 0) < 0 || status != 0)
            _exit(4);
    }
}

static void wait_for_die(const struct sched_link *link)
{
    connect_rank(link);
    exchange(1, 10);
    prof_channel_read(back, sizeof back, -1);
    _exit(5);
}

static void hold_until_die(const struct sched_link *link)
{
    connect_rank(link);
    exchange(1, 10);
    prof_channel_hold(false);
}

static void run_until_die(const struct sched_link *link)
{
    connect_rank(link);
    exchange(1, 10);
    while (!prof_channel_is_over())
        usleep(100);
}

/* ---- isp ---- */

static struct sched_link *link_;
static struct event_base *base;
static char dir[64];

static int open_link(void **state)
{
    char *error = NULL;
    snprintf(dir, sizeof dir, "/tmp/isp-rings-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    base = event_base_new();
    link_ = sched_link_create(base, dir, NULL, &error);
    return link_ ? 0 : -1;
}

static int close_link(void **state)
{
    char path[80];
    sched_link_destroy(link_);
    event_base_free(base);
    snprintf(path, sizeof path, "%s/link", dir);
    unlink(path);
    return rmdir(dir);
}

static void answer(struct sched_peer *p, uint8_t type, const struct isp_reader *payload, unsigned answers)
{
    static unsigned answered;
    struct isp_buf b = {0};
    answered = type == ISP_MSG_HELLO ? 0 : answered + 1;
    size_t at = isp_frame_begin(&b, type == ISP_MSG_HELLO ? ISP_MSG_WELCOME : type);
    if (type == ISP_MSG_HELLO) {
        isp_frame_end(&b, at);
        sched_peer_welcome(p, &b);
    } else {
        isp_put_bytes(&b, payload->at, (size_t)(payload->end - payload->at));
        isp_frame_end(&b, at);
        sched_peer_send(p, &b);
    }
    if (answers && answered == answers) {
        b.size = 0;
        at = isp_frame_begin(&b, ISP_MSG_DIE);
        isp_put_u8(&b, false);
        isp_frame_end(&b, at);
        sched_peer_send(p, &b);
    }
    isp_buf_finish(&b);
}

/* The exit status of a rank; after so many answers (0: never) it is told to die. */
static int play(void (*rank)(const struct sched_link *), unsigned answers)
{
    struct event *tick = event_new(base, -1, EV_PERSIST, (event_callback_fn)(void (*)(void))abort, NULL);
    event_add(tick, &(struct timeval){.tv_sec = 30});
    pid_t pid = fork();
    if (pid == 0) {
        rank(link_);
        _exit(0);
    }
    bool over = false;
    while (!over) {
        struct sched_peer *p;
        struct isp_reader payload;
        uint8_t type;
        sched_link_wait(link_);
        while ((p = sched_link_ready(link_))) {
            while (sched_peer_frame(p, &type, &payload))
                answer(p, type, &payload, answers);
            over = over || p->eof;
        }
    }
    int status = -1;
    waitpid(pid, &status, 0);
    event_free(tick);
    return status;
}

static void test_every_frame_comes_back(void **state)
{
    sched_link_share(link_, RANKS);
    assert_int_equal(play(exchange_many, 0), 0);
    assert_int_equal(atomic_load(&link_->peers->slot->attached), 1);
}

static void test_also_without_shared_memory(void **state)
{
    assert_int_equal(play(exchange_many, 0), 0);
    assert_null(link_->peers->slot);
}

static void test_a_fork_goes_on(void **state)
{
    sched_link_share(link_, RANKS);
    assert_int_equal(play(exchange_in_forks, 0), 0);
}

static void test_die_is_heard(void **state)
{
    sched_link_share(link_, RANKS);
    assert_int_equal(play(wait_for_die, 1), 0);
    assert_int_equal(play(hold_until_die, 1), 0);
    assert_int_equal(play(run_until_die, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_frame_comes_back, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_also_without_shared_memory, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_a_fork_goes_on, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_die_is_heard, open_link, close_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
