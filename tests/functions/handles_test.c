/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles that the program creates and frees: what remains is summed up by
 * creation site, in order of first creation, and predefined handles never count.
 * MPI itself is not needed: the handles are numbers as MPICH makes them.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpi.h>
#include <stdio.h>

#include "tables/handles.h"
#include "engine/prof.h"

/* Where handles are freed; of lifecycle.c. */
__thread struct prof_current prof_current;

#define SITE(n) ((const void *)(uintptr_t)(n))
#define USER(n) ((int)(0x84000000u + (n))) /* an object made at run time */

static char story[1024];

static void tell(enum prof_handle_kind kind, enum isp_fn fn, const void *site, uint32_t count, void *context)
{
    size_t *used = context;
    *used += (size_t)snprintf(story + *used, sizeof story - *used, "%d %s @%d x%u\n", (int)kind,
                              isp_fn_name(fn), (int)(uintptr_t)site, count);
}

static const char *leaks(void)
{
    size_t used = 0;
    story[0] = '\0';
    prof_handles_each_leak(tell, &used);
    return story;
}

static int forget(void **state)
{
    (void)state;
    prof_handles_finish();
    return 0;
}

static void created_and_freed_is_no_leak(void **state)
{
    (void)state;
    prof_handle_created(PROF_HANDLE_COMM, USER(0), ISP_FN_MPI_Comm_dup, SITE(1));
    prof_handle_freed(PROF_HANDLE_COMM, USER(0));
    assert_string_equal(leaks(), "");
}

static void sums_by_site_in_order(void **state)
{
    (void)state;
    prof_handle_created(PROF_HANDLE_OP, USER(9), ISP_FN_MPI_Op_create, SITE(5));
    for (unsigned i = 0; i < 100; i++)
        prof_handle_created(PROF_HANDLE_COMM, USER(i), ISP_FN_MPI_Comm_dup, SITE(1 + i % 2));
    for (unsigned i = 0; i < 100; i += 4)
        prof_handle_freed(PROF_HANDLE_COMM, USER(i));
    assert_string_equal(leaks(), "3 MPI_Op_create @5 x1\n"
                                 "0 MPI_Comm_dup @2 x50\n"
                                 "0 MPI_Comm_dup @1 x25\n");
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    prof_handle_created(PROF_HANDLE_COMM, USER(0), ISP_FN_MPI_Comm_dup, SITE(1));
    prof_handle_freed(PROF_HANDLE_INFO, USER(0));
    assert_string_equal(leaks(), "0 MPI_Comm_dup @1 x1\n");
}

static void the_same_handle_counts_each_time(void **state)
{
    (void)state;
    for (int i = 1; i <= 3; i++)
        prof_handle_created(PROF_HANDLE_ERRHANDLER, USER(0), ISP_FN_MPI_Comm_get_errhandler, SITE(i));
    prof_handle_freed(PROF_HANDLE_ERRHANDLER, USER(0));
    assert_string_equal(leaks(), "5 MPI_Comm_get_errhandler @1 x1\n"
                                 "5 MPI_Comm_get_errhandler @2 x1\n");
    prof_handle_freed(PROF_HANDLE_ERRHANDLER, USER(0));
    prof_handle_freed(PROF_HANDLE_ERRHANDLER, USER(0));
    assert_string_equal(leaks(), "");
}

static void freeing_what_is_not_tracked_is_harmless(void **state)
{
    (void)state;
    prof_handle_freed(PROF_HANDLE_GROUP, USER(7));
    prof_handle_freed(PROF_HANDLE_GROUP, 0);
    assert_string_equal(leaks(), "");
}

static void predefined_and_null_handles_never_count(void **state)
{
    (void)state;
    static const struct {
        enum prof_handle_kind kind;
        int handle;
    } handles[] = {
        {PROF_HANDLE_COMM, MPI_COMM_NULL},
        {PROF_HANDLE_COMM, MPI_COMM_WORLD},
        {PROF_HANDLE_COMM, MPI_COMM_SELF},
        {PROF_HANDLE_GROUP, MPI_GROUP_NULL},
        {PROF_HANDLE_GROUP, MPI_GROUP_EMPTY},
        {PROF_HANDLE_DATATYPE, MPI_DATATYPE_NULL},
        {PROF_HANDLE_DATATYPE, MPI_INT},
        {PROF_HANDLE_DATATYPE, MPI_2INT},
        {PROF_HANDLE_DATATYPE, MPI_FLOAT_INT},
        {PROF_HANDLE_DATATYPE, MPI_DOUBLE_INT},
        {PROF_HANDLE_DATATYPE, MPI_LONG_INT},
        {PROF_HANDLE_DATATYPE, MPI_SHORT_INT},
        {PROF_HANDLE_DATATYPE, MPI_LONG_DOUBLE_INT},
        {PROF_HANDLE_OP, MPI_OP_NULL},
        {PROF_HANDLE_OP, MPI_SUM},
        {PROF_HANDLE_REQUEST, MPI_REQUEST_NULL},
        {PROF_HANDLE_ERRHANDLER, MPI_ERRHANDLER_NULL},
        {PROF_HANDLE_ERRHANDLER, MPI_ERRORS_RETURN},
        {PROF_HANDLE_ERRHANDLER, MPI_ERRORS_ARE_FATAL},
        {PROF_HANDLE_INFO, MPI_INFO_NULL},
        {PROF_HANDLE_INFO, MPI_INFO_ENV},
        {PROF_HANDLE_KEYVAL, MPI_KEYVAL_INVALID},
        {PROF_HANDLE_KEYVAL, MPI_TAG_UB},
        {PROF_HANDLE_MESSAGE, MPI_MESSAGE_NULL},
        {PROF_HANDLE_MESSAGE, MPI_MESSAGE_NO_PROC},
    };
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        prof_handle_created(handles[i].kind, handles[i].handle, ISP_FN_MPI_Send, SITE(i));
    assert_string_equal(leaks(), "");
}

static void the_group_of_world_counts(void **state)
{
    (void)state;
    /* Some MPICH versions hand out a built-in group here; it must be freed too. */
    prof_handle_created(PROF_HANDLE_GROUP, MPI_GROUP_EMPTY + 1, ISP_FN_MPI_Comm_group, SITE(1));
    assert_string_equal(leaks(), "1 MPI_Comm_group @1 x1\n");
}

static void functions_have_names_and_bases(void **state)
{
    (void)state;
    assert_string_equal(isp_fn_name(ISP_FN_MPI_Isend_c), "MPI_Isend_c");
    assert_string_equal(isp_fn_name(ISP_FN_NONE), "MPI_?");
    assert_string_equal(isp_fn_name(ISP_FN_COUNT), "MPI_?");
    assert_int_equal(isp_fn_base(ISP_FN_MPI_Bcast_c), ISP_FN_MPI_Bcast);
    assert_int_equal(isp_fn_base(ISP_FN_MPI_Bcast), ISP_FN_MPI_Bcast);
    assert_int_equal(isp_fn_base(ISP_FN_MPI_Type_get_contents_c), ISP_FN_MPI_Type_get_contents);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(created_and_freed_is_no_leak, forget),
        cmocka_unit_test_teardown(sums_by_site_in_order, forget),
        cmocka_unit_test_teardown(kinds_are_told_apart, forget),
        cmocka_unit_test_teardown(the_same_handle_counts_each_time, forget),
        cmocka_unit_test_teardown(freeing_what_is_not_tracked_is_harmless, forget),
        cmocka_unit_test_teardown(predefined_and_null_handles_never_count, forget),
        cmocka_unit_test_teardown(the_group_of_world_counts, forget),
        cmocka_unit_test(functions_have_names_and_bases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
