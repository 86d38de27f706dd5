/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What bytes are called where their rank stands: the variable of a frame that holds them, or that points to
 * the block of memory that does, down to the element or member. See why.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "why.h"

enum { DEPTH_MOST = 8, PARTS_MOST = 64 };

/* What is asked of a frame's expressions. */
struct frame {
    struct sched_gdb *g;
    int level;
    const struct sched_bytes *b;
};

static bool place_of(const struct frame *f, const char *expression, uint64_t *address, uint64_t *size)
{
    return sched_gdb_place(f->g, f->level, expression, address, size);
}

static bool holds(const struct frame *f, const char *expression, uint64_t *address, uint64_t *size)
{
    return place_of(f, expression, address, size) && f->b->address >= *address &&
           f->b->address < *address + *size;
}

/* C: x[2]; Fortran: x(3). */
static char *indexed(const char *of, bool fortran, uint64_t index)
{
    return fortran ? sched_format("%s(%" PRIu64 ")", of, index) : sched_format("%s[%" PRIu64 "]", of, index);
}

/* Of an array of one dimension at a time. NULL: it is none. */
static char *element(const struct frame *f, const char *of)
{
    for (uint64_t base = 0; base < 2; base++) { /* which is that of the first one, too */
        uint64_t address, size;
        char *first = indexed(of, base, base);
        bool known = place_of(f, first, &address, &size) && size && f->b->address >= address;
        free(first);
        if (!known)
            continue;
        char *name = indexed(of, base, base + (f->b->address - address) / size);
        if (holds(f, name, &address, &size))
            return name;
        free(name);
    }
    return NULL;
}

/* C: x.price; Fortran: x%price. */
static char *member_named(const struct frame *f, const char *of, const char *part)
{
    for (int fortran = 0; fortran < 2; fortran++) {
        uint64_t address, size;
        char *name = !fortran ? sched_format("%s.%s", of, part) : sched_format("%s%%%s", of, part);
        if (holds(f, name, &address, &size))
            return name;
        free(name);
    }
    return NULL;
}

static char *member(const struct frame *f, const char *of)
{
    struct sched_gdb_value value;
    size_t n = 0;
    char *found = NULL;
    if (!sched_gdb_value(f->g, f->level, of, &value))
        return NULL;
    struct sched_gdb_value *parts =
        value.handle ? sched_gdb_parts(f->g, value.handle, 0, PARTS_MOST, &n) : NULL;
    for (size_t i = 0; parts && i < n && !found; i++)
        if (parts[i].name && *parts[i].name != '[')
            found = member_named(f, of, parts[i].name);
    if (parts)
        sched_gdb_values_destroy(parts, n);
    sched_gdb_value_finish(&value);
    return found;
}

/* `name` holds the bytes: down to what has their size. Takes it over. */
static char *narrow(const struct frame *f, char *name)
{
    uint64_t address, size;
    for (int depth = 0; depth < DEPTH_MOST && place_of(f, name, &address, &size) && size > f->b->size;
         depth++) {
        char *part = element(f, name);
        part = part ? part : member(f, name);
        if (!part)
            break;
        free(name);
        name = part;
    }
    if (!place_of(f, name, &address, &size) || address == f->b->address)
        return name;
    char *text = sched_format("%s, byte %" PRIu64, name, f->b->address - address);
    free(name);
    return text;
}

/* A block of memory that a pointer of the program's points to. The C library tells its size in the word
 * before it. */
static char *pointed_to(const struct frame *f, const char *pointer)
{
    uint64_t block, head, size = 0;
    if (!sched_gdb_number(f->g, f->level, "(unsigned long) (%s)", pointer, &block) || !block ||
        block % 16 != 0 || f->b->address < block ||
        !sched_gdb_number(f->g, f->level, "sizeof (*%s)", pointer, &size) || !size ||
        !sched_gdb_read(f->g, block - 8, &head, sizeof head))
        return NULL;
    if (f->b->address - block >= (head & ~UINT64_C(7)) || head > UINT64_C(1) << 40)
        return NULL;
    return narrow(f, sched_format("%s[%" PRIu64 "]", pointer, (f->b->address - block) / size));
}

static char *name_among(const struct frame *f, bool blocks)
{
    size_t n = 0;
    uint64_t address, size;
    char *name = NULL;
    struct sched_gdb_value *variables = sched_gdb_variables(f->g, f->level, &n);
    for (size_t i = 0; variables && i < n && !name; i++) {
        const struct sched_gdb_value *v = &variables[i];
        bool pointer = v->type && *v->type && v->type[strlen(v->type) - 1] == '*';
        bool vector = v->type && strstr(v->type, "std::vector<");
        char *data = vector ? sched_format("%s._M_impl._M_start", v->name) : NULL;
        if (!blocks && holds(f, v->name, &address, &size))
            name = narrow(f, sched_strdup(v->name));
        else if (blocks && (pointer || vector))
            name = pointed_to(f, vector ? data : v->name);
        free(data);
    }
    if (variables)
        sched_gdb_values_destroy(variables, n);
    return name;
}

/* "total in section .bss", "field + 24 in section .data" */
static char *static_name(struct sched_gdb *g, const struct sched_bytes *b)
{
    char *question = sched_format("info symbol %#" PRIx64, b->address),
         *said = sched_gdb_console(g, question);
    char *name = NULL;
    if (said && strncmp(said, "No symbol", 9) != 0) {
        struct frame f = {g, 0, b};
        name = narrow(&f, sched_must(strndup(said, strcspn(said, " \n"))));
    }
    free(question);
    free(said);
    return name;
}

char *sched_why_name(struct sched_session *s, const struct sched_bytes *b)
{
    size_t n = 0;
    char *name = NULL;
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    for (size_t i = 0; i < 2 * n && !name; i++) { /* variables of all frames first */
        struct frame f = {g, frames[i % n].level, b};
        name = name_among(&f, i >= n);
    }
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return name || !g ? name : static_name(g, b);
}
