/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a window (MPI-4.0, section 12.2): see windows.h. Making one is a collective on the parent
 * communicator, freeing it one on the window; MPI is called after the go-ahead, when all members are there. A
 * window that MPI does not make takes its number with it.
 */
#include "windows.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "early_fence.h"
#include "engine/ahead.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/prof.h"
#include "link/progress.h"
#include "prof_calls.h"
#include "shared.h"
#include "tables/communicators.h"
#include "tables/handles.h"

static struct prof_win *windows;
/* of that list: accesses come from all threads at once */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* They stand for MPI_ERRORS_ARE_FATAL where the program has set no handler, and where it has set that one. */
static MPI_Errhandler unset = MPI_ERRHANDLER_NULL, chosen = MPI_ERRHANDLER_NULL;

struct prof_win *prof_win_find(MPI_Win win)
{
    pthread_mutex_lock(&lock);
    struct prof_win *w = windows;
    while (w && w->handle != win)
        w = w->next;
    pthread_mutex_unlock(&lock);
    return w;
}

void prof_epoch_clear(struct prof_epoch *epoch)
{
    free(epoch->ranks);
    free(epoch->ops);
    *epoch = (struct prof_epoch){0};
}

static void on_unset(MPI_Win *win, int *code, ...)
{
    (void)win;
    prof_error_unset(*code);
}

static void on_chosen(MPI_Win *win, int *code, ...)
{
    (void)win;
    prof_error_fatal(*code);
}

static struct prof_win *add(MPI_Win handle, int32_t number, const struct prof_comm *parent)
{
    struct prof_win *w = prof_alloc(1, sizeof *w);
    w->world = prof_alloc((size_t)parent->size, sizeof *w->world);
    w->handle = handle;
    w->number = number;
    w->n = parent->size;
    w->rank = parent->rank;
    for (int i = 0; i < w->n; i++)
        w->world[i] = prof_comm_world(parent, i);
    pthread_mutex_lock(&lock);
    w->next = windows;
    windows = w;
    pthread_mutex_unlock(&lock);
    if (unset == MPI_ERRHANDLER_NULL) {
        PMPI_Win_create_errhandler(on_unset, &unset);
        PMPI_Win_create_errhandler(on_chosen, &chosen);
    }
    PMPI_Win_set_errhandler(handle, unset);
    prof_progress_needed(+1);
    return w;
}

/* All members are there, and the window has a number; NULL: MPI has to say what is wrong with the
 * communicator. */
static struct prof_comm *match_parent(MPI_Comm *comm, struct isp_result *result)
{
    struct prof_comm *c = prof_comm_use(comm);
    if (!c)
        return NULL;
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE, .mode = ISP_MAKE_SAME, .comm = c->number, .root = ISP_NO_RANK};
    prof_fence(&call, result);
    prof_ahead_meeting(result->new_comm, c);
    return c;
}

/* shared: memory that isp has made for it, or NULL. */
static int made(int rc, const struct prof_comm *parent, const MPI_Win *win, const struct isp_result *result,
                struct prof_shared *shared)
{
    if (rc != MPI_SUCCESS || !parent)
        return rc;
    struct prof_win *w = add(*win, result->new_comm, parent);
    w->shared = shared;
    prof_window_memory_begin(w, parent->handle);
    prof_handle_created(PROF_HANDLE_WINDOW, (int)*win, prof_current.fn, prof_current.site);
    return rc;
}

/* In each of these the record comes before the call of MPI. */
#define MAKE(CALL, comm)                                                      \
    do {                                                                      \
        if (!prof_enter(fn, site))                                            \
            return CALL;                                                      \
        struct isp_result result;                                             \
        struct prof_comm *parent = win ? match_parent(&comm, &result) : NULL; \
        return prof_leave(made(CALL, parent, win, &result, NULL));            \
    } while (0)

int prof_Win_create(enum isp_fn fn, const void *site, void *base, MPI_Aint size, MPI_Aint disp_unit,
                    MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    MAKE(fn == ISP_FN_MPI_Win_create_c ? PMPI_Win_create_c(base, size, disp_unit, info, comm, win)
                                       : PMPI_Win_create(base, size, (int)disp_unit, info, comm, win),
         comm);
}

int prof_Win_allocate(enum isp_fn fn, const void *site, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info,
                      MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    MAKE(fn == ISP_FN_MPI_Win_allocate_c ? PMPI_Win_allocate_c(size, disp_unit, info, comm, baseptr, win)
                                         : PMPI_Win_allocate(size, (int)disp_unit, info, comm, baseptr, win),
         comm);
}

#define PMPI_ALLOCATE_SHARED                                                     \
    (fn == ISP_FN_MPI_Win_allocate_shared_c                                      \
         ? PMPI_Win_allocate_shared_c(size, disp_unit, info, comm, baseptr, win) \
         : PMPI_Win_allocate_shared(size, (int)disp_unit, info, comm, baseptr, win))

int prof_Win_allocate_shared(enum isp_fn fn, const void *site, MPI_Aint size, MPI_Aint disp_unit,
                             MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    if (!prof_shared_is_hidden() || size < 0 || disp_unit <= 0 || !baseptr)
        MAKE(PMPI_ALLOCATE_SHARED, comm);
    if (!prof_enter(fn, site))
        return PMPI_ALLOCATE_SHARED;
    struct isp_result result;
    struct prof_comm *parent = win ? match_parent(&comm, &result) : NULL;
    if (!parent)
        return prof_leave(PMPI_ALLOCATE_SHARED);
    struct prof_shared *shared;
    int rc = prof_shared_allocate(size, disp_unit, info, comm, baseptr, win, &shared);
    return prof_leave(made(rc, parent, win, &result, shared));
}

int prof_Win_create_dynamic(enum isp_fn fn, const void *site, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    MAKE(PMPI_Win_create_dynamic(info, comm, win), comm);
}

/* False: the rank goes on, and MPI has not done it yet. */
static bool match(struct prof_win *w, enum isp_make make, int assert)
{
    prof_early_fence_settle(w);
    struct isp_call call = {.op = ISP_OP_COLLECTIVE,
                            .mode = (uint8_t)make,
                            .comm = w->number,
                            .root = ISP_NO_RANK,
                            .color = assert &(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED),
                            .tag = assert &MPI_MODE_NOPUT};
    struct isp_result result;
    if (prof_early_fence_may(w, assert)) {
        prof_early_fence_begin(w, assert, &call);
        return false;
    }
    call.flags = assert &MPI_MODE_NOPRECEDE ? ISP_F_TAKES_NOTHING : 0;
    prof_fence(&call, &result);
    return true;
}

bool prof_win_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site,
                               MPI_Win win)
{
    if (!prof_collective_enter(collective, fn, site))
        return true;
    struct prof_win *w = prof_win_find(win);
    if (w)
        match(w, ISP_MAKE_NOTHING, 0);
    return true;
}

int prof_Win_fence(enum isp_fn fn, const void *site, int assert, MPI_Win win)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_fence(assert, win);
    struct prof_win *w = prof_win_find(win);
    int rc = prof_epochs_check_fence(w, assert);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    prof_origins_end(w, PROF_ALL_RANKS);
    if (!w || match(w, ISP_MAKE_NOTHING, assert))
        rc = PMPI_Win_fence(assert, win);
    if (w && rc == MPI_SUCCESS)
        prof_epochs_fence(w, assert);
    return prof_leave(rc);
}

static void forget(struct prof_win *w)
{
    pthread_mutex_lock(&lock);
    struct prof_win **at = &windows;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    pthread_mutex_unlock(&lock);
    prof_epoch_clear(&w->access);
    prof_epoch_clear(&w->exposure);
    prof_shared_destroy(w->shared);
    prof_epochs_finish(&w->epochs);
    prof_origins_finish(w);
    prof_window_memory_end(w);
    prof_ahead_no_meeting(w->number);
    free(w->world);
    free(w);
    prof_progress_needed(-1);
}

static int free_(MPI_Win *win)
{
    MPI_Win handle = *win;
    struct prof_win *w = prof_win_find(handle);
    int rc = PMPI_Win_free(win);
    if (rc == MPI_SUCCESS && w) {
        forget(w);
        prof_handle_freed(PROF_HANDLE_WINDOW, (int)handle);
    }
    return rc;
}

int prof_Win_free(enum isp_fn fn, const void *site, MPI_Win *win)
{
    if (win && prof_depth > 0) /* in a callback of the program: libraries free theirs in MPI_Finalize */
        return free_(win);
    if (!win || !prof_enter(fn, site))
        return PMPI_Win_free(win);
    struct prof_win *w = prof_win_find(*win);
    int rc = prof_epochs_check_free(w);
    if (rc != MPI_SUCCESS)
        return prof_leave(rc);
    if (w)
        match(w, ISP_MAKE_FREE, 0);
    return prof_leave(free_(win));
}

/* ---- the end ----
 * MPICH dies in MPI_Finalize of a window that is still there. So those are freed before, when the program's
 * own attributes of MPI_COMM_SELF are gone: ours was the first one, and they are deleted in reverse order.
 * All ranks are in MPI_Finalize, and the same windows are left on all members of each. */

static int delete (MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    prof_errors_quiet(true);
    while (windows) {
        struct prof_win *lowest = windows;
        for (struct prof_win *w = windows; w; w = w->next)
            if (w->number < lowest->number)
                lowest = w;
        prof_epochs_end(lowest);
        PMPI_Win_free(&lowest->handle);
        forget(lowest);
    }
    prof_errors_quiet(false);
    return MPI_SUCCESS;
}

void prof_windows_init(void)
{
    int key;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    PMPI_Comm_free_keyval(&key); /* it goes with the attribute */
}

/* ---- what isp has to answer for a shared window of its own ---- */

int prof_Win_shared_query(enum isp_fn fn, const void *site, MPI_Win win, int rank, MPI_Aint *size,
                          MPI_Aint *disp_unit, void *baseptr)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_shared_query_c(win, rank, size, disp_unit, baseptr);
    const struct prof_win *w = prof_win_find(win);
    if (!w || !w->shared || !size || !disp_unit || !baseptr || rank >= w->n ||
        (rank < 0 && rank != MPI_PROC_NULL))
        return prof_leave(PMPI_Win_shared_query_c(win, rank, size, disp_unit, baseptr));
    prof_shared_query(w->shared, rank, size, disp_unit, baseptr);
    return prof_leave(MPI_SUCCESS);
}

int prof_Win_get_attr(enum isp_fn fn, const void *site, MPI_Win win, int win_keyval, void *attribute_val,
                      int *flag)
{
    static int flavor = MPI_WIN_FLAVOR_SHARED;
    const void *answer = &flavor;
    if (!prof_enter(fn, site))
        return PMPI_Win_get_attr(win, win_keyval, attribute_val, flag);
    const struct prof_win *w = prof_win_find(win);
    int rc = PMPI_Win_get_attr(win, win_keyval, attribute_val, flag);
    if (rc == MPI_SUCCESS && w && w->shared && win_keyval == MPI_WIN_CREATE_FLAVOR)
        memcpy(attribute_val, &answer, sizeof answer);
    return prof_leave(rc);
}

/* ---- error handlers: as those of communicators (errors.c) ---- */

bool prof_win_is_fatal(MPI_Win win, bool unset_too)
{
    MPI_Errhandler handler;
    if (PMPI_Win_get_errhandler(win, &handler) != MPI_SUCCESS)
        return true;
    bool fatal = prof_errors_is_default(handler);
    fatal |= unset != MPI_ERRHANDLER_NULL && (handler == chosen || (unset_too && handler == unset));
    if (!prof_errors_is_default(handler) && handler != MPI_ERRORS_RETURN)
        PMPI_Errhandler_free(&handler); /* only the reference that we were given */
    return fatal;
}

int prof_Win_get_errhandler(enum isp_fn fn, const void *site, MPI_Win win, MPI_Errhandler *errhandler)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_get_errhandler(win, errhandler);
    int rc = PMPI_Win_get_errhandler(win, errhandler);
    if (rc == MPI_SUCCESS)
        prof_errors_got(unset != MPI_ERRHANDLER_NULL && (*errhandler == unset || *errhandler == chosen),
                        errhandler, fn, site);
    return prof_leave(rc);
}

int prof_Win_set_errhandler(enum isp_fn fn, const void *site, MPI_Win win, MPI_Errhandler errhandler)
{
    if (!prof_enter(fn, site))
        return PMPI_Win_set_errhandler(win, errhandler);
    return prof_leave(PMPI_Win_set_errhandler(
        win, prof_errors_is_default(errhandler) && chosen != MPI_ERRHANDLER_NULL ? chosen : errhandler));
}
