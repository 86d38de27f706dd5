/* SPDX-License-Identifier: BSD-3-Clause */
/* See lines.h. */
#include "lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "session.h"

enum { INSTRUCTION_MOST = 15 }; /* bytes */

/* One that jumps, calls, or finds its data by where it stands does not do the same elsewhere. */
static unsigned movable(const json_t *instruction)
{
    static const char *const fixed[] = {"j", "call", "loop", "bnd", "notrack", "xbegin"};
    const char *opcodes = sched_mi_text(instruction, "opcodes"), *text = sched_mi_text(instruction, "inst");
    if (!opcodes || !text || strstr(text, "rip"))
        return 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strncmp(text, fixed[i], strlen(fixed[i])) == 0)
            return 0;
    size_t bytes = (strlen(opcodes) + 1) / 3; /* "48 89 e5" */
    return bytes <= INSTRUCTION_MOST ? (unsigned)bytes : 0;
}

/* Its first bytes; "48 89 e5" is followed by those of the next instruction. */
static void take_code(struct sched_gdb_line *line, const json_t *code, size_t at)
{
    size_t n = 0;
    for (; n < sizeof line->code && at < json_array_size(code); at++) {
        const char *text = sched_mi_text(json_array_get(code, at), "opcodes");
        for (; text && *text && n < sizeof line->code; text += strcspn(text, " "), text += *text == ' ')
            line->code[n++] = (uint8_t)strtoul(text, NULL, 16);
    }
}

static uint64_t address_of(const json_t *object, const char *name)
{
    unsigned long long address = 0;
    sched_mi_number(object, name, &address);
    return address;
}

/* Lengths of those that begin where an instruction does; the others are none. */
static size_t take_lengths(struct sched_gdb_line *lines, size_t n, const json_t *code)
{
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        while (at < json_array_size(code) &&
               address_of(json_array_get(code, at), "address") < lines[i].address)
            at++;
        const json_t *instruction = json_array_get(code, at);
        if (!instruction || address_of(instruction, "address") != lines[i].address)
            continue;
        lines[kept] = lines[i];
        take_code(&lines[kept], code, at);
        lines[kept++].length = movable(instruction);
    }
    return kept;
}

static int by_address(const void *a, const void *b)
{
    const struct sched_gdb_line *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Of the table of a file, those of the function. Of several at one address the last one counts, as for
 * gdb. */
static size_t choose(struct sched_gdb_line *lines, const json_t *table, uint64_t low, uint64_t high)
{
    size_t n = 0, kept = 0, i;
    json_t *row;
    json_array_foreach (table, i, row) {
        uint64_t address = address_of(row, "pc");
        if (address >= low && address < high)
            lines[n++] = (struct sched_gdb_line){.address = address, .line = sched_mi_int(row, "line", 0)};
    }
    qsort(lines, n, sizeof *lines, by_address);
    int last = 0;
    for (i = 0; i < n; i++) {
        bool again = i + 1 < n && lines[i + 1].address == lines[i].address;
        bool stays = !again && lines[i].address > low && lines[i].line > 0 && lines[i].line != last;
        if (!again)
            last = lines[i].line;
        if (stays)
            lines[kept++] = lines[i];
    }
    return kept;
}

struct sched_gdb_line *sched_gdb_lines(struct sched_gdb *g, const char *file, uint64_t pc, size_t *n)
{
    char *quoted = sched_mi_quote(file);
    json_t *function = sched_gdb_call(g, "-data-disassemble -a %#" PRIx64 " -- 2", pc);
    json_t *table = function ? sched_gdb_call(g, "-symbol-list-lines %s", quoted) : NULL;
    const json_t *code = json_object_get(function, "asm_insns"), *rows = json_object_get(table, "lines");
    size_t last = json_array_size(code);
    struct sched_gdb_line *lines = sched_alloc(json_array_size(rows) + 1, sizeof *lines);
    *n = last ? choose(lines, rows, address_of(json_array_get(code, 0), "address"),
                       address_of(json_array_get(code, last - 1), "address") + 1)
              : 0;
    *n = take_lengths(lines, *n, code);
    json_decref(function);
    json_decref(table);
    free(quoted);
    return lines;
}

struct sched_gdb_line sched_gdb_line_at(struct sched_gdb *g, uint64_t pc)
{
    json_t *values = sched_gdb_call(g, "-data-disassemble -s %#" PRIx64 " -e %#" PRIx64 " -- 2", pc, pc + 2);
    const json_t *code = json_object_get(values, "asm_insns");
    struct sched_gdb_line line = {.address = pc};
    line.length = movable(json_array_get(code, 0));
    take_code(&line, code, 0);
    json_decref(values);
    return line;
}
