/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error handlers of communicators. The program sees MPI_ERRORS_ARE_FATAL where one of ours is: `unset`, which
 * a communicator has until the program sets its handler, or `chosen`, if it has set that one. The
 * communicators that have a handler of the program's own are marked (prof_comm.handler), since
 * such a handler must not be called before the program asks for the result of an operation.
 */
#include "errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "fence.h"
#include "hooks.h"
#include "link/finding.h"
#include "link/hooks.h"
#include "link/sites.h"
#include "link/uplink.h"
#include "prof.h"
#include "prof_calls.h"
#include "tables/communicators.h"
#include "tables/handles.h"
#include "threads/thread.h"

static MPI_Errhandler unset = MPI_ERRHANDLER_NULL, chosen = MPI_ERRHANDLER_NULL;
static enum { FATAL, RETURNS, OWN } world; /* the handler of MPI_COMM_WORLD */
/* Of the error that is being raised. NULL: only MPI knows what it is. */
static __thread const struct prof_finding *known __attribute__((tls_model("initial-exec")));
static bool locked; /* MPI_THREAD_MULTIPLE */

/* MPICH's text is "class, error stack:\nwhere(line): call(addresses) failed\nwhere(line): reason". Keeps the
 * reason, behind the class if that says something else: one line that is alike in all runs. */
static void summarize(char *text)
{
    char *stack = strstr(text, ", error stack:"), *last = strrchr(text, '\n');
    if (!stack || !last)
        return;
    *stack = '\0';
    char *reason = strstr(last, ": ");
    reason = reason ? reason + 2 : last + 1;
    size_t class = strlen(text), length = strlen(reason);
    while (length > 0 && reason[length - 1] == ' ')
        length--;
    if (strncmp(reason, text, class) == 0) {
        class = 0;
    } else {
        memcpy(text + class, ": ", 2); /* over ", " of the original */
        class += 2;
    }
    memmove(text + class, reason, length);
    text[class + length] = '\0';
}

/* The rank ends, when the scheduler lets it, as with MPI_ERRORS_ARE_FATAL. isp says what the error was: MPI
 * would name calls that the program has not made. */
static _Noreturn void end(int code)
{
    prof_link_hold(!locked);
    if (locked)
        exit(code); /* MPICH holds its lock here, and would fail an assertion in any call */
    fflush(NULL);
    prof_link_leave(0);
}

/* The same where isp has said what is wrong: MPI would only add that some error was found, and the launcher
 * that a rank failed. */
static _Noreturn void end_in_silence(void)
{
    fflush(NULL);
    while (!prof_threads_own_order)
        prof_fence_act();
    prof_link_hold(true);
    prof_link_leave(0);
}

void prof_error_fatal(int code)
{
    if (prof_errors_hear(code))
        return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    PMPI_Error_string(code, text, &length);
    summarize(text);
    struct prof_finding finding =
        known ? *known : (struct prof_finding){.rule = ISP_RULE_MPI_ERROR, .text = text};
    finding.at = (struct prof_place){prof_current.fn, prof_current.site};
    finding.death = ISP_DIES;
    prof_finding_tell(&finding);
    end(code);
}

void prof_error_unset(int code)
{
    if (prof_errors_hear(code) || world == RETURNS)
        return;
    if (world == OWN && !locked)
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
    else
        prof_error_fatal(code);
}

static void on_unset(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    prof_error_unset(*code);
}

static void on_chosen(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    prof_error_fatal(*code);
}

bool prof_errors_is_default(MPI_Errhandler handler)
{
    return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT;
}

void prof_errors_init(void)
{
    int level;
    PMPI_Query_thread(&level);
    locked = level == MPI_THREAD_MULTIPLE;
    PMPI_Comm_create_errhandler(on_unset, &unset);
    PMPI_Comm_create_errhandler(on_chosen, &chosen);
    MPI_Comm both[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    for (int i = 0; i < 2; i++)
        PMPI_Comm_set_errhandler(both[i], unset);
}

MPI_Errhandler prof_errors_handler(MPI_Errhandler handler)
{
    return prof_errors_is_default(handler) ? chosen : handler;
}

void prof_errors_got(bool ours, MPI_Errhandler *handler, enum isp_fn fn, const void *site)
{
    if (ours) {
        PMPI_Errhandler_free(handler); /* only the reference that we were given */
        *handler = MPI_ERRORS_ARE_FATAL;
    } else {
        prof_handle_created(PROF_HANDLE_ERRHANDLER, (int)*handler, fn, site);
    }
}

bool prof_errors_begin_handler(int code)
{
    known = NULL; /* it may never come back */
    return !prof_errors_hear(code);
}

int prof_error_raise(MPI_Comm comm, int code)
{
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* Whether MPI_ERRORS_ARE_FATAL, or what stands for it, would hear of an error. */
static bool ends_rank(const struct prof_error_object *object)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (object->win != MPI_WIN_NULL)
        return prof_engine_hooks.win_is_fatal(object->win, world == FATAL);
    if (object->file != MPI_FILE_NULL)
        return prof_engine_hooks.file_is_fatal(object->file);
    if (PMPI_Comm_get_errhandler(object->comm, &handler) != MPI_SUCCESS)
        return true;
    bool fatal = prof_errors_is_default(handler) || handler == chosen ||
                 (handler == unset && (world == FATAL || (world == OWN && locked)));
    if (!prof_errors_is_default(handler) && handler != MPI_ERRORS_RETURN)
        PMPI_Errhandler_free(&handler); /* only the reference that we were given */
    return fatal;
}

int prof_error_found(const struct prof_finding *finding, const struct prof_error_object *object, int code)
{
    struct prof_finding told = *finding;
    bool goes_on = prof_settings()->on_error == ISP_ON_ERROR_CONTINUE;
    if (!goes_on && ends_rank(object))
        told.death = prof_threads_own_order ? ISP_DIES : ISP_DIES_ABLE;
    told.flush = true;
    prof_finding_tell(&told);
    if (told.death)
        end_in_silence();
    if (goes_on)
        return code;
    if (object->win != MPI_WIN_NULL)
        PMPI_Win_call_errhandler(object->win, code);
    else if (object->file != MPI_FILE_NULL)
        PMPI_File_call_errhandler(object->file, code);
    else
        PMPI_Comm_call_errhandler(object->comm, code);
    return code;
}

static int found_here(const struct prof_finding *finding, const struct prof_error_object *object, int code)
{
    struct prof_finding here = *finding;
    here.at = (struct prof_place){prof_current.fn, prof_current.site};
    return prof_error_found(&here, object, code);
}

/* A lack of buffer space is no mistake if the program waits for that answer. */
static int raise_expected(const struct prof_finding *finding, MPI_Comm comm, int code)
{
    if (prof_settings()->on_error == ISP_ON_ERROR_CONTINUE) {
        const struct prof_error_object object = {comm, MPI_WIN_NULL, MPI_FILE_NULL};
        return ends_rank(&object) ? found_here(finding, &object, code) : code;
    }
    known = finding;
    PMPI_Comm_call_errhandler(comm, code);
    known = NULL;
    return code;
}

int prof_error_raise_finding(const struct prof_finding *finding, MPI_Comm comm, int code)
{
    if (finding->rule == ISP_RULE_BSEND_BUFFER)
        return raise_expected(finding, comm, code);
    return found_here(finding, &(struct prof_error_object){comm, MPI_WIN_NULL, MPI_FILE_NULL}, code);
}

int prof_error_raise_as(enum isp_rule rule, const char *text, MPI_Comm comm, int code)
{
    return prof_error_raise_finding(&(struct prof_finding){.rule = rule, .text = text}, comm, code);
}

int prof_error_raise_window(const struct prof_finding *finding, MPI_Win win, int code)
{
    return found_here(finding, &(struct prof_error_object){MPI_COMM_NULL, win, MPI_FILE_NULL}, code);
}

int prof_Comm_get_errhandler(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Errhandler *errhandler)
{
    if (!prof_enter(fn, site))
        return PMPI_Comm_get_errhandler(comm, errhandler);
    int rc = PMPI_Comm_get_errhandler(comm, errhandler);
    if (rc == MPI_SUCCESS)
        prof_errors_got(*errhandler == unset || *errhandler == chosen, errhandler, fn, site);
    return prof_leave(rc);
}

int prof_Comm_set_errhandler(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Errhandler errhandler)
{
    if (!prof_enter(fn, site))
        return PMPI_Comm_set_errhandler(comm, errhandler);
    int rc = PMPI_Comm_set_errhandler(comm, prof_errors_handler(errhandler));
    struct prof_comm *c = prof_comm_find(comm);
    bool own = !prof_errors_is_default(errhandler) && errhandler != MPI_ERRORS_RETURN;
    if (rc == MPI_SUCCESS && c)
        c->handler = own;
    if (rc == MPI_SUCCESS && comm == MPI_COMM_WORLD)
        world = own ? OWN : prof_errors_is_default(errhandler) ? FATAL : RETURNS;
    return prof_leave(rc);
}

int prof_Comm_call_errhandler(enum isp_fn fn, const void *site, MPI_Comm comm, int errorcode)
{
    if (!prof_enter(fn, site))
        return PMPI_Comm_call_errhandler(comm, errorcode);
    return prof_leave(PMPI_Comm_call_errhandler(comm, errorcode));
}

void prof_errors_hash(struct prof_hash *h) { prof_hash_word(h, world); }

MPI_Errhandler prof_errors_silence(const struct prof_comm *c)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (c->handler) {
        PMPI_Comm_get_errhandler(c->handle, &handler);
        PMPI_Comm_set_errhandler(c->handle, MPI_ERRORS_RETURN);
    }
    return handler;
}

void prof_errors_unsilence(const struct prof_comm *c, MPI_Errhandler handler)
{
    if (!c->handler)
        return;
    PMPI_Comm_set_errhandler(c->handle, handler);
    PMPI_Errhandler_free(&handler);
}
