/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which process is a rank. Everything that mpiexec starts has this library in it: proxies, shells,
 * the ranks, and their children. A process acts only if it calls MPI_Init, or, before that,
 * if the process manager gave it a rank and it was linked with MPI. A child inherits all of
 * that, so a rank leaves its process id in ISP_PID: whoever finds another id there is a child. That variable
 * is the one change to the program's environment.
 */
#include "lifecycle.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/sanitized.h"
#include "calls/persistent.h"
#include "checkpoint.h"
#include "crash.h"
#include "engine/ahead.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/hold.h"
#include "engine/level.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "entries/unseen.h"
#include "hooks.h"
#include "link/bindings.h"
#include "link/finding.h"
#include "link/reach.h"
#include "link/sites.h"
#include "link/stacks.h"
#include "link/transport.h"
#include "link/uplink.h"
#include "linked.h"
#include "outside/identity.h"
#include "outside/ignored.h"
#include "outside/times.h"
#include "outside/written.h"
#include "printing.h"
#include "prof_calls.h"
#include "state/arena_link.h"
#include "state/compare.h"
#include "state/state.h"
#include "tables/handles.h"
#include "threads/mpi_threads.h"
#include "threads/thread.h"
#include "topology.h"
#include "watch/watch_means.h"
#include "watch/watching.h"
#include "windows/window_memory.h"
#include "windows/windows.h"

/* Not in programs that are linked statically, which are not forked; nor in older C libraries. */
#pragma weak prof_identity_prepare
#pragma weak prof_identity_forked
#pragma weak prof_mpi_threads_let_go
#pragma weak prof_written_begin
#pragma weak prof_written_child
#pragma weak _Fork
extern pid_t _Fork(void);

/* ---- leaks ---- */

/* Handles that may be freed after MPI_Finalize (MPI-4.0, section 11.4.1). */
static bool outlives_mpi(enum prof_handle_kind kind)
{
    return kind == PROF_HANDLE_INFO || kind == PROF_HANDLE_ERRHANDLER;
}

static void report_leak(enum prof_handle_kind kind, enum isp_fn fn, const void *site, uint32_t count,
                        void *late)
{
    static const enum isp_rule rules[] = {
        [PROF_HANDLE_COMM] = ISP_RULE_LEAK_COMMUNICATOR, [PROF_HANDLE_GROUP] = ISP_RULE_LEAK_GROUP,
        [PROF_HANDLE_DATATYPE] = ISP_RULE_LEAK_DATATYPE, [PROF_HANDLE_OP] = ISP_RULE_LEAK_OP,
        [PROF_HANDLE_REQUEST] = ISP_RULE_LEAK_REQUEST,   [PROF_HANDLE_ERRHANDLER] = ISP_RULE_LEAK_ERRHANDLER,
        [PROF_HANDLE_INFO] = ISP_RULE_LEAK_INFO,         [PROF_HANDLE_KEYVAL] = ISP_RULE_LEAK_KEYVAL,
        [PROF_HANDLE_MESSAGE] = ISP_RULE_LEAK_MESSAGE,   [PROF_HANDLE_WINDOW] = ISP_RULE_LEAK_WINDOW,
        [PROF_HANDLE_FILE] = ISP_RULE_LEAK_FILE,
    };
    if (outlives_mpi(kind) == *(const bool *)late)
        prof_finding_tell(&(struct prof_finding){.rule = rules[kind], .at = {fn, site}, .count = count});
}

/* late: of the kinds that outlive MPI, which leak at the end of the process. */
static void report_leaks(bool late) { prof_handles_each_leak(report_leak, &late); }

/* ---- exit ---- */

static int exit_status = -1; /* once exit() was called */
static bool initializing;    /* MPI is: who calls exit() then is MPI, which cannot go on */

/* After this MPI's libraries wait for their threads. */
static void note_status(int status, void *unused)
{
    exit_status = status;
    if (prof_mpi_threads_let_go)
        prof_mpi_threads_let_go();
}

/* Without what MPI's libraries do at the end, which is most of the work of a short run: in an interleaving
 * whose output nobody sees it makes no difference. Files are another matter. */
static _Noreturn void leave_quickly(int status)
{
    void (*flush_fortran)(int *unit) = (void (*)(int *))dlsym(RTLD_DEFAULT, "_gfortran_flush_i4");
    if (flush_fortran)
        flush_fortran(NULL);
    fflush(NULL);
    prof_checkpoint_leave(status);
}

static void at_exit(int status, void *unused)
{
    if (!prof_is_rank() || prof_phase == PROF_OFF || initializing || !prof_reach_scheduler())
        return;
    prof_watch_enter();
    if (prof_phase == PROF_FINALIZED)
        report_leaks(true);
    uint8_t room[32];
    struct isp_buf b = {.data = room, .room = sizeof room};
    size_t at = isp_frame_begin(&b, ISP_MSG_EXIT);
    isp_put_i32(&b, status & 0xff); /* what its parent will see */
    isp_put_u8(&b, prof_phase == PROF_FINALIZED);
    isp_frame_end(&b, at);
    prof_link_write_last(&b);
    if (prof_phase == PROF_RUNNING)
        prof_link_hold(prof_depth == 0); /* else it is a callback of the program that has called exit() */
}

bool prof_lifecycle_tell_exit(void)
{
    if (exit_status < 0)
        return false;
    at_exit(exit_status, NULL);
    return true;
}

/* The program's own handlers and destructors have run; those of the libraries that this one needs have
 * not. */
__attribute__((destructor)) static void unload(void)
{
    if (exit_status < 0 || !prof_checkpoint_leaves_quickly() || !prof_is_rank())
        return;
    at_exit(exit_status, NULL);
    leave_quickly(exit_status);
}

static bool forking; /* a checkpoint, not by the program */

static void before_fork(void)
{
    if (!forking && prof_written_child)
        prof_written_child();
}

static void in_child(void)
{
    if (forking)
        return;
    if (prof_pages_are_shut)
        prof_watch_open();
    prof_phase = PROF_OFF;
    prof_link_drop();
}

/* Without the program's handlers (pthread_atfork): for it nothing happens. Sanitizers have handlers that they
 * need. */
static pid_t fork_silently(void) { return _Fork && !prof_is_sanitized() ? _Fork() : fork(); }

pid_t prof_lifecycle_fork(void)
{
    forking = true;
    if (prof_identity_prepare)
        prof_identity_prepare();
    pid_t pid = fork_silently();
    if (pid != 0)
        forking = false;
    return pid;
}

void prof_lifecycle_forked(void)
{
    forking = false;
    if (prof_identity_forked)
        prof_identity_forked();
    prof_take_rank();
    prof_threads_forked();
    prof_registers_forked();
}

/* From here on this process acts as a rank. */
static void become_rank(void)
{
    static bool is_one;
    if (is_one)
        return;
    is_one = true;
    prof_take_rank();
    if (prof_given_rank() >= 0)
        prof_times_begin(prof_given_rank());
    prof_link_prepare();
    prof_modules_refresh();
    prof_bindings_refresh();
    on_exit(at_exit, NULL);
    pthread_atfork(before_fork, NULL, in_child);
    prof_crash_init();
}

/* ---- start ---- */

__attribute__((constructor)) static void load(void)
{
    if (!getenv(ISP_ENV_LINK) || !getenv(ISP_ENV_TOKEN))
        return;
    const char *pid = getenv(PROF_ENV_PID);
    if (pid && atoi(pid) != (int)prof_own_pid())
        return; /* a child of a rank */
    int error = errno, rank = prof_given_rank();
    if (rank >= 0)
        prof_printing_begin(rank);
    errno = error;
    if (prof_linked_elsewhere())
        return;
    prof_hooks_set();
    prof_arena_begin();
    prof_phase = PROF_BEFORE_INIT;
    prof_bindings_refresh();
    if (rank >= 0 && prof_linked_mpi())
        become_rank();
    errno = error;
}

static int users;                   /* of MPI: MPI_Init, and each session */
static bool initialized, finalized; /* by the program itself */

void prof_run_begin(void)
{
    if (users++ > 0)
        return;
    int error = errno, rank, size;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    become_rank();
    on_exit(note_status, NULL);
    prof_crash_init(); /* again: what came into the process since may have put handlers */
    prof_modules_refresh();
    if (!prof_link_open(rank, size))
        _exit(ISP_LINK_BROKEN_STATUS); /* a run that nobody watches would be worth nothing */
    if (prof_settings()->stacks)
        prof_stacks_begin();
    if (prof_settings()->apart)
        prof_state_begin();
    if (prof_settings()->explains)
        prof_compare_begin();
    prof_ignored_begin();
    prof_transport_begin();
    prof_comms_init();
    prof_errors_init();
    prof_windows_init();
    prof_threads_begin();
    prof_phase = PROF_RUNNING;
    if (prof_written_begin)
        prof_written_begin();
    prof_ahead_begin();
    errno = error;
}

static int init(enum isp_fn fn, const void *site, int *argc, char ***argv, int required, int *provided)
{
    bool threaded = fn == ISP_FN_MPI_Init_thread;
    bool again = users > 0 && !initialized; /* a session has done it already */
    prof_enter_local(fn, site, prof_phase != PROF_FINALIZED);
    prof_depth++;
    int rc;
    prof_topology_begin();
    initializing = !again;
    if (!again)
        prof_arena_mpi_begins();
    if (again)
        rc = threaded ? PMPI_Query_thread(provided) : MPI_SUCCESS;
    else
        rc = threaded ? PMPI_Init_thread(argc, argv, required, provided) : PMPI_Init(argc, argv);
    prof_arena_mpi_has_begun();
    initializing = false;
    prof_topology_end();
    if (rc == MPI_SUCCESS && !initialized)
        prof_run_begin();
    if (rc == MPI_SUCCESS && !initialized)
        prof_level_begin(fn, site);
    if (rc == MPI_SUCCESS && !initialized)
        prof_hold_start(fn, site);
    initialized |= rc == MPI_SUCCESS;
    prof_depth--;
    return rc;
}

int prof_Init(enum isp_fn fn, const void *site, int *argc, char ***argv)
{
    return init(fn, site, argc, argv, 0, NULL);
}

int prof_Init_thread(enum isp_fn fn, const void *site, int *argc, char ***argv, int required, int *provided)
{
    return init(fn, site, argc, argv, required, provided);
}

/* ---- end ---- */

/* Of an operation that nobody has completed: which call has overwritten its request, if one has. */
static void tell_overwritten(const struct prof_op *op)
{
    const struct prof_persistent *p = op->persistent ? prof_persistent_at(op->persistent - 1) : NULL;
    const struct prof_request *request = prof_request_of_number(p ? p->request : op->request);
    if (!request || !request->overwritten.fn)
        return;
    uint32_t site = prof_site_number(request->overwritten.site); /* first: it may put a frame of its own */
    struct isp_buf *b = prof_link_begin(ISP_MSG_OVERWRITTEN);
    isp_put_u32(b, op->number);
    isp_put_u16(b, (uint16_t)request->overwritten.fn);
    isp_put_u32(b, site);
    prof_link_end();
}

bool prof_run_leave(void)
{
    if (--users > 0)
        return false;
    prof_ops_each_open(tell_overwritten);
    struct isp_call call = {.op = ISP_OP_FINALIZE};
    struct isp_result result;
    prof_fence(&call, &result);
    prof_types_finish();
    prof_comms_finish();
    return true;
}

static void delete_attribute(int keyval, void *unused)
{
    static const MPI_Comm comms[] = {MPI_COMM_SELF, MPI_COMM_WORLD};
    void *value;
    int found;
    for (int i = 0; i < 2; i++)
        if (PMPI_Comm_get_attr(comms[i], keyval, &value, &found) == MPI_SUCCESS && found)
            PMPI_Comm_delete_attr(comms[i], keyval);
}

/* The process manager waits for the rank that was forked, so MPI itself must not end. What the program can
 * see of that is done all the same (MPI-4.0, section 11.4.1). */
static int finalize_child(void)
{
    prof_errors_quiet(true);
    prof_handles_each_keyval(delete_attribute, NULL);
    prof_errors_quiet(false);
    return MPI_SUCCESS;
}

int prof_run_end(void)
{
    /* Attribute delete functions of the program run in here, and may free handles. */
    prof_finalizing = true;
    int rc = prof_checkpoint_is_child() ? finalize_child() : PMPI_Finalize();
    prof_phase = PROF_FINALIZED;
    report_leaks(false);
    prof_link_begin(ISP_MSG_FINALIZED);
    prof_link_end();
    prof_link_flush();
    return rc;
}

/* MPI was called where isp does not see it. */
static void refuse_unseen(enum isp_fn fn, const void *site)
{
    char text[512];
    if (!prof_unseen_find(text, sizeof text))
        return;
    prof_finding_tell(
        &(struct prof_finding){.rule = ISP_RULE_UNSUPPORTED, .at = {fn, site}, .text = text, .flush = true});
    prof_link_await_end();
}

int prof_Finalize(enum isp_fn fn, const void *site)
{
    if (!prof_enter(fn, site))
        return PMPI_Finalize();
    refuse_unseen(fn, site);
    prof_level_check_finalize(fn, site);
    finalized = true;
    return prof_leave(prof_run_leave() ? prof_run_end() : MPI_SUCCESS);
}

int prof_Initialized(enum isp_fn fn, const void *site, int *flag)
{
    prof_enter_local(fn, site, true);
    int rc = PMPI_Initialized(flag);
    if (rc == MPI_SUCCESS)
        *flag = initialized;
    return rc;
}

int prof_Finalized(enum isp_fn fn, const void *site, int *flag)
{
    prof_enter_local(fn, site, true);
    int rc = PMPI_Finalized(flag);
    if (rc == MPI_SUCCESS)
        *flag = finalized;
    return rc;
}

int prof_Abort(enum isp_fn fn, const void *site, MPI_Comm comm, int errorcode)
{
    if (!prof_enter(fn, site))
        return PMPI_Abort(comm, errorcode);
    uint32_t number = prof_site_number(site);
    struct isp_buf *b = prof_link_begin(ISP_MSG_ABORT);
    isp_put_i32(b, errorcode);
    isp_put_u32(b, number);
    prof_link_end();
    prof_link_flush();
    prof_link_hold(true);
    if (prof_checkpoint_is_child())
        prof_checkpoint_leave(errorcode);
    PMPI_Abort(comm, errorcode);
    _exit(errorcode); /* it returns if the launcher dies before this process does */
}
