/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison of replayed runs, and who is let in at the link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <event2/event.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "link/link.h"
#include "world/replay_check.h"
#include "link/strangers.h"

/* ---- replay_check ---- */

/* A run of two ranks with `n` sends each and a choice point in the middle. Rank 1 sends `odd` bytes more in
 * record `at`. Returns the record at which a difference shows: -1 none, -2 at the choice point. */
static long repeat(struct sched_replay_check *check, unsigned forced, long n, long at, uint64_t odd)
{
    sched_replay_check_begin(check, forced);
    for (long i = 0; i < n; i++) {
        if (i == n / 2 && sched_replay_check_choice(check, 0) >= 0)
            return -2;
        for (int rank = 0; rank < 2; rank++) {
            struct isp_call c = {.op = ISP_OP_SEND,
                                 .handle = (uint32_t)(i % 3),
                                 .peer = 1 - rank,
                                 .bytes = 8 + (rank == 1 && i == at ? odd : 0)};
            if (!sched_replay_check_record(check, rank, &c, 7, 1))
                return i;
        }
    }
    return -1;
}

static void test_same_run(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(2);
    assert_int_equal(repeat(check, 0, 100, 0, 0), -1);
    assert_int_equal(repeat(check, 1, 100, 0, 0), -1);
    sched_replay_check_destroy(check);
}

static void test_difference_names_the_record(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(2);
    assert_int_equal(repeat(check, 0, 100, 0, 0), -1);
    assert_int_equal(repeat(check, 1, 100, 17, 4), 17);
    sched_replay_check_destroy(check);
}

static void test_after_the_choice_all_may_differ(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(2);
    assert_int_equal(repeat(check, 0, 100, 0, 0), -1);
    assert_int_equal(repeat(check, 1, 100, 50, 4), -1);
    assert_int_equal(repeat(check, 1, 100, 99, 4), -1);
    sched_replay_check_destroy(check);
}

static void test_long_run_finds_it_by_the_choice(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(2);
    long n = 100001, at = n / 2 - 1;
    assert_int_equal(repeat(check, 0, n, 0, 0), -1);
    assert_int_equal(repeat(check, 1, n, at, 4), -2);
    assert_int_equal(repeat(check, 1, n, 3, 4) >= 3, 1);
    sched_replay_check_destroy(check);
}

/* The number of a slot depends on when it became free; the operation in it does not. */
static long complete(struct sched_replay_check *check, unsigned forced, uint32_t first, uint32_t second,
                     uint32_t waited)
{
    sched_replay_check_begin(check, forced);
    struct isp_call sends[] = {{.op = ISP_OP_SEND, .handle = first}, {.op = ISP_OP_SEND, .handle = second}};
    struct isp_call wait = {.op = ISP_OP_COMPLETE, .n = 1, .list = &waited};
    bool same = sched_replay_check_record(check, 0, &sends[0], 1, 1) &&
                sched_replay_check_record(check, 0, &sends[1], 1, 1) &&
                sched_replay_check_record(check, 0, &wait, 2, 1);
    return same ? sched_replay_check_choice(check, 0) : 2;
}

static void test_handles_stand_for_operations(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(1);
    assert_int_equal(complete(check, 0, 0, 1, 1), -1);
    assert_int_equal(complete(check, 1, 5, 9, 9), -1);
    assert_int_equal(complete(check, 1, 5, 9, 5), 2);
    sched_replay_check_destroy(check);
}

/* A plain probe takes no slot, whatever is in its handle: what is in slot 0 stays there. */
static long complete_behind_probe(struct sched_replay_check *check, unsigned forced, uint32_t handle)
{
    sched_replay_check_begin(check, forced);
    struct isp_call receive = {.op = ISP_OP_RECV, .handle = handle},
                    probe = {.op = ISP_OP_PROBE, .flags = ISP_F_POLL | ISP_F_FENCE};
    struct isp_call wait = {.op = ISP_OP_COMPLETE, .n = 1, .list = &handle};
    bool same = sched_replay_check_record(check, 0, &receive, 1, 1) &&
                sched_replay_check_record(check, 0, &probe, 2, 1) &&
                sched_replay_check_record(check, 0, &wait, 3, 1);
    return same ? sched_replay_check_choice(check, 0) : 2;
}

static void test_probe_takes_no_slot(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(1);
    assert_int_equal(complete_behind_probe(check, 0, 0), -1);
    assert_int_equal(complete_behind_probe(check, 1, 1), -1);
    sched_replay_check_destroy(check);
}

/* A thread calls and is over; then the choice point. forced: the run goes on from a checkpoint. */
static int with_thread(struct sched_replay_check *check, unsigned forced, struct sched_replay_state **saved)
{
    struct isp_call call = {.op = ISP_OP_SEND, .thread = 1};
    if (!forced)
        sched_replay_check_begin(check, 0);
    assert_true(sched_replay_check_record(check, 0, &call, 1, 1));
    if (saved)
        *saved = sched_replay_check_save(check);
    return sched_replay_check_choice(check, 0);
}

static void test_ended_threads_are_saved(void **state)
{
    struct sched_replay_check *check = sched_replay_check_create(1);
    struct sched_replay_state *before, *after;
    sched_replay_check_begin(check, 0);
    before = sched_replay_check_save(check);
    assert_int_equal(with_thread(check, 0, &after), -1);
    sched_replay_check_begin(check, 1);
    sched_replay_check_restore(check, after);
    assert_int_equal(sched_replay_check_choice(check, 0), -1);
    sched_replay_check_restore(check, before); /* the thread is not there yet */
    assert_int_equal(with_thread(check, 1, NULL), -1);
    sched_replay_state_destroy(before);
    sched_replay_state_destroy(after);
    sched_replay_check_destroy(check);
}

/* ---- link ---- */

struct fixture {
    char dir[64];
    struct event_base *base;
    struct sched_link *link;
};

static int open_link(void **state)
{
    static struct fixture f;
    char *error = NULL;
    snprintf(f.dir, sizeof f.dir, "/tmp/isp-link-XXXXXX");
    if (!mkdtemp(f.dir))
        return -1;
    f.base = event_base_new();
    f.link = sched_link_create(f.base, f.dir, NULL, &error);
    *state = &f;
    return f.link ? 0 : -1;
}

static int close_link(void **state)
{
    struct fixture *f = *state;
    char path[80];
    sched_link_destroy(f->link);
    event_base_free(f->base);
    snprintf(path, sizeof path, "%s/link", f->dir);
    unlink(path);
    return rmdir(f->dir);
}

static int dial(const struct fixture *f)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/link", f->dir);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void put_hello(struct isp_buf *b, uint32_t version, const uint8_t *token, int rank)
{
    size_t at = isp_frame_begin(b, ISP_MSG_HELLO);
    isp_put_u32(b, version);
    isp_put_bytes(b, token, ISP_TOKEN_BYTES);
    isp_put_i32(b, rank);
    isp_put_i32(b, 2);
    isp_put_u64(b, 1234);
    isp_put_str(b, "here");
    isp_frame_end(b, at);
}

/* Takes what has come; the last peer of which something has, or NULL. `frames` counts those that were let
 * in. */
static struct sched_peer *collect(struct fixture *f, int *frames)
{
    struct sched_peer *p, *last = NULL;
    uint8_t type;
    struct isp_reader payload;
    *frames = 0;
    while ((p = sched_link_ready(f->link)))
        for (last = p; sched_peer_frame(p, &type, &payload);)
            ++*frames;
    return last;
}

/* Sends bytes on a new connection, which it leaves open. */
static int send_bytes(struct fixture *f, const void *data, size_t size)
{
    int fd = dial(f);
    event_base_loop(f->base, EVLOOP_ONCE); /* accepts */
    assert_int_equal(send(fd, data, size, MSG_NOSIGNAL), size);
    event_base_loop(f->base, EVLOOP_ONCE);
    return fd;
}

static void test_hello_lets_in(void **state)
{
    struct fixture *f = *state;
    struct isp_buf b;
    int frames;
    isp_buf_init(&b);
    put_hello(&b, ISP_WIRE_VERSION, f->link->secret, 1);
    isp_frame_end(&b, isp_frame_begin(&b, ISP_MSG_FINALIZED));
    int fd = send_bytes(f, b.data, b.size);
    struct sched_peer *p = collect(f, &frames);
    assert_int_equal(frames, 2);
    assert_int_equal(p->rank, 1);
    assert_string_equal(p->host, "here");
    assert_int_equal(sched_strangers_count(f->link->strangers), 0);
    close(fd);
    isp_buf_finish(&b);
}

/* Nobody is let in, nothing is said, the connection is closed, and nothing is kept. */
static void check_turned_away(struct fixture *f, struct isp_buf *b)
{
    int frames, fd = send_bytes(f, b->data, b->size);
    assert_null(collect(f, &frames));
    assert_int_equal(frames, 0);
    ssize_t n = recv(fd, &(char){0}, 1, MSG_DONTWAIT);
    assert_true(n == 0 || (n < 0 && errno == ECONNRESET));
    assert_null(f->link->peers);
    assert_int_equal(sched_strangers_count(f->link->strangers), 0);
    close(fd);
    b->size = 0;
}

static void test_others_stay_out(void **state)
{
    struct fixture *f = *state;
    uint8_t wrong[ISP_TOKEN_BYTES];
    struct isp_buf b;
    isp_buf_init(&b);
    for (int bit = 0; bit < 8 * ISP_TOKEN_BYTES; bit++) {
        memcpy(wrong, f->link->secret, sizeof wrong);
        wrong[bit / 8] ^= (uint8_t)(1 << bit % 8);
        put_hello(&b, ISP_WIRE_VERSION, wrong, 1);
        check_turned_away(f, &b);
    }
    put_hello(&b, ISP_WIRE_VERSION + 1, wrong, 1);
    check_turned_away(f, &b);
    assert_int_equal(f->link->other_version, 0); /* a stranger cannot say so: that ends the exploration */

    put_hello(&b, ISP_WIRE_VERSION + 1, f->link->secret, 1);
    check_turned_away(f, &b);
    assert_int_equal(f->link->other_version, ISP_WIRE_VERSION + 1);

    put_hello(&b, ISP_WIRE_VERSION, f->link->secret, -1);
    check_turned_away(f, &b);

    isp_frame_end(&b, isp_frame_begin(&b, ISP_MSG_FINALIZED)); /* a frame before HELLO */
    check_turned_away(f, &b);

    isp_put_u32(&b, ISP_WIRE_HELLO_MAX + 1); /* more than a HELLO may be, of which little has come */
    isp_put_u8(&b, ISP_MSG_HELLO);
    check_turned_away(f, &b);
    isp_buf_finish(&b);
}

/* A HELLO that comes byte by byte lets in as well; until its last byte its sender is a stranger. */
static void test_slow_hello(void **state)
{
    struct fixture *f = *state;
    struct isp_buf b;
    int frames;
    isp_buf_init(&b);
    put_hello(&b, ISP_WIRE_VERSION, f->link->secret, 0);
    int fd = send_bytes(f, b.data, 1);
    for (size_t i = 1; i < b.size; i++) {
        assert_null(collect(f, &frames));
        assert_int_equal(sched_strangers_count(f->link->strangers), 1);
        assert_int_equal(send(fd, b.data + i, 1, MSG_NOSIGNAL), 1);
        event_base_loop(f->base, EVLOOP_ONCE);
    }
    assert_int_equal(collect(f, &frames)->rank, 0);
    assert_int_equal(frames, 1);
    close(fd);
    isp_buf_finish(&b);
}

/* Of more than may wait, the oldest goes; and one that says its HELLO among them is let in. */
static void test_crowd(void **state)
{
    enum { CROWD = 400 };
    struct fixture *f = *state;
    int silent[CROWD], frames;
    struct isp_buf b;
    isp_buf_init(&b);
    for (int i = 0; i < CROWD; i++) {
        silent[i] = dial(f);
        event_base_loop(f->base, EVLOOP_ONCE);
    }
    unsigned waiting = sched_strangers_count(f->link->strangers);
    assert_in_range(waiting, 100, 200);
    assert_int_equal(recv(silent[0], &(char){0}, 1, MSG_DONTWAIT), 0);
    assert_int_equal(recv(silent[CROWD - 1], &(char){0}, 1, MSG_DONTWAIT), -1);
    put_hello(&b, ISP_WIRE_VERSION, f->link->secret, 1);
    int fd = send_bytes(f, b.data, b.size);
    assert_int_equal(collect(f, &frames)->rank, 1);
    assert_int_equal(frames, 1);
    close(fd);
    for (int i = 0; i < CROWD; i++)
        close(silent[i]);
    isp_buf_finish(&b);
}

/* A peer for which there is no place: nothing more of it is read, and it is forgotten. */
static void test_refused(void **state)
{
    struct fixture *f = *state;
    struct isp_buf b;
    int frames;
    isp_buf_init(&b);
    put_hello(&b, ISP_WIRE_VERSION, f->link->secret, 7);
    isp_frame_end(&b, isp_frame_begin(&b, ISP_MSG_FINALIZED));
    int fd = send_bytes(f, b.data, b.size);
    uint8_t type;
    struct isp_reader payload;
    struct sched_peer *p = sched_link_ready(f->link);
    assert_true(sched_peer_frame(p, &type, &payload));
    sched_peer_refuse(p);
    assert_false(sched_peer_frame(p, &type, &payload));
    assert_null(collect(f, &frames));
    assert_null(f->link->peers);
    close(fd);
    isp_buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_run),
        cmocka_unit_test(test_difference_names_the_record),
        cmocka_unit_test(test_after_the_choice_all_may_differ),
        cmocka_unit_test(test_long_run_finds_it_by_the_choice),
        cmocka_unit_test(test_handles_stand_for_operations),
        cmocka_unit_test(test_probe_takes_no_slot),
        cmocka_unit_test(test_ended_threads_are_saved),
        cmocka_unit_test_setup_teardown(test_hello_lets_in, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_others_stay_out, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_slow_hello, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_crowd, open_link, close_link),
        cmocka_unit_test_setup_teardown(test_refused, open_link, close_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
