/* SPDX-License-Identifier: BSD-3-Clause */
/* See functions.h. */
#include "functions.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "names.h"

enum { LINES_MOST = 1024, RANGES_MOST = 64, DEEPEST = 32 };

/* A line, and the last address of code that belongs to it or to one before it. */
struct sched_function_line {
    int line;
    Dwarf_Addr last;
};

/* ---- what its tree says ---- */

static unsigned parameters_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Die origin, child;
    unsigned n = 0;
    if (dwarf_attr(die, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &origin))
        die = &origin;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child))
        n += dwarf_tag(&child) == DW_TAG_formal_parameter;
    return n;
}

/* Where the function is declared; a lambda, which itself is not, where its closure is. NULL: unknown. */
static const char *declared_at(Dwarf_Die *unit, Dwarf_Die *die, int *line)
{
    Dwarf_Die closure;
    Dwarf_Files *files;
    if (dwarf_decl_line(die, line) != 0) {
        if (!sched_name_closure(die, &closure) || dwarf_decl_line(&closure, line) != 0)
            return NULL;
        die = &closure;
    }
    /* libdw takes the file with the number 0 for none, which it was before DWARF 5 */
    const char *file = dwarf_decl_file(die);
    return file || dwarf_getsrcfiles(unit, &files, NULL) != 0 ? file : dwarf_filesrc(files, 0, NULL, NULL);
}

/* Calls in its code, with what is inlined there; 0: not known (without optimization). */
static unsigned calls_of(Dwarf_Die *die, int depth)
{
    Dwarf_Die child;
    unsigned n = 0;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        n += tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && depth < DEEPEST)
            n += calls_of(&child, depth + 1);
    }
    return n;
}

/* ---- its lines ---- */

struct text {
    struct sched_function_facts *facts;
    const char *file;
    bool seen[LINES_MOST];
};

static void see_row(struct text *t, Dwarf_Line *row)
{
    struct sched_function_facts *f = t->facts;
    Dwarf_Addr at;
    int line;
    if (dwarf_lineaddr(row, &at) != 0 || dwarf_lineno(row, &line) != 0 || line < f->begin)
        return;
    const char *source = dwarf_linesrc(row, NULL, NULL);
    if (!source || (source != t->file && strcmp(source, t->file) != 0))
        return;
    int k = line - f->begin < LINES_MOST ? line - f->begin : LINES_MOST - 1;
    f->lines += !t->seen[k];
    t->seen[k] = true;
    if (line == f->begin)
        return;
    SCHED_GROW(f->code, f->n_code);
    f->code[f->n_code++] = (struct sched_function_line){line, at};
}

/* The first row at or behind the address: libdw has them by address. */
static size_t first_row(Dwarf_Lines *lines, size_t n, Dwarf_Addr address)
{
    size_t from = 0;
    while (from < n) {
        size_t middle = from + (n - from) / 2;
        Dwarf_Addr at;
        if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at) == 0 && at < address)
            from = middle + 1;
        else
            n = middle;
    }
    return from;
}

static int by_line(const void *a, const void *b)
{
    const struct sched_function_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static void sort_code(struct sched_function_facts *f)
{
    size_t n = 0;
    if (f->n_code)
        qsort(f->code, f->n_code, sizeof *f->code, by_line);
    for (size_t i = 0; i < f->n_code; i++) {
        struct sched_function_line *last = n ? &f->code[n - 1] : NULL, here = f->code[i];
        if (last && last->last > here.last)
            here.last = last->last;
        f->code[last && last->line == here.line ? n - 1 : n++] = here;
    }
    f->n_code = n;
}

static void see_lines(struct sched_function_facts *f, Dwarf_Die *unit, Dwarf_Die *die, const char *file)
{
    struct text text = {.facts = f, .file = file};
    Dwarf_Lines *lines;
    Dwarf_Addr base, from, to, at;
    size_t n;
    ptrdiff_t next = 0;
    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return;
    for (int k = 0; k < RANGES_MOST && (next = dwarf_ranges(die, next, &base, &from, &to)) > 0; k++)
        for (size_t i = first_row(lines, n, from); i < n; i++) {
            Dwarf_Line *row = dwarf_onesrcline(lines, i);
            if (dwarf_lineaddr(row, &at) != 0 || at >= to)
                break;
            see_row(&text, row);
        }
    sort_code(f);
}

bool sched_function_loops(const struct sched_function_facts *f, Dwarf_Addr address, int line)
{
    size_t from = 0, to = f->n_code;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (f->code[middle].line < line)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 && f->code[from - 1].last > address;
}

/* ---- all of it ---- */

struct sched_function_facts *sched_function_facts_create(Dwarf_Die *unit, Dwarf_Die *function)
{
    struct sched_function_facts *f = sched_alloc(1, sizeof *f);
    const char *file = declared_at(unit, function, &f->begin);
    f->name = sched_name_of_die(function);
    if (!file)
        return f;
    f->key = sched_format("%s:%d", file, f->begin);
    f->parameters = parameters_of(function);
    f->calls = calls_of(function, 0);
    if (!f->calls && dwarf_tag(function) == DW_TAG_inlined_subroutine)
        f->calls = UINT_MAX; /* clang lists them elsewhere */
    see_lines(f, unit, function, file);
    return f;
}

void sched_function_facts_destroy(struct sched_function_facts *f)
{
    if (!f)
        return;
    free(f->name);
    free(f->key);
    free(f->code);
    free(f);
}
