/* SPDX-License-Identifier: BSD-3-Clause */
/* values NAME: rank 0 changes the buffer of a send that is pending (README.md). What isp must say of it is
 * behind SAYS. */
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;

/* Sends the buffer, changes it by `change`, and waits. */
#define SEND(buffer, count, type, change)                                           \
    do {                                                                            \
        if (rank == 0) {                                                            \
            MPI_Request request;                                                    \
            MPI_Isend(buffer, count, type, 1, 0, MPI_COMM_WORLD, &request);         \
            change;                                                                 \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                  \
        } else                                                                      \
            MPI_Recv(buffer, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); \
    } while (0)

/* What no instruction writes: found when the send is completed. */
static void write_by_kernel(void *to, const void *from, size_t bytes)
{
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], from, bytes) != (ssize_t)bytes ||
        read(ends[0], to, bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(ends[0]);
    close(ends[1]);
}

static int field[10] = {0, 0, 0, 7};
static double grid[4][5];
static struct particle {
    int id;
    double mass;
    char tag[4];
} particles[3] = {{1, 1.5, "abc"}, {2, 2.5, "def"}, {3, 3.5, "ghi"}};

/* SAYS field[3]: 7 → 9 */
static void of_static(void) { SEND(field, 10, MPI_INT, field[3] = 9); }

/* SAYS x[2]: 0.09999999999999999 → 0.1, and 1 more element */
static void of_local(void)
{
    double x[4] = {1, 2, 0.09999999999999999, 3}, changed[2] = {0.1, 4};
    SEND(x, 4, MPI_DOUBLE, write_by_kernel(&x[2], changed, sizeof changed));
}

/* SAYS list[5]: -3 → 12 */
static void of_heap(void)
{
    long *list = calloc(8, sizeof *list);
    list[5] = -3;
    SEND(list, 8, MPI_LONG, list[5] = 12);
    free(list);
}

/* SAYS particles[1].mass: 2.5 → -1 */
static void of_struct(void)
{
    MPI_Datatype type, packed;
    int lengths[] = {1, 1, 4};
    MPI_Aint at[] = {offsetof(struct particle, id), offsetof(struct particle, mass),
                     offsetof(struct particle, tag)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Type_create_struct(3, lengths, at, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct particle), &type);
    MPI_Type_commit(&type);
    SEND(particles, 3, type, particles[1].mass = -1);
    MPI_Type_free(&type);
    MPI_Type_free(&packed);
}

/* SAYS grid[2][1]: 0 → 2.5 */
static void of_column(void)
{
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    SEND(&grid[0][1], 1, column, grid[2][1] = 2.5);
    MPI_Type_free(&column);
}

/* SAYS field[3]: 7 → 8 */
static void of_bytes(void) { SEND(field, sizeof field, MPI_BYTE, field[3] = 8); }

/* SAYS field[3]: 7 → 6 */
static void of_contiguous(void)
{
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    SEND(field, 5, pair, field[3] = 6);
    MPI_Type_free(&pair);
}

/* SAYS x[1]: 1.5 → 2.25 */
static void of_long_double(void)
{
    static long double x[3] = {1, 1.5L, 2};
    SEND(x, 3, MPI_LONG_DOUBLE, x[1] = 2.25L);
}

/* SAYS z[1]: (1, 2) → (1, -2) */
static void of_complex(void)
{
    static double complex z[2];
    z[1] = 1 + 2 * I;
    SEND(z, 2, MPI_C_DOUBLE_COMPLEX, z[1] = 1 - 2 * I);
}

/* SAYS z[0]: (0.5, 0) → (0.25, 0) */
static void of_long_complex(void)
{
    static long double complex z[2];
    z[0] = 0.5L;
    SEND(z, 2, MPI_C_LONG_DOUBLE_COMPLEX, z[0] = 0.25L);
}

/* SAYS small[2]: -100 → 100 */
static void of_signed_char(void)
{
    static signed char small[4] = {0, 0, -100};
    SEND(small, 4, MPI_SIGNED_CHAR, small[2] = 100);
}

/* SAYS small[2]: 200 → 100 */
static void of_uint8(void)
{
    static uint8_t small[4] = {0, 0, 200};
    SEND(small, 4, MPI_UINT8_T, small[2] = 100);
}

/* SAYS text[1]: 'b' → 'x' */
static void of_char(void)
{
    static char text[] = "abc";
    SEND(text, 4, MPI_CHAR, text[1] = 'x');
}

/* SAYS text[3]: 'd' → 0x00, and 3 more elements */
static void of_text(void)
{
    static char text[] = "abcdefghij";
    SEND(text, 11, MPI_CHAR, memset(text + 3, 0, 4));
}

/* SAYS flags[1]: false → true */
static void of_bool(void)
{
    static bool flags[3];
    SEND(flags, 3, MPI_C_BOOL, flags[1] = true);
}

/* SAYS big[0]: 18446744073709551615 → 1 */
static void of_uint64(void)
{
    static uint64_t big[2] = {UINT64_MAX};
    SEND(big, 2, MPI_UINT64_T, big[0] = 1);
}

/* SAYS x: 0.5 → 0.75 */
static void of_scalar(void)
{
    float x = 0.5f;
    SEND(&x, 1, MPI_FLOAT, x = 0.75f);
}

/* SAYS x[3]: nan → 1 */
static void of_nan(void)
{
    static double x[4];
    x[3] = __builtin_nan("");
    SEND(x, 4, MPI_DOUBLE, x[3] = 1);
}

/* SAYS element 3 (MPI_INT): 7 → 9 */
static void of_nobody(void) /* of the heap, and nothing points to it any more */
{
    int *x = calloc(10, sizeof *x);
    volatile uintptr_t hidden = ~(uintptr_t)x;
    MPI_Request request;
    x[3] = 7;
    if (rank == 0) {
        MPI_Isend(x, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        x = NULL;
        ((int *)~hidden)[3] = 9;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else
        MPI_Recv(x, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* SAYS partition 1 of the buffer of a pending MPI_Pready, at field[3]: 7 → 9 */
static void of_partition(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(field, 4, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(field, 4, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int i = 0; i < 4 && rank == 0; i++)
        MPI_Pready(i, request);
    if (rank == 0)
        field[3] = 9;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

/* SAYS the program reads the buffer of a pending MPI_Irecv, at field[4] */
static void of_read(void)
{
    MPI_Request request;
    volatile int seen;
    if (rank == 0) {
        MPI_Irecv(field, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        seen = field[4];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        (void)seen;
    } else
        MPI_Send(field, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

/* SAYS its buffer (40 bytes) was changed before MPI_Wait, at field[2]: 0 → 5 */
static void of_collective(void)
{
    int all[20], five = 5;
    MPI_Request request;
    MPI_Iallgather(field, 10, MPI_INT, all, 10, MPI_INT, MPI_COMM_WORLD, &request);
    if (rank == 0)
        write_by_kernel(&field[2], &five, sizeof five);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {
        {"of_static", of_static},
        {"of_local", of_local},
        {"of_heap", of_heap},
        {"of_struct", of_struct},
        {"of_column", of_column},
        {"of_bytes", of_bytes},
        {"of_contiguous", of_contiguous},
        {"of_long_double", of_long_double},
        {"of_complex", of_complex},
        {"of_long_complex", of_long_complex},
        {"of_signed_char", of_signed_char},
        {"of_uint8", of_uint8},
        {"of_char", of_char},
        {"of_text", of_text},
        {"of_bool", of_bool},
        {"of_uint64", of_uint64},
        {"of_scalar", of_scalar},
        {"of_nan", of_nan},
        {"of_nobody", of_nobody},
        {"of_partition", of_partition},
        {"of_read", of_read},
        {"of_collective", of_collective},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (argc > 1 && strcmp(all[i].name, argv[1]) == 0)
            all[i].run();
    MPI_Finalize();
    return 0;
}
