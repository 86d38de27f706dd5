/* SPDX-License-Identifier: BSD-3-Clause */
/* See scopes.h. */
#include "scopes.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

#include <uthash.h>

#include "base/alloc.h"

enum { DEEPEST = SCHED_SCOPES_DEEPEST };

struct sched_scope_range {
    Dwarf_Addr from, to;
    size_t scope; /* of `inside` */
};

struct unit {
    const void *key; /* where libdw has its tree */
    struct sched_scope scope;
    UT_hash_handle hh;
};

struct sched_scopes {
    struct unit *units;
};

struct sched_scopes *sched_scopes_create(void) { return sched_alloc(1, sizeof(struct sched_scopes)); }

static void finish(struct sched_scope *s)
{
    for (size_t i = 0; i < s->n_inside; i++)
        finish(&s->inside[i]);
    sched_function_facts_destroy(s->facts);
    free(s->inside);
    free(s->ranges);
}

void sched_scopes_destroy(struct sched_scopes *scopes)
{
    struct unit *u, *next;
    if (!scopes)
        return;
    HASH_ITER (hh, scopes->units, u, next) {
        HASH_DEL(scopes->units, u);
        finish(&u->scope);
        free(u);
    }
    free(scopes);
}

/* ---- what is inside ---- */

static void add(struct sched_scope *scope, Dwarf_Die *die)
{
    Dwarf_Addr base, from, to;
    size_t before = scope->n_ranges;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &from, &to)) > 0;) {
        SCHED_GROW(scope->ranges, scope->n_ranges);
        scope->ranges[scope->n_ranges++] = (struct sched_scope_range){from, to, scope->n_inside};
    }
    if (scope->n_ranges == before)
        return;
    SCHED_GROW(scope->inside, scope->n_inside);
    scope->inside[scope->n_inside++] = (struct sched_scope){.die = *die};
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

/* The functions in whatever it is: libdw's own search knows no modules of Fortran, and no functions that are
 * declared in others. */
static void add_functions(struct sched_scope *unit, Dwarf_Die *die, int depth)
{
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) == DW_TAG_subprogram)
            add(unit, &child);
        if (depth < DEEPEST && has_functions(&child))
            add_functions(unit, &child, depth + 1);
    }
}

static bool is_inlined(struct sched_scope *scope)
{
    return dwarf_tag(&scope->die) == DW_TAG_inlined_subroutine;
}

static void add_inlined(struct sched_scope *scope)
{
    Dwarf_Die child;
    for (int more = dwarf_child(&scope->die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
            add(scope, &child);
    }
}

/* ---- around an address ---- */

/* The first that has it. NULL: none. */
static struct sched_scope *inside(const struct sched_scope *scope, Dwarf_Addr address)
{
    for (size_t i = 0; i < scope->n_ranges; i++)
        if (address >= scope->ranges[i].from && address < scope->ranges[i].to)
            return &scope->inside[scope->ranges[i].scope];
    return NULL;
}

/* The next inlined function around the address, below this one. */
static struct sched_scope *find_inlined(struct sched_scope *scope, Dwarf_Addr address)
{
    for (int depth = 0; scope && depth <= DEEPEST; depth++) {
        if (!scope->is_read)
            add_inlined(scope);
        scope->is_read = true;
        scope = inside(scope, address);
        if (scope && is_inlined(scope))
            return scope;
    }
    return NULL;
}

static struct sched_scope *find_unit(struct sched_scopes *scopes, Dwarf_Die *die)
{
    const void *key = die->addr;
    struct unit *u;
    HASH_FIND_PTR(scopes->units, &key, u);
    if (u)
        return &u->scope;
    u = sched_alloc(1, sizeof *u);
    u->key = key;
    u->scope.die = *die;
    add_functions(&u->scope, die, 0);
    HASH_ADD_PTR(scopes->units, key, u);
    return &u->scope;
}

int sched_scopes_around(struct sched_scopes *scopes, Dwarf_Die *unit, Dwarf_Addr address,
                        struct sched_scope **functions)
{
    int n = 0;
    for (struct sched_scope *at = inside(find_unit(scopes, unit), address); at && n < DEEPEST;
         at = find_inlined(at, address))
        functions[n++] = at;
    for (int i = 0; i < n / 2; i++) {
        struct sched_scope *outer = functions[i];
        functions[i] = functions[n - 1 - i];
        functions[n - 1 - i] = outer;
    }
    return n;
}

const struct sched_function_facts *sched_scope_facts(struct sched_scope *function, Dwarf_Die *unit)
{
    if (!function->facts)
        function->facts = sched_function_facts_create(unit, &function->die);
    return function->facts;
}
