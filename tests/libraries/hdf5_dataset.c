/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes one dataset of a parallel HDF5 file from all ranks, and reads it back: rows
 * collectively, then columns independently, so that every rank reads what the others
 * wrote. The file is made in the working directory and removed. Prints one line.
 */
#include <mpi.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, COLUMNS = 12 };
static const char *const name = "dataset.h5";

/* Calls of HDF5 return a negative number on failure; its own message is on stderr. */
static hid_t must(hid_t result)
{
    if (result < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return result;
}

static int value(hsize_t row, hsize_t column)
{
    return (int)(100 * row + column);
}

/* Reads or writes the block of `count` elements at `start`, which `block` holds by rows. */
static void transfer(hid_t set, H5FD_mpio_xfer_t mode, const hsize_t start[2], const hsize_t count[2],
                     int *block, int writes)
{
    hid_t file_space = must(H5Dget_space(set));
    must(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL));
    hid_t memory_space = must(H5Screate_simple(2, count, NULL));
    hid_t how = must(H5Pcreate(H5P_DATASET_XFER));
    must(H5Pset_dxpl_mpio(how, mode));
    if (writes)
        must(H5Dwrite(set, H5T_NATIVE_INT, memory_space, file_space, how, block));
    else
        must(H5Dread(set, H5T_NATIVE_INT, memory_space, file_space, how, block));
    H5Pclose(how);
    H5Sclose(memory_space);
    H5Sclose(file_space);
}

/* How many elements of the block are not what was written. */
static int wrong(const hsize_t start[2], const hsize_t count[2], const int *block)
{
    int bad = 0;
    for (hsize_t r = 0; r < count[0]; r++)
        for (hsize_t c = 0; c < count[1]; c++)
            bad += block[r * count[1] + c] != value(start[0] + r, start[1] + c);
    return bad;
}

static hid_t parallel_access(void)
{
    hid_t access = must(H5Pcreate(H5P_FILE_ACCESS));
    must(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
    return access;
}

static void write_file(hid_t access, const hsize_t rows_start[2], const hsize_t rows[2])
{
    int *block = malloc(sizeof *block * rows[0] * rows[1]);
    for (hsize_t r = 0; r < rows[0]; r++)
        for (hsize_t c = 0; c < rows[1]; c++)
            block[r * rows[1] + c] = value(rows_start[0] + r, rows_start[1] + c);
    hid_t file = must(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    hid_t space = must(H5Screate_simple(2, (const hsize_t[]){ROWS, COLUMNS}, NULL));
    hid_t set = must(H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    transfer(set, H5FD_MPIO_COLLECTIVE, rows_start, rows, block, 1);
    must(H5Dclose(set));
    H5Sclose(space);
    must(H5Fclose(file));
    free(block);
}

static int read_file(hid_t access, const hsize_t start[2], const hsize_t count[2], H5FD_mpio_xfer_t mode)
{
    int *block = calloc(count[0] * count[1], sizeof *block);
    hid_t file = must(H5Fopen(name, H5F_ACC_RDONLY, access));
    hid_t set = must(H5Dopen2(file, "numbers", H5P_DEFAULT));
    transfer(set, mode, start, count, block, 0);
    must(H5Dclose(set));
    must(H5Fclose(file));
    int bad = wrong(start, count, block);
    free(block);
    return bad;
}

int main(int argc, char **argv)
{
    int rank, size, bad[2], all[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (ROWS % size || COLUMNS % size)
        MPI_Abort(MPI_COMM_WORLD, 2);

    hid_t access = parallel_access();
    const hsize_t rows[2] = {ROWS / size, COLUMNS}, columns[2] = {ROWS, COLUMNS / size};
    const hsize_t my_rows[2] = {rank * rows[0], 0}, my_columns[2] = {0, rank * columns[1]};
    write_file(access, my_rows, rows);
    bad[0] = read_file(access, my_columns, columns, H5FD_MPIO_COLLECTIVE);
    bad[1] = read_file(access, my_columns, columns, H5FD_MPIO_INDEPENDENT);
    H5Pclose(access);

    MPI_Reduce(bad, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d numbers written by %d ranks; wrong: %d read collectively, %d independently\n",
               ROWS * COLUMNS, size, all[0], all[1]);
        remove(name);
    }
    MPI_Finalize();
    return 0;
}
