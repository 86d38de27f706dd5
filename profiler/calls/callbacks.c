/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers of the program: see callbacks.h. */
#include "callbacks.h"

#include <stddef.h>

#include "engine/errors.h"
#include "engine/prof.h"
#include "prof_calls.h"
#include "tables/handles.h"

enum { MOST = 32 };

static prof_handler *users[MOST];

static void call(int k, void *object, int *code)
{
    if (!prof_errors_begin_handler(*code))
        return;
    struct prof_outside outside = prof_outside_begin();
    users[k](object, code, NULL);
    prof_outside_end(&outside);
}

/* clang-format off */
#define EACH(X)                                                             \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)     \
    X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) \
    X(25) X(26) X(27) X(28) X(29) X(30) X(31)
/* clang-format on */

#define DEFINE(k) \
    static void handler_##k(void *object, int *code, ...) { call(k, object, code); }
EACH(DEFINE)

#define NAME(k) handler_##k,
static prof_handler *const ours[MOST] = {EACH(NAME)};

prof_handler *prof_callback_handler(prof_handler *function)
{
    for (int k = 0; function && k < MOST; k++) {
        if (!users[k])
            users[k] = function;
        if (users[k] == function)
            return ours[k];
    }
    return function;
}

/* ---- the calls ---- */

#define CREATE(X)                                                                                            \
    int prof_##X##_create_errhandler(enum isp_fn fn, const void *site,                                       \
                                     MPI_##X##_errhandler_function *function, MPI_Errhandler *errhandler)    \
    {                                                                                                        \
        bool entered = prof_enter(fn, site);                                                                 \
        prof_handler *handler = prof_callback_handler((prof_handler *)(void *)function);                     \
        int rc = PMPI_##X##_create_errhandler((MPI_##X##_errhandler_function *)(void *)handler, errhandler); \
        if (rc == MPI_SUCCESS)                                                                               \
            prof_handle_created(PROF_HANDLE_ERRHANDLER, (int)*errhandler, fn, site);                         \
        return entered ? prof_leave(rc) : rc;                                                                \
    }

CREATE(Comm)
CREATE(Win)
CREATE(File)

/* Allowed before MPI_Init (MPI-4.0, section 11.3). */
int prof_Session_create_errhandler(enum isp_fn fn, const void *site,
                                   MPI_Session_errhandler_function *function, MPI_Errhandler *errhandler)
{
    prof_enter_local(fn, site, true);
    prof_handler *handler = prof_callback_handler((prof_handler *)(void *)function);
    int rc = PMPI_Session_create_errhandler((MPI_Session_errhandler_function *)(void *)handler, errhandler);
    if (rc == MPI_SUCCESS)
        prof_handle_created(PROF_HANDLE_ERRHANDLER, (int)*errhandler, fn, site);
    return rc;
}
