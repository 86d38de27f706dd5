/* SPDX-License-Identifier: BSD-3-Clause */
/* What only few programs call: duplicates with info, old names of error handlers, requests that MPICH polls, lists of
 * partitions. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

static int polled, freed;

static void duplicates(void)
{
    MPI_Comm one, two;
    MPI_Request q;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &one);
    MPI_Comm_set_info(one, info);
    MPI_Comm_idup_with_info(one, info, &two, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Barrier(two);
    MPI_Comm_free(&two);
    MPI_Comm_free(&one);
    MPI_Info_free(&info);
}

static int handled;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static void on_file(MPI_File *file, int *code, ...)
{
    (void)file, (void)code;
    handled++;
}

static void on_session(MPI_Session *session, int *code, ...)
{
    (void)session, (void)code;
    handled++;
}

static void made_handlers(void)
{
    MPI_Errhandler h;
    MPI_Session session;
    MPI_Errhandler_create(on_comm, &h);
    MPI_Errhandler_set(MPI_COMM_SELF, h);
    MPI_Errhandler_free(&h);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    MPI_File_create_errhandler(on_file, &h);
    MPI_File_set_errhandler(MPI_FILE_NULL, h);
    MPI_Errhandler_free(&h);
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_OTHER);
    MPI_Session_create_errhandler(on_session, &h);
    MPI_Session_init(MPI_INFO_NULL, h, &session);
    MPI_Errhandler_free(&h);
    MPI_Session_finalize(&session);
    if (handled != 2)
        exit(6);
}

static void handlers(void)
{
    MPI_Errhandler h;
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Errhandler_get(MPI_COMM_SELF, &h);
    if (h != MPI_ERRORS_RETURN)
        exit(1);
    MPI_Errhandler_free(&h);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &h);
    if (h != MPI_ERRORS_RETURN || MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER) != MPI_SUCCESS)
        exit(1);
    MPI_Errhandler_free(&h);
    MPI_File_get_errhandler(MPI_FILE_NULL, &h);
    if (h != MPI_ERRORS_RETURN)
        exit(2);
    MPI_Errhandler_free(&h);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static int poll(void *state, MPI_Status *status)
{
    (void)status;
    return ++polled < 3 ? MPI_SUCCESS : MPI_Grequest_complete(*(MPI_Request *)state);
}

static int wait(int count, void **states, double timeout, MPI_Status *status)
{
    (void)count, (void)timeout;
    return poll(states[0], status);
}

static void polls(void)
{
    MPI_Request once;
    MPIX_Grequest_class class;
    MPI_Request q;
    int flag = 0;
    MPIX_Grequest_class_create(query, release, cancel, poll, wait, &class);
    MPIX_Grequest_class_allocate(class, &q, &q);
    while (!flag)
        MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
    if (polled != 3 || freed != 1)
        exit(3);
    MPIX_Grequest_start(query, release, cancel, poll, wait, &once, &once);
    MPI_Wait(&once, MPI_STATUS_IGNORE);
    if (polled != 4 || freed != 2)
        exit(4);
}

static void partitions(void)
{
    int rank, data[3] = {1, 2, 3}, got[3] = {0, 0, 0};
    MPI_Request out, in;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Psend_init(data, 3, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &out);
    MPI_Precv_init(got, 3, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &in);
    MPI_Start(&in);
    MPI_Start(&out);
    MPI_Pready_list(2, (int[]){2, 0}, out);
    MPI_Pready(1, out);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
    if (got[0] != 1 || got[1] != 2 || got[2] != 3)
        exit(5);
    MPI_Request_free(&out);
    MPI_Request_free(&in);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    duplicates();
    handlers();
    made_handlers();
    polls();
    partitions();
    MPI_Finalize();
    return 0;
}
