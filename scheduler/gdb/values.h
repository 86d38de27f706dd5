/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is in a rank's memory, in the language of the frame (C, C++, Fortran). `level` is that of a
 * sched_gdb_frame of the chosen thread. Whatever gdb says of an expression that it does not understand is in
 * sched_gdb_error.
 */
#ifndef SCHED_GDB_VALUES_H
#define SCHED_GDB_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sched_gdb;

struct sched_gdb_value {
    char *name;   /* "x"; of a part: "next", "[3]", "private" */
    char *value;  /* as gdb prints it; of what has parts a short form of it */
    char *type;   /* may be "" */
    char *handle; /* for sched_gdb_parts, until the rank moves; NULL: it has no parts */
    bool is_argument;
};

/* What gdb's `print` prints behind "=". Caller frees. An expression may have effects: x = 3. */
char *sched_gdb_evaluate(struct sched_gdb *g, int level, const char *expression);
/* The same with its parts. */
bool sched_gdb_value(struct sched_gdb *g, int level, const char *expression, struct sched_gdb_value *value);
/* Of one that is a number or an address: `format` with the expression in it, as "sizeof (%s)". */
bool sched_gdb_number(struct sched_gdb *g, int level, const char *format, const char *expression,
                      uint64_t *number);
/* Where one lies in memory, and how many bytes it has. */
bool sched_gdb_place(struct sched_gdb *g, int level, const char *expression, uint64_t *address,
                     uint64_t *size);
/* Arguments and local variables, without those that an inner block hides. */
struct sched_gdb_value *sched_gdb_variables(struct sched_gdb *g, int level, size_t *n);
/* The parts from `from` on, at most `most` of them. */
struct sched_gdb_value *sched_gdb_parts(struct sched_gdb *g, const char *handle, size_t from, size_t most,
                                        size_t *n);
void sched_gdb_value_finish(struct sched_gdb_value *value);
void sched_gdb_values_destroy(struct sched_gdb_value *values, size_t n);

/* All of these bytes, or false. */
bool sched_gdb_read(struct sched_gdb *g, uint64_t address, void *data, size_t size);
bool sched_gdb_write(struct sched_gdb *g, uint64_t address, const void *data, size_t size);
/* An integer register by gdb's name: "pc", "sp", "rax". */
bool sched_gdb_register(struct sched_gdb *g, int level, const char *name, uint64_t *value);

#endif
