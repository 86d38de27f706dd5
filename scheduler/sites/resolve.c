/* SPDX-License-Identifier: BSD-3-Clause */
/* See resolve.h. */
#include "resolve.h"

#include <dwarf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "names.h"
#include "stack.h"

enum { LINES_MOST = 1024, RANGES_MOST = 64, DEEPEST = 32 };

/* ---- lines ---- */

static void set_line(struct sched_place *p, const char *file, int line)
{
    free(p->file);
    p->file = sched_strdup(file);
    p->line = line > 0 ? line : 0;
}

static void place_of_line(struct sched_place *p, Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    int number = 0;
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0)
        set_line(p, file, number);
}

/* Where this inlined function was called. False if it is not inlined, or that is unknown. */
static bool place_of_call(struct sched_place *p, Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Files *files;
    if (dwarf_tag(inlined) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_getsrcfiles(unit, &files, NULL) != 0)
        return false;
    const char *name = dwarf_filesrc(files, file, NULL, NULL);
    if (name)
        set_line(p, name, (int)line);
    return name;
}

/* ---- what a function is ---- */

struct ranges {
    struct {
        Dwarf_Addr from, to;
    } all[RANGES_MOST];
    size_t n;
};

static void ranges_of(struct ranges *r, Dwarf_Die *die)
{
    Dwarf_Addr base, from, to;
    *r = (struct ranges){.n = 0};
    for (ptrdiff_t at = 0; r->n < RANGES_MOST && (at = dwarf_ranges(die, at, &base, &from, &to)) > 0;
         r->n++) {
        r->all[r->n].from = from;
        r->all[r->n].to = to;
    }
}

static bool is_inside(const struct ranges *r, Dwarf_Addr address)
{
    for (size_t i = 0; i < r->n; i++)
        if (address >= r->all[i].from && address < r->all[i].to)
            return true;
    return false;
}

/* Lines that have code of the function. Code behind the place that belongs to a line before it is that of a
 * loop, which steps or asks its condition there. */
static void look_at_lines(struct sched_place *p, Dwarf_Die *unit, Dwarf_Die *die, Dwarf_Addr address,
                          const char *file, int begin)
{
    bool seen[LINES_MOST] = {false};
    struct ranges ranges;
    Dwarf_Lines *lines;
    size_t n;
    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return;
    ranges_of(&ranges, die);
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        Dwarf_Addr at;
        int line;
        if (dwarf_lineaddr(row, &at) != 0 || !is_inside(&ranges, at) || dwarf_lineno(row, &line) != 0 ||
            line < begin)
            continue;
        const char *source = dwarf_linesrc(row, NULL, NULL);
        if (!source || (source != file && strcmp(source, file) != 0))
            continue;
        p->loops |= at > address && line > begin && line < p->line;
        int k = line - begin < LINES_MOST ? line - begin : LINES_MOST - 1;
        p->function.lines += !seen[k];
        seen[k] = true;
    }
}

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

static void describe(struct sched_place *p, Dwarf_Die *unit, Dwarf_Die *die, Dwarf_Addr address)
{
    int line = 0;
    const char *file = declared_at(unit, die, &line);
    p->name = sched_name_of_die(die);
    if (!file)
        return;
    p->function.key = sched_format("%s:%d", file, line);
    p->function.here = p->file;
    p->function.parameters = parameters_of(die);
    p->function.calls = calls_of(die, 0);
    if (!p->function.calls && dwarf_tag(die) == DW_TAG_inlined_subroutine)
        p->function.calls = UINT_MAX; /* clang lists them elsewhere */
    look_at_lines(p, unit, die, address, file, line);
}

/* ---- the functions around an address ---- */

/* The inline functions of MPI's C++ bindings are no place of the program. */
static bool is_binding(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return file && strcmp(slash ? slash + 1 : file, "mpicxx.h") == 0;
}

static bool has_functions(Dwarf_Die *die)
{
    static const int tags[] = {DW_TAG_subprogram, DW_TAG_namespace,      DW_TAG_module,
                               DW_TAG_class_type, DW_TAG_structure_type, DW_TAG_union_type};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (dwarf_tag(die) == tags[i])
            return true;
    return false;
}

/* The function that has the address, in whatever it is: libdw's own search knows no modules of Fortran, and
 * no functions that are declared in others. */
static bool find_function(Dwarf_Die *scope, Dwarf_Addr address, Dwarf_Die *found, int depth)
{
    Dwarf_Die child;
    for (int more = dwarf_child(scope, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        bool here = dwarf_tag(&child) == DW_TAG_subprogram && dwarf_haspc(&child, address) > 0;
        if (here)
            *found = child;
        if (here ||
            (depth < DEEPEST && has_functions(&child) && find_function(&child, address, found, depth + 1)))
            return true;
    }
    return false;
}

/* The next inlined function around the address, below this one. */
static bool find_inlined(Dwarf_Die *scope, Dwarf_Addr address, Dwarf_Die *found, int depth)
{
    Dwarf_Die child;
    for (int more = dwarf_child(scope, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
            dwarf_haspc(&child, address) <= 0)
            continue;
        *found = child;
        return tag == DW_TAG_inlined_subroutine ||
               (depth < DEEPEST && find_inlined(&child, address, found, depth + 1));
    }
    return false;
}

/* The innermost function and those that it is inlined in; at most DEEPEST. Returns how many. */
static int functions_around(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *functions)
{
    Dwarf_Die outer[DEEPEST];
    int n = 0;
    if (find_function(unit, address, &outer[0], 0))
        n = 1;
    while (n > 0 && n < DEEPEST && find_inlined(&outer[n - 1], address, &outer[n], 0))
        n++;
    for (int i = 0; i < n; i++)
        functions[i] = outer[n - 1 - i];
    return n;
}

static struct sched_place *add_place(struct sched_place **places, size_t *n)
{
    *places = sched_grow(*places, *n + 1, sizeof **places);
    struct sched_place *p = &(*places)[(*n)++];
    *p = (struct sched_place){0};
    return p;
}

static void find_in_unit(struct sched_place **places, size_t *n, Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Die functions[DEEPEST];
    int n_functions = functions_around(unit, address, functions);
    struct sched_place *p = add_place(places, n);
    place_of_line(p, unit, address);
    for (int i = 0; i < n_functions; i++) {
        bool left = is_binding(p->file) && place_of_call(p, unit, &functions[i]);
        if (left)
            continue;
        describe(p, unit, &functions[i], address);
        if (i + 1 == n_functions)
            break;
        p = add_place(places, n);
        if (!place_of_call(p, unit, &functions[i])) {
            --*n;
            break;
        }
    }
}

static void drop(struct sched_place *p)
{
    free(p->file);
    free(p->folder);
    free(p->name);
    free(p->function.key);
}

/* The compiler may have inlined the beginning of a function, and then the rest into that: no recursion. (Of
 * one that recurs there are other frames.) */
static void join_parts(struct sched_place *places, size_t *n)
{
    size_t kept = 1;
    for (size_t i = 1; i < *n; i++) {
        const char *key = places[i].function.key, *inner = places[kept - 1].function.key;
        if (key && inner && strcmp(key, inner) == 0)
            drop(&places[i]);
        else
            places[kept++] = places[i];
    }
    *n = kept;
}

/* A line of Python: "function:file" (isp/wire.h). */
static struct sched_place *place_in_python(const char *name, int line, bool *is_main)
{
    struct sched_place *p = sched_alloc(1, sizeof *p);
    size_t length = strcspn(name, ":");
    p->file = sched_strdup(name[length] ? name + length + 1 : name);
    p->name = sched_must(strndup(name, length));
    p->line = line;
    p->function.key = sched_strdup(name);
    *is_main = strcmp(p->name, "<module>") == 0;
    return p;
}

struct sched_place *sched_resolve_address(struct sched_module *module, Dwarf_Addr address, size_t *n,
                                          bool *is_main)
{
    struct sched_place *places = NULL;
    Dwarf_Attribute attribute;
    Dwarf_Addr bias = 0;
    *n = 0;
    *is_main = false;
    const char *python = sched_module_python(module->path);
    if (python) {
        *n = 1;
        return place_in_python(python, (int)address, is_main);
    }
    bool readable = sched_module_open(module);
    Dwarf_Die *unit = readable ? sched_module_unit(module, address, &bias) : NULL;
    const char *symbol = readable ? sched_module_symbol(module, address) : NULL,
               *folder = unit ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
    if (unit)
        find_in_unit(&places, n, unit, address - bias);
    else
        add_place(&places, n);
    join_parts(places, n);
    struct sched_place *outer = &places[*n - 1];
    if (symbol && !outer->name)
        outer->name = sched_name_of_symbol(symbol);
    /* MAIN__: of a program in Fortran */
    *is_main = symbol && (strcmp(symbol, "main") == 0 || strcmp(symbol, "MAIN__") == 0);
    for (size_t i = 0; i < *n; i++) {
        struct sched_place *p = &places[i];
        p->folder = folder ? sched_strdup(folder) : NULL;
        if (!p->function.key)
            p->function.key = p->name ? sched_format("%s %s", module->path, p->name)
                                      : sched_format("%s %" PRIx64, module->path, (uint64_t)address);
    }
    return places;
}

void sched_resolve_destroy(struct sched_place *places, size_t n)
{
    for (size_t i = 0; i < n; i++)
        drop(&places[i]);
    free(places);
}
