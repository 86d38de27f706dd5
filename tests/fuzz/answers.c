/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rank's side of the wire: what isp answers (WELCOME, then GO frames) to a rank that waits in one fence
 * after the other. The link and the fences are the real ones; the socket is the input, and MPI and the
 * operations are stubs that check what they are given. What cannot be must end the rank with
 * prof_link_broken.
 *
 * Input: u8 options; the payload of WELCOME; then frames: u8 type, u16 length, payload. record.py makes
 * inputs of real runs.
 */
#include <setjmp.h>
#include <unistd.h>

#include "fuzz.h"

#include "link/channel.h"
#include "kept/early.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/hooks.h"
#include "kept/kept.h"
#include "memory/pending.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "threads/quiet.h"
#include "link/hooks.h"
#include "link/loop.h"
#include "link/sites.h"
#include "link/transport.h"
#include "threads/thread.h"
#include "link/uplink.h"
#include "watch/watching.h"

enum { OPS = 8, MOST_FENCES = 200, SETTINGS_BYTES = 9 + 4 + 8 + 8 /* without hold, ahead and eager */ };

/* ---- the process ---- */

static jmp_buf ended;

_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status)
{
    FUZZ_CHECK(status == ISP_LINK_BROKEN_STATUS || status == 0);
    longjmp(ended, 1);
}

static _Noreturn void leave(int status) { longjmp(ended, 1); }
static void over(void) {}
static void opened(void) {}
struct prof_link_hooks prof_link_hooks = {.opened = opened, .leave = leave, .over = over};

/* ---- the socket ---- */

static struct isp_buf wire; /* what isp sends, as frames */
static size_t read_so_far;

bool prof_channel_open(const char *where)
{
    read_so_far = 0;
    return true;
}

size_t prof_channel_read(uint8_t *room, size_t size, int64_t timeout_ns)
{
    size_t left = wire.size - read_so_far;
    if (!left)
        longjmp(ended, 1);
    FUZZ_CHECK(size > 0);
    size = size < left ? size : left;
    memcpy(room, wire.data + read_so_far, size);
    read_so_far += size;
    return size;
}

void prof_channel_write(const uint8_t *data, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    (void)sum;
}

size_t prof_channel_offer(const uint8_t *data, size_t size, bool wakes)
{
    prof_channel_write(data, size);
    return size;
}

bool prof_channel_greet(const uint8_t *hello, size_t size)
{
    prof_channel_write(hello, size);
    return true;
}

void prof_channel_drop(void) {}
void prof_channel_attach(int rank, int n, bool ahead) {}
void prof_channel_forget(void) {}
void prof_visits_take(struct isp_reader *message) {}
void prof_visits_end(void) {}
bool prof_channel_has(void) { return read_so_far < wire.size; }
void prof_channel_look(void) {}
bool prof_channel_is_over(void) { return false; }
void prof_channel_hold(bool progress) {}

/* ---- MPI ---- */

int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    FUZZ_CHECK(peer >= 0 && peer < prof_world_size);
    return MPI_SUCCESS;
}
int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    FUZZ_CHECK(peer >= 0 && peer < prof_world_size);
    return MPI_SUCCESS;
}
int prof_transport_wait(MPI_Request *request, MPI_Status *status) { return MPI_SUCCESS; }
int PMPI_Status_set_cancelled(MPI_Status *status, int flag) { return MPI_SUCCESS; }
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) { return MPI_SUCCESS; }
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) { return MPI_SUCCESS; }
int PMPI_Errhandler_free(MPI_Errhandler *handler) { return MPI_SUCCESS; }

/* ---- the rest of the profiler ---- */

int prof_world_size = 4, prof_world_rank;
__thread struct prof_current prof_current;
bool prof_threads_own_order;

static struct prof_comm comms[1];
static struct prof_kept kept;
static struct prof_form form;
static struct prof_op ops[OPS];

static int issue_nothing(const void *arguments, MPI_Request *request) { return MPI_SUCCESS; }

static void make_ops(void)
{
    static const enum prof_op_kind kinds[OPS] = {PROF_OP_SEND,   PROF_OP_RECV,   PROF_OP_COLLECTIVE,
                                                 PROF_OP_SIGNAL, PROF_OP_FILE,   PROF_OP_FREE,
                                                 PROF_OP_LOCAL,  PROF_OP_MESSAGE};
    memset(ops, 0, sizeof ops);
    form.issue = issue_nothing;
    kept.form = &form;
    for (uint32_t i = 0; i < OPS; i++) {
        ops[i].kind = kinds[i];
        ops[i].number = i;
        ops[i].comm = &comms[0];
        ops[i].kept = kinds[i] == PROF_OP_COLLECTIVE ? &kept : NULL;
        ops[i].done = kinds[i] == PROF_OP_LOCAL || kinds[i] == PROF_OP_MESSAGE; /* done from birth */
    }
}

struct prof_op *prof_op_at(uint32_t number)
{
    return number < OPS && ops[number].kind != PROF_OP_FREE ? &ops[number] : NULL;
}

void prof_op_done(struct prof_op *op)
{
    FUZZ_CHECK(!op->done); /* its memory might be another one's by now */
    op->done = true;
}

static int issue_file(struct prof_op *op)
{
    FUZZ_CHECK(op->kind == PROF_OP_FILE);
    return MPI_SUCCESS;
}
static void arrives(struct prof_op *op) {}
static bool go(uint8_t marks, uint32_t drop) { return true; }
static void record(const struct isp_call *call) {}
struct prof_engine_hooks prof_engine_hooks = {.go = go,
                                              .issue = {[PROF_OP_FILE] = issue_file},
                                              .record = record,
                                              .partitions_issue = arrives,
                                              .partitions_arrived = arrives};

const void *prof_early_arguments(const struct prof_op *op)
{
    FUZZ_CHECK(op->kind == PROF_OP_COLLECTIVE);
    return op;
}

void prof_early_part(struct prof_op *op, const struct isp_action *action) { prof_link_broken(); }
void prof_early_complete(void) {}
void prof_pending_issue(struct prof_op *op) {}
void prof_pending_done(struct prof_op *op) {}
void prof_errors_quiet(bool quiet) {}
int prof_errors_heard(int rc) { return rc; }
MPI_Errhandler prof_errors_silence(const struct prof_comm *c) { return MPI_ERRHANDLER_NULL; }
void prof_errors_unsilence(const struct prof_comm *c, MPI_Errhandler handler) {}
bool prof_ahead_is_on(void) { return false; }
void prof_ahead_poll(const struct isp_call *call) {}
void prof_ahead_record(struct isp_call *call) {}
void prof_ahead_meet(const struct isp_call *call, struct isp_result *result) {}
void prof_ahead_await_answer(void) {}
void prof_ahead_obey(const struct isp_call *call, const struct isp_result *result) {}
void prof_watch_rest(void) {}
enum prof_phase prof_phase = PROF_RUNNING;
__thread int prof_depth;
bool prof_is_rank(void) { return true; }
bool prof_in_loop(void) { return false; }
uint32_t prof_site_number(const void *site) { return 1; }
enum prof_quiet prof_quiet_look(uint64_t releases, uint64_t records) { return PROF_QUIET_NO; }

static struct prof_thread threads[2];
static bool waits[2];

struct prof_thread *prof_thread_self(void) { return &threads[0]; }
bool prof_threads_several(void) { return prof_threads_own_order; }
bool prof_threads_others(void) { return prof_threads_own_order; }
void prof_threads_lock(void) {}
void prof_threads_unlock(void) {}

bool prof_threads_release(uint16_t thread, struct prof_thread **released)
{
    if (thread > 1 || !waits[thread])
        return false;
    waits[thread] = false;
    *released = &threads[thread];
    return true;
}

void prof_threads_each(void (*see)(struct prof_thread *, void *), void *context)
{
    see(&threads[0], context);
    see(&threads[1], context);
}

void prof_threads_wait(void (*read)(void))
{
    waits[0] = waits[1] = true;
    while (waits[0])
        read();
}

void *prof_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    FUZZ_CHECK(p);
    return p;
}

void *prof_grow(void *p, size_t n, size_t size)
{
    p = reallocarray(p, n ? n : 1, size);
    FUZZ_CHECK(p);
    return p;
}

/* ---- one input ---- */

/* The frames with the lengths that the input gives, or (bit 1 of the options) all bytes as they are. */
static void fill_wire(struct isp_reader *in, bool raw)
{
    size_t at = isp_frame_begin(&wire, ISP_MSG_WELCOME), left = (size_t)(in->end - in->at);
    const uint8_t *settings = isp_get_bytes(in, left < SETTINGS_BYTES ? left : SETTINGS_BYTES);
    isp_put_bytes(&wire, settings, left < SETTINGS_BYTES ? left : SETTINGS_BYTES);
    isp_put_u64(&wire, ISP_HOLD_NEVER);
    isp_put_u8(&wire, false); /* it does not go ahead: that needs MPI */
    isp_put_u8(&wire, false);
    isp_frame_end(&wire, at);
    while (!raw && in->ok && in->at < in->end) {
        at = isp_frame_begin(&wire, isp_get_u8(in));
        size_t size = isp_get_u16(in);
        left = (size_t)(in->end - in->at);
        size = size < left ? size : left;
        isp_put_bytes(&wire, isp_get_bytes(in, size), size);
        isp_frame_end(&wire, at);
    }
    if (raw)
        isp_put_bytes(&wire, in->at, (size_t)(in->end - in->at));
}

static void wait_in_fences(void)
{
    uint32_t handles[] = {0, 1, 2};
    for (int i = 0; i < MOST_FENCES; i++) {
        struct isp_call call = {.op = ISP_OP_COMPLETE, .fn = ISP_FN_MPI_Waitall, .n = 3, .list = handles};
        struct isp_result result;
        uint32_t sum = 0;
        prof_fence(&call, &result);
        for (uint32_t k = 0; k < result.n; k++)
            sum += result.list[k];
        (void)sum;
        make_ops();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    setenv(ISP_ENV_LINK, "unix:/nowhere", 1);
    setenv(ISP_ENV_TOKEN, "0000000000000000000000000000000000000000000000000000000000000000", 1);
    struct isp_reader in = isp_reader_of(data, size);
    uint8_t options = isp_get_u8(&in);
    prof_threads_own_order = options & 1;
    fill_wire(&in, options & 2);
    make_ops();
    if (setjmp(ended) == 0) {
        prof_link_open(0, prof_world_size);
        wait_in_fences();
    }
    prof_link_drop();
    prof_link_forget_input();
    isp_buf_finish(&wire);
    for (int i = 0; i < 2; i++) {
        free(threads[i].positions);
        threads[i] = (struct prof_thread){.number = (uint16_t)i};
    }
    return 0;
}
