/* SPDX-License-Identifier: BSD-3-Clause */
/* What the standard ABI has beside what MPICH 4.0 has. With an argument: what isp has not. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MPI_Remove_error_class(int class);

#define CHECK(condition)                              \
    do {                                              \
        if (!(condition)) {                           \
            printf("%d: %s\n", __LINE__, #condition); \
            exit(7);                                  \
        }                                             \
    } while (0)

static MPI_Comm given; /* to a function that the MPI calls */

static int copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    given = comm;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int major, minor, flag, source, tag, error, level, rank, size, keys[2];
    char text[32] = "";
    void *value;
    MPI_Info info;
    MPI_Status status;
    MPI_Comm comm;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    CHECK(level == MPI_THREAD_SERIALIZED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* the interface */
    MPI_Abi_get_version(&major, &minor);
    CHECK(major == 1 && minor == 0);
    MPI_Abi_get_info(&info);
    MPI_Info_get(info, "mpi_count_size", sizeof text - 1, text, &flag);
    CHECK(flag && strcmp(text, "8") == 0);
    MPI_Info_free(&info);
    CHECK(info == MPI_INFO_NULL);
    MPI_Abi_get_fortran_booleans(4, &major, &minor, &flag);
    CHECK(!flag);
    /* handles as integers */
    CHECK(MPI_Comm_toint(MPI_COMM_WORLD) == 0x101 && MPI_Comm_fromint(0x101) == MPI_COMM_WORLD);
    CHECK(MPI_Type_fromint(MPI_Type_toint(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm);
    /* statuses */
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &source, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 comm, &status);
    CHECK(source == status.MPI_SOURCE && status.MPI_TAG == 3);
    MPI_Status_get_source(&status, &source);
    MPI_Status_get_tag(&status, &tag);
    CHECK(source == (rank + size - 1) % size && tag == 3);
    MPI_Status_set_tag(&status, 5);
    MPI_Status_set_error(&status, MPI_ERR_TRUNCATE);
    MPI_Status_set_elements_c(&status, MPI_INT, (MPI_Count)1 << 33);
    MPI_Status_get_tag(&status, &tag);
    MPI_Status_get_error(&status, &error);
    MPI_Count n;
    MPI_Get_elements_c(&status, MPI_INT, &n);
    CHECK(tag == 5 && error == MPI_ERR_TRUNCATE && n == (MPI_Count)1 << 33);
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    /* attributes: functions that are numbers, and one that gets a handle */
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keys[0], NULL);
    MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &keys[1], NULL);
    MPI_Comm_set_attr(comm, keys[0], text);
    MPI_Comm_set_attr(comm, keys[1], argv);
    MPI_Comm another;
    MPI_Comm_dup(comm, &another);
    CHECK(given == comm);
    MPI_Comm_get_attr(another, keys[0], &value, &flag);
    CHECK(flag && value == (void *)text);
    MPI_Comm_get_attr(another, keys[1], &value, &flag);
    CHECK(flag && value == (void *)argv);
    MPI_Comm_compare(comm, another, &flag);
    CHECK(flag == MPI_CONGRUENT);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free_keyval(&keys[i]);
    CHECK(keys[1] == MPI_KEYVAL_INVALID);
    if (argc > 1 && strcmp(argv[1], "guided") == 0)
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, MPI_INFO_NULL, &comm); /* @guided */
    if (argc > 1 && strcmp(argv[1], "automatic") == 0)
        MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0); /* @automatic */
    if (argc > 1)
        MPI_Remove_error_class(MPI_ERR_LASTCODE + 1); /* @more */
    MPI_Comm_free(&another);
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}
