/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wire format: what is written is read again, field by field, for every kind of record and for random
 * values; and whatever is cut short, too long or unknown is refused without reading past its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isp/access.h"
#include "isp/file.h"
#include "isp/possible.h"
#include "isp/change.h"
#include "isp/differs.h"
#include "isp/ignored.h"
#include "isp/outcome.h"
#include "isp/wire.h"

enum { LIST_MAX = 24, ROUNDS = 2000 };

static uint64_t state = 88172645463325252u;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* A record with random values in the fields that its kind has. */
static struct isp_call random_call(uint8_t op, uint32_t *list)
{
    struct isp_call c = {.op = op,
                         .mode = (uint8_t)any(),
                         .flags = (uint32_t)any(),
                         .fn = (uint16_t)any(),
                         .site = (uint32_t)any(),
                         .comm = ISP_NO_COMM,
                         .peer = ISP_NO_RANK,
                         .root = ISP_NO_RANK,
                         .list = list};
    if (c.flags & ISP_F_GUARDED)
        c.guards = any();
    if (c.flags & ISP_F_TOOK)
        c.took = any();
    if (c.flags & ISP_F_PERHAPS)
        c.perhaps = any();
    bool message = op == ISP_OP_SEND || op == ISP_OP_RECV || op == ISP_OP_PROBE;
    bool collective = op == ISP_OP_COLLECTIVE;
    bool lock = op == ISP_OP_LOCK || op == ISP_OP_UNLOCK;
    if (message || collective || op == ISP_OP_CANCEL || op == ISP_OP_FREE || op == ISP_OP_READY ||
        op == ISP_OP_JOIN)
        c.handle = (uint32_t)any();
    if (message)
        c.bytes = any();
    if (message || collective)
        c.type = (uint32_t)any(), c.count = any();
    if (collective)
        c.taken_type = (uint32_t)any(), c.taken_count = any();
    if (message || collective || lock)
        c.comm = (int32_t)any(), c.peer = (int32_t)any();
    if (message || collective)
        c.tag = (int32_t)any();
    if (collective)
        c.flow = (uint8_t)any();
    if (collective)
        c.root = (int32_t)any(), c.redop = (uint32_t)any(), c.color = (int32_t)any(), c.key = (int32_t)any();
    if (op == ISP_OP_SEND && c.mode == ISP_SEND_BUFFERED)
        c.reserved = any(), c.attached = any();
    if (message && c.flags & ISP_F_PARTITIONED)
        c.color = (int32_t)any(), c.key = (int32_t)any();
    if (op == ISP_OP_COMPLETE || op == ISP_OP_JOIN || collective ||
        (op == ISP_OP_RECV && c.mode == ISP_RECV_MESSAGE))
        c.n = (uint32_t)(any() % (LIST_MAX + 1));
    if (collective && any() % 2) {
        uint32_t room = (LIST_MAX - c.n) / ISP_SHARE_WORDS;
        c.n_given = (uint32_t)(any() % (room + 1));
        c.n_taken = (uint32_t)(any() % (room - c.n_given + 1));
    }
    uint32_t words = (uint32_t)isp_call_words(&c);
    c.map = list + words;
    c.n_map = c.flags & ISP_F_MAP ? (uint32_t)(any() % (LIST_MAX - words + 1)) : 0;
    for (uint32_t i = 0; i < words + c.n_map; i++)
        list[i] = (uint32_t)any();
    return c;
}

static void assert_same_call(const struct isp_call *a, const struct isp_call *b)
{
    assert_int_equal(a->op, b->op);
    assert_int_equal(a->mode, b->mode);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->fn, b->fn);
    assert_int_equal(a->site, b->site);
    assert_true(a->guards == b->guards && a->took == b->took && a->perhaps == b->perhaps);
    assert_int_equal(a->handle, b->handle);
    assert_int_equal(a->comm, b->comm);
    assert_int_equal(a->peer, b->peer);
    assert_int_equal(a->tag, b->tag);
    assert_int_equal(a->root, b->root);
    assert_int_equal(a->redop, b->redop);
    assert_int_equal(a->color, b->color);
    assert_int_equal(a->key, b->key);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->reserved, b->reserved);
    assert_int_equal(a->attached, b->attached);
    assert_int_equal(a->flow, b->flow);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->taken_type, b->taken_type);
    assert_int_equal(a->taken_count, b->taken_count);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_given, b->n_given);
    assert_int_equal(a->n_taken, b->n_taken);
    if (isp_call_words(a))
        assert_memory_equal(a->list, b->list, isp_call_words(a) * sizeof *a->list);
    assert_int_equal(a->n_map, b->n_map);
    if (a->n_map)
        assert_memory_equal(a->map, b->map, a->n_map * sizeof *a->map);
}

static void test_records(void **unused)
{
    for (int round = 0; round < ROUNDS; round++)
        for (uint8_t op = ISP_OP_SEND; op <= ISP_OP_ADMIT; op++) {
            uint32_t list[LIST_MAX], room[LIST_MAX];
            struct isp_call written = random_call(op, list), read;
            if (round == 0 && op == ISP_OP_RECV)
                written.mode = ISP_RECV_MESSAGE;
            struct isp_buf b;
            isp_buf_init(&b);
            isp_put_call(&b, &written);
            struct isp_reader r = isp_reader_of(b.data, b.size);
            assert_true(isp_get_call(&r, &read, room, LIST_MAX));
            assert_ptr_equal(r.at, r.end);
            assert_same_call(&written, &read);
            /* a copy: so that ASan sees a read past its end */
            for (size_t cut = 0; round < 20 && cut < b.size; cut++) {
                uint8_t *copy = malloc(cut ? cut : 1);
                memcpy(copy, b.data, cut);
                r = isp_reader_of(copy, cut);
                assert_false(isp_get_call(&r, &read, room, LIST_MAX));
                free(copy);
            }
            isp_buf_finish(&b);
        }
}

static void test_unknown_record(void **unused)
{
    uint8_t data[64] = {99};
    uint32_t room[LIST_MAX];
    struct isp_call c;
    struct isp_reader r = isp_reader_of(data, sizeof data);
    assert_false(isp_get_call(&r, &c, room, LIST_MAX));
}

static void test_list_that_is_too_long(void **unused)
{
    uint32_t list[LIST_MAX + 1] = {0}, room[LIST_MAX];
    struct isp_buf b;
    isp_buf_init(&b);
    isp_put_list(&b, list, LIST_MAX + 1);
    struct isp_reader r = isp_reader_of(b.data, b.size);
    assert_int_equal(isp_get_list(&r, room, LIST_MAX), 0);
    assert_false(r.ok);
    b.size = 0;
    isp_put_u32(&b, UINT32_MAX); /* a length that the frame cannot hold */
    r = isp_reader_of(b.data, b.size);
    assert_int_equal(isp_get_list(&r, room, UINT32_MAX), 0);
    assert_false(r.ok);
    isp_buf_finish(&b);
}

static void test_actions_and_results(void **unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct isp_action a = {.kind = (uint8_t)any(),
                               .handle = (uint32_t)any(),
                               .peer = (int32_t)any(),
                               .tag = (int32_t)any()},
                          a2;
        uint32_t list[LIST_MAX], room[LIST_MAX];
        struct isp_result x = {.flag = (int32_t)any(),
                               .new_comm = (int32_t)any(),
                               .source = (int32_t)any(),
                               .tag = (int32_t)any(),
                               .bytes = any(),
                               .n = (uint32_t)(any() % (LIST_MAX + 1)),
                               .list = list},
                          x2;
        for (uint32_t i = 0; i < x.n; i++)
            list[i] = (uint32_t)any();
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_action(&b, &a);
        isp_put_result(&b, &x);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        isp_get_action(&r, &a2);
        isp_get_result(&r, &x2, room, LIST_MAX);
        assert_true(r.ok);
        assert_ptr_equal(r.at, r.end);
        assert_int_equal(a.kind, a2.kind);
        assert_int_equal(a.handle, a2.handle);
        assert_int_equal(a.peer, a2.peer);
        assert_int_equal(a.tag, a2.tag);
        assert_int_equal(x.flag, x2.flag);
        assert_int_equal(x.new_comm, x2.new_comm);
        assert_int_equal(x.source, x2.source);
        assert_int_equal(x.tag, x2.tag);
        assert_int_equal(x.bytes, x2.bytes);
        assert_int_equal(x.n, x2.n);
        if (x.n)
            assert_memory_equal(x.list, x2.list, x.n * sizeof *x.list);
        isp_buf_finish(&b);
    }
}

static void test_accesses(void **unused)
{
    static struct isp_access_run room[ISP_ACCESS_RUNS_MAX];
    for (int round = 0; round < ROUNDS; round++) {
        struct isp_access_run runs[4];
        struct isp_access x = {.kind = (uint8_t)(1 + any() % ISP_ACCESS_UNSEEN),
                               .epoch = any() % 5,
                               .no_op = any() & 1,
                               .synced = any() & 1,
                               .fn = (uint16_t)any(),
                               .site = (uint32_t)any(),
                               .window = (int32_t)any(),
                               .target = (int32_t)any(),
                               .op = (uint32_t)any(),
                               .type = (uint32_t)any(),
                               .target_type = (uint32_t)any(),
                               .count = any(),
                               .target_count = any(),
                               .base = any(),
                               .buffer = any(),
                               .n = any() % 5,
                               .runs = runs};
        for (uint32_t i = 0; i < x.n; i++)
            runs[i] = (struct isp_access_run){any() >> 1, 1 + (any() >> 2)};
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_access(&b, &x);
        struct isp_access y;
        struct isp_reader r = isp_reader_of(b.data, b.size);
        assert_true(isp_get_access(&r, &y, room));
        assert_ptr_equal(r.at, r.end);
        assert_true(y.kind == x.kind && y.epoch == x.epoch && y.no_op == x.no_op && y.synced == x.synced &&
                    y.fn == x.fn && y.site == x.site && y.window == x.window && y.target == x.target &&
                    y.op == x.op && y.type == x.type && y.target_type == x.target_type &&
                    y.count == x.count && y.target_count == x.target_count && y.base == x.base &&
                    y.buffer == x.buffer && y.n == x.n);
        assert_memory_equal(y.runs, x.runs, x.n * sizeof *x.runs);
        r = isp_reader_of(b.data, any() % b.size);
        assert_false(isp_get_access(&r, &y, room));
        b.data[0] = ISP_ACCESS_UNSEEN + 1;
        r = isp_reader_of(b.data, b.size);
        assert_false(isp_get_access(&r, &y, room));
        isp_buf_finish(&b);
    }
}

static void test_files(void **unused)
{
    static const char path[] = "a/path that is\0 any bytes";
    for (uint32_t length = 0; length <= sizeof path; length++) {
        struct isp_file x = {.what = (uint16_t)any(),
                             .device = any(),
                             .inode = any(),
                             .name = any(),
                             .length = length,
                             .path = path},
                        y;
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_file(&b, &x);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        assert_true(isp_get_file(&r, &y));
        assert_ptr_equal(r.at, r.end);
        assert_true(y.what == x.what && y.device == x.device && y.inode == x.inode && y.name == x.name &&
                    y.length == length);
        assert_memory_equal(y.path, path, length);
        for (size_t cut = 0; cut < b.size; cut++) {
            r = isp_reader_of(b.data, cut);
            assert_false(isp_get_file(&r, &y));
        }
        isp_buf_finish(&b);
    }
}

static void test_file_accesses(void **unused)
{
    static struct isp_file_run room[ISP_FILE_RUNS_MAX];
    for (int round = 0; round < ROUNDS; round++) {
        struct isp_file_run runs[4];
        struct isp_file_access x = {.kind = (uint8_t)(1 + any() % ISP_FILE_END),
                                    .lasts = any() & 1,
                                    .unknown = any() & 1,
                                    .turn = any() & 1,
                                    .due = any() & 1,
                                    .atomic = any() & 1,
                                    .fn = (uint16_t)any(),
                                    .site = (uint32_t)any(),
                                    .number = (int32_t)any(),
                                    .device = any(),
                                    .inode = any(),
                                    .name = any(),
                                    .n = any() % 5,
                                    .runs = runs},
                               y;
        for (uint32_t i = 0; i < x.n; i++)
            runs[i] = (struct isp_file_run){any() >> 3, 1 + (any() >> 3), 1 + (any() >> 33), any() >> 34};
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_file_access(&b, &x);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        assert_true(isp_get_file_access(&r, &y, room));
        assert_ptr_equal(r.at, r.end);
        assert_true(y.kind == x.kind && y.lasts == x.lasts && y.unknown == x.unknown && y.turn == x.turn &&
                    y.due == x.due && y.atomic == x.atomic && y.fn == x.fn && y.site == x.site &&
                    y.number == x.number && y.device == x.device && y.inode == x.inode && y.name == x.name &&
                    y.n == x.n);
        assert_memory_equal(y.runs, x.runs, x.n * sizeof *x.runs);
        r = isp_reader_of(b.data, any() % b.size);
        assert_false(isp_get_file_access(&r, &y, room));
        b.data[0] = ISP_FILE_END + 1;
        r = isp_reader_of(b.data, b.size);
        assert_false(isp_get_file_access(&r, &y, room));
        isp_buf_finish(&b);
    }
}

/* Runs that are empty, or end beyond the largest offset. */
static void test_file_runs(void **unused)
{
    static const struct isp_file_run wrong[] = {{0, 0, 1, 0},
                                                {0, 1, 0, 0},
                                                {INT64_MAX, 1, 1, 0},
                                                {UINT64_MAX, 2, 1, 0},
                                                {0, 1, 2, UINT64_MAX},
                                                {0, 1, UINT64_MAX, 2},
                                                {INT64_MAX / 2, 1, 3, INT64_MAX / 4 + 1}};
    uint64_t end;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(isp_file_run_end(&wrong[i], &end));
    assert_true(isp_file_run_end(&(struct isp_file_run){INT64_MAX - 11, 1, 2, 10}, &end));
    assert_true(end == INT64_MAX);
}

static void test_settings(void **unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct isp_settings written = {.buffered = any() % 2,
                                       .mixed = any() % 2,
                                       .on_error = (enum isp_on_error)(any() % 2),
                                       .memory = (enum isp_memory)(any() % 3),
                                       .stacks = any() % 2,
                                       .unchecked = any() % 2,
                                       .apart = any() % 2,
                                       .explains = any() % 2,
                                       .ignores = any() % 2,
                                       .ahead = any() % 2,
                                       .eager = any() % 2,
                                       .watch = {(int32_t)any(), any(), any()},
                                       .hold = round ? any() : ISP_HOLD_NEVER},
                            read;
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_settings(&b, &written);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        isp_get_settings(&r, &read);
        assert_true(r.ok);
        assert_ptr_equal(r.at, r.end);
        assert_true(read.buffered == written.buffered && read.mixed == written.mixed);
        assert_true(read.on_error == written.on_error && read.memory == written.memory);
        assert_true(read.stacks == written.stacks && read.unchecked == written.unchecked);
        assert_true(read.apart == written.apart);
        assert_true(read.explains == written.explains);
        assert_true(read.ignores == written.ignores && read.ahead == written.ahead);
        assert_true(read.eager == written.eager);
        assert_int_equal(read.watch.rank, written.watch.rank);
        assert_true(read.watch.buffer == written.watch.buffer && read.watch.at == written.watch.at);
        assert_true(read.hold == written.hold);
        for (size_t cut = 0; round == 0 && cut < b.size; cut++) {
            uint8_t *copy = malloc(cut ? cut : 1);
            memcpy(copy, b.data, cut);
            r = isp_reader_of(copy, cut);
            isp_get_settings(&r, &read);
            assert_false(r.ok);
            free(copy);
        }
        isp_buf_finish(&b);
    }
}

static void test_outcomes(void **unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t list[4] = {1, 2, 5, 9}, room[4];
        struct isp_outcome written = {.index = any(),
                                      .source = (int32_t)any(),
                                      .tag = (int32_t)any(),
                                      .n = (uint32_t)(any() % 5),
                                      .list = list},
                           read;
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_outcome(&b, &written);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        isp_get_outcome(&r, &read, room, 4);
        assert_true(r.ok && r.at == r.end);
        assert_true(read.index == written.index && read.source == written.source && read.tag == written.tag);
        assert_int_equal(read.n, written.n);
        assert_memory_equal(read.list, list, written.n * sizeof *list);
        r = isp_reader_of(b.data, b.size - 1);
        isp_get_outcome(&r, &read, room, 4);
        assert_false(r.ok);
        if (written.n) { /* longer than there is room for */
            r = isp_reader_of(b.data, b.size);
            isp_get_outcome(&r, &read, room, written.n - 1);
            assert_false(r.ok);
        }
        isp_buf_finish(&b);
    }
}

/* It is no kind of its own: whatever a rank records may continue the call before. */
static void test_what_continues_is_possible(void **unused)
{
    const struct isp_call calls[] = {{.op = ISP_OP_SEND},
                                     {.op = ISP_OP_RECV, .flags = ISP_F_FENCE},
                                     {.op = ISP_OP_COMPLETE, .flags = ISP_F_FENCE},
                                     {.op = ISP_OP_FREE}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct isp_call c = calls[i];
        assert_true(isp_call_is_possible(&c));
        c.flags |= ISP_F_CONTINUES;
        assert_true(isp_call_is_possible(&c));
        c.flags |= ISP_F_ASKS << 1; /* no flag yet: then one above it */
        assert_false(isp_call_is_possible(&c));
    }
}

static void test_frames_and_strings(void **unused)
{
    struct isp_buf b;
    isp_buf_init(&b);
    for (int i = 0; i < 3; i++) {
        size_t at = isp_frame_begin(&b, ISP_MSG_SITE);
        isp_put_u32(&b, (uint32_t)i);
        isp_put_u64(&b, UINT64_MAX - (uint64_t)i);
        isp_put_str(&b, i == 1 ? "" : "/some/module.so");
        isp_frame_end(&b, at);
    }
    struct isp_reader r = isp_reader_of(b.data, b.size);
    for (int i = 0; i < 3; i++) {
        uint32_t length = isp_get_u32(&r), n;
        const uint8_t *end = r.at + length;
        assert_int_equal(isp_get_u8(&r), ISP_MSG_SITE);
        assert_int_equal(isp_get_u32(&r), i);
        assert_true(isp_get_u64(&r) == UINT64_MAX - (uint64_t)i);
        const char *s = isp_get_str(&r, &n);
        assert_int_equal(n, i == 1 ? 0 : 15);
        assert_memory_equal(s, "/some/module.so", n);
        assert_ptr_equal(r.at, end);
    }
    assert_true(r.ok);
    isp_get_u8(&r);
    assert_false(r.ok);
    isp_buf_finish(&b);
}

static void test_ignored(void **unused)
{
    for (int i = 0; i < 1000; i++) {
        struct isp_ignored read, written = {.module = "/a/program",
                                            .module_length = 10,
                                            .kind = (enum isp_ignored_kind)(any() % ISP_IGNORED_KINDS),
                                            .low = any(),
                                            .high = any(),
                                            .at = any() % 64,
                                            .bytes = any()};
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_ignored(&b, &written);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        isp_get_ignored(&r, &read);
        assert_true(r.ok && r.at == r.end);
        assert_memory_equal(read.module, written.module, 10);
        assert_true(read.kind == written.kind && read.low == written.low && read.high == written.high &&
                    read.at == written.at && read.bytes == written.bytes);
        for (size_t cut = 0; cut < b.size; cut++) {
            r = isp_reader_of(b.data, cut);
            isp_get_ignored(&r, &read);
            assert_false(r.ok);
        }
        isp_buf_finish(&b);
    }
}

static void test_differences(void **unused)
{
    for (int i = 0; i < 1000; i++) {
        struct isp_difference read = {0}, written = {.address = any(), .n_words = any()};
        written.place = (struct isp_place){ISP_PLACE_FRAME, "/a/program", 10, any(), -5, 7, -9};
        for (int n = 0; n < ISP_DIFFERS_WAYS; n++) {
            struct isp_way *way = &written.ways[n];
            way->pointer = (struct isp_place){.kind = ISP_PLACE_MODULE, .module = "", .offset = any()};
            way->n_steps = (uint32_t)any() % (ISP_DIFFERS_STEPS + 1);
            for (uint32_t k = 0; k < way->n_steps; k++)
                way->steps[k] = any();
        }
        for (int k = 0; k < ISP_DIFFERS_WORDS; k++) {
            written.old[k] = any();
            written.now[k] = any();
        }
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_difference(&b, &written);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        isp_get_difference(&r, &read);
        assert_true(r.ok && r.at == r.end);
        assert_true(read.address == written.address && read.n_words == written.n_words);
        assert_true(read.place.kind == ISP_PLACE_FRAME && read.place.offset == written.place.offset &&
                    read.place.from_end == -5 && read.place.from_pointer == 7 && read.place.from_stack == -9);
        for (int n = 0; n < ISP_DIFFERS_WAYS; n++) {
            const struct isp_way *x = &read.ways[n], *y = &written.ways[n];
            assert_true(x->pointer.kind == ISP_PLACE_MODULE && x->pointer.offset == y->pointer.offset);
            assert_true(x->n_steps == y->n_steps && memcmp(x->steps, y->steps, sizeof x->steps) == 0);
        }
        assert_memory_equal(read.old, written.old, sizeof read.old);
        assert_memory_equal(read.now, written.now, sizeof read.now);
        for (size_t cut = 0; cut < b.size; cut++) {
            r = isp_reader_of(b.data, cut);
            isp_get_difference(&r, &read);
            assert_false(r.ok);
        }
        isp_buf_finish(&b);
    }
}

static void test_changes(void **unused)
{
    for (int i = 0; i < 1000; i++) {
        struct isp_change read = {0}, written = {.basic = ISP_BASIC_DOUBLE, .index = any(), .n = any()};
        written.bytes = (uint8_t)(any() % (ISP_CHANGE_BYTES + 1));
        written.before = (uint8_t)(any() % (written.bytes + 1u));
        for (int k = 0; k < written.bytes; k++) {
            written.was[k] = (unsigned char)any();
            written.is[k] = (unsigned char)any();
        }
        written.place = (struct isp_place){ISP_PLACE_FRAME, "/a/program", 10, any(), -5, 7, -9};
        written.ways[1].pointer = (struct isp_place){.kind = ISP_PLACE_REGISTER, .from_stack = 3};
        written.ways[1].n_steps = 1;
        written.ways[1].steps[0] = any();
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_change(&b, &written);
        struct isp_reader r = isp_reader_of(b.data, b.size);
        isp_get_change(&r, &read);
        assert_true(r.ok && r.at == r.end);
        assert_true(read.basic == written.basic && read.index == written.index && read.n == written.n);
        assert_true(read.before == written.before && read.bytes == written.bytes);
        assert_memory_equal(read.was, written.was, sizeof read.was);
        assert_memory_equal(read.is, written.is, sizeof read.is);
        assert_true(read.place.kind == ISP_PLACE_FRAME && read.place.from_pointer == 7);
        assert_true(read.ways[1].pointer.from_stack == 3 &&
                    read.ways[1].steps[0] == written.ways[1].steps[0]);
        for (size_t cut = 0; cut < b.size; cut++) {
            r = isp_reader_of(b.data, cut);
            isp_get_change(&r, &read);
            assert_false(r.ok);
        }
        written.bytes = ISP_CHANGE_BYTES + 1; /* more than there is room for */
        b.data[4 + 8 + 8 + 1] = written.bytes;
        r = isp_reader_of(b.data, b.size);
        isp_get_change(&r, &read);
        assert_false(r.ok);
        isp_buf_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_unknown_record),
        cmocka_unit_test(test_list_that_is_too_long),
        cmocka_unit_test(test_actions_and_results),
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_file_accesses),
        cmocka_unit_test(test_file_runs),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_what_continues_is_possible),
        cmocka_unit_test(test_frames_and_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
