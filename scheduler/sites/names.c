/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See names.h. The demangler is the C++ library's: it is loaded when the first such symbol is met, since isp
 * itself is in C, and where programs in C++ run it is there. Without it a symbol stays as it is.
 */
#include "names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- by debug information ---- */

/* The declaration in a class, or the abstract function that was inlined, has the scopes. */
static Dwarf_Die *declaration(Dwarf_Die *die, Dwarf_Die *memory)
{
    static const unsigned ways[] = {DW_AT_abstract_origin, DW_AT_specification};
    *memory = *die;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Die next;
        if (dwarf_attr(memory, ways[i], &attribute) && dwarf_formref_die(&attribute, &next))
            *memory = next;
    }
    return memory;
}

static bool is_class(int tag)
{
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* A closure has no name (clang), or one that none else can have (gcc). */
static bool is_lambda(Dwarf_Die *scope)
{
    const char *name = dwarf_diename(scope);
    return is_class(dwarf_tag(scope)) && (!name || strncmp(name, "<lambda", 7) == 0);
}

bool sched_name_closure(Dwarf_Die *function, Dwarf_Die *closure)
{
    Dwarf_Die memory, *scopes = NULL;
    int n = dwarf_getscopes_die(declaration(function, &memory), &scopes);
    bool is = n > 1 && is_lambda(&scopes[1]);
    if (is)
        *closure = scopes[1];
    free(scopes);
    return is;
}

static const char *scope_name(Dwarf_Die *scope)
{
    int tag = dwarf_tag(scope);
    const char *name = dwarf_diename(scope);
    if (is_lambda(scope))
        return "lambda";
    if (tag == DW_TAG_namespace && !name)
        return "(anonymous namespace)";
    bool names = tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_subprogram || is_class(tag);
    return names ? name : NULL;
}

static void prepend(char **name, const char *scope)
{
    char *longer = sched_format("%s::%s", scope, *name);
    free(*name);
    *name = longer;
}

char *sched_name_of_die(Dwarf_Die *function)
{
    Dwarf_Die memory, *die = declaration(function, &memory), *scopes = NULL;
    const char *own = dwarf_diename(function);
    int n = dwarf_getscopes_die(die, &scopes);
    bool lambda = n > 1 && is_lambda(&scopes[1]);
    char *name = own || lambda ? sched_strdup(lambda ? "lambda" : own) : NULL;
    for (int i = lambda ? 2 : 1; name && i < n; i++) {
        const char *scope = scope_name(&scopes[i]);
        bool in_main = scope && !lambda && dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
        if (scope &&
            !in_main) /* a function in a program of Fortran, or in one of GNU C, has a name of its own */
            prepend(&name, scope);
    }
    free(scopes);
    return name;
}

/* ---- by symbol ---- */

/* "__strip_MOD_diagnose" */
static char *fortran_name(const char *symbol)
{
    const char *mod = strncmp(symbol, "__", 2) == 0 ? strstr(symbol + 2, "_MOD_") : NULL;
    return mod && mod > symbol + 2 && mod[5]
               ? sched_format("%.*s::%s", (int)(mod - symbol - 2), symbol + 2, mod + 5)
               : NULL;
}

static char *demangle(const char *symbol)
{
    static char *(*function)(const char *, char *, size_t *, int *);
    static void *library; /* for good */
    static bool tried;
    if (strncmp(symbol, "_Z", 2) != 0)
        return NULL;
    if (!tried) {
        library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        void *found = library ? dlsym(library, "__cxa_demangle") : NULL;
        memcpy(&function, &found, sizeof function);
    }
    tried = true;
    return function ? function(symbol, NULL, NULL, NULL) : NULL;
}

/* How deep the brackets are behind this character. */
static int depth_behind(int depth, char c)
{
    return strchr("<({[", c) ? depth + 1 : strchr(">)}]", c) ? depth - 1 : depth;
}

/* The name in "void mpi::Channel<int, 4>::send<char>(char const*, int) const": behind the type of its
 * result, before its parameters. Operators are left alone, since their names have all such characters. */
static char *without_types(char *full)
{
    static const char anonymous[] = "(anonymous namespace)";
    char *begin = full, *end = full + strlen(full);
    int depth = 0;
    if (strstr(full, "operator"))
        return full;
    for (char *p = full; *p; depth = depth_behind(depth, *p++)) {
        if (depth == 0 && strncmp(p, anonymous, strlen(anonymous)) == 0)
            p += strlen(anonymous);
        if (depth == 0 && *p == ' ')
            begin = p + 1;
        if (depth == 0 && *p == '(') {
            end = p;
            break;
        }
    }
    char *name = sched_format("%.*s", (int)(end - begin), begin);
    free(full);
    return name;
}

char *sched_name_of_symbol(const char *symbol)
{
    char *name = fortran_name(symbol), *full = name ? NULL : demangle(symbol);
    if (full)
        name = without_types(full);
    return name ? name : sched_strdup(symbol);
}

/* ---- parts of names ---- */

size_t sched_name_scope(const char *name)
{
    const char *plain = sched_name_plain(name);
    return plain > name ? (size_t)(plain - name) - 2 : 0;
}

const char *sched_name_plain(const char *name)
{
    const char *plain = name;
    int depth = 0;
    for (const char *p = name; *p; depth = depth_behind(depth, *p++)) {
        if (depth == 0 && strncmp(p, "operator", 8) == 0 && !isalnum((unsigned char)p[8]))
            return p;
        if (depth == 0 && p[0] == ':' && p[1] == ':')
            plain = p + 2;
    }
    return plain;
}
