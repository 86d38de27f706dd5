/* SPDX-License-Identifier: BSD-3-Clause */
/* See resolve.h. */
#include "resolve.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "functions.h"
#include "names.h"
#include "scopes.h"
#include "stack.h"

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
    if (!line || dwarf_linecol(line, &p->column) != 0)
        p->column = 0;
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
    Dwarf_Word column = 0;
    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attribute), &column);
    p->column = (int)column;
    if (name)
        set_line(p, name, (int)line);
    return name;
}

/* ---- the functions around an address ---- */

/* The inline functions of MPI's C++ bindings are no place of the program. */
static bool is_binding(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return file && strcmp(slash ? slash + 1 : file, "mpicxx.h") == 0;
}

static void describe(struct sched_place *p, const struct sched_function_facts *facts, Dwarf_Addr address)
{
    p->name = facts->name ? sched_strdup(facts->name) : NULL;
    if (!facts->key)
        return;
    p->function = (struct sched_function){.key = sched_strdup(facts->key),
                                          .here = p->file,
                                          .lines = facts->lines,
                                          .calls = facts->calls,
                                          .parameters = facts->parameters};
    p->loops = sched_function_loops(facts, address, p->line);
}

static struct sched_place *add_place(struct sched_place **places, size_t *n)
{
    *places = sched_grow(*places, *n + 1, sizeof **places);
    struct sched_place *p = &(*places)[(*n)++];
    *p = (struct sched_place){0};
    return p;
}

static void find_in_unit(struct sched_place **places, size_t *n, struct sched_scopes *scopes, Dwarf_Die *unit,
                         Dwarf_Addr address)
{
    struct sched_scope *functions[SCHED_SCOPES_DEEPEST];
    int n_functions = sched_scopes_around(scopes, unit, address, functions);
    struct sched_place *p = add_place(places, n);
    place_of_line(p, unit, address);
    for (int i = 0; i < n_functions; i++) {
        bool left = is_binding(p->file) && place_of_call(p, unit, &functions[i]->die);
        if (left)
            continue;
        describe(p, sched_scope_facts(functions[i], unit), address);
        if (i + 1 == n_functions)
            break;
        p = add_place(places, n);
        if (!place_of_call(p, unit, &functions[i]->die)) {
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
        find_in_unit(&places, n, sched_module_scopes(module), unit, address - bias);
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
