/* SPDX-License-Identifier: BSD-3-Clause */
#include "variable_types.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "variables.h"

bool sched_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type) &&
           dwarf_peel_type(type, type) == 0;
}

char *sched_type_names_around(Dwarf_Die *die)
{
    Dwarf_Die *scopes = NULL;
    int n = dwarf_getscopes_die(die, &scopes);
    char *path = sched_strdup("");
    for (int i = 1; i < n; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *name = dwarf_diename(&scopes[i]);
        if (!name || (tag != DW_TAG_namespace && tag != DW_TAG_class_type && tag != DW_TAG_structure_type &&
                      tag != DW_TAG_module))
            continue;
        char *longer = sched_format("%s::%s", name, path);
        free(path);
        path = longer;
    }
    free(scopes);
    return path;
}

static void append(struct sched_variable *v, char *more)
{
    char *longer = sched_format("%s%s", v->name, more);
    free(v->name);
    free(more);
    v->name = longer;
}

static uint64_t bytes_of(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

/* A class without members, such as an allocator: where one is derived from it, it takes no room. */
static bool is_empty(Dwarf_Die *type)
{
    Dwarf_Die child, its_type;
    if (dwarf_child(type, &child) != 0)
        return true;
    do
        if (dwarf_tag(&child) == DW_TAG_member || (dwarf_tag(&child) == DW_TAG_inheritance &&
                                                   sched_type_of(&child, &its_type) && !is_empty(&its_type)))
            return false;
    while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

/* The member there, and what is left; false: there is none. */
static bool find_member(Dwarf_Die *type, Dwarf_Die *member, Dwarf_Die *its_type, uint64_t *behind)
{
    if (dwarf_child(type, member) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word at = 0;
        int tag = dwarf_tag(member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !sched_type_of(member, its_type) ||
            (tag == DW_TAG_inheritance && is_empty(its_type)))
            continue;
        if (dwarf_attr(member, DW_AT_data_member_location, &attribute) &&
            dwarf_formudata(&attribute, &at) != 0)
            continue;
        if (*behind >= at && *behind - at < bytes_of(its_type)) {
            *behind -= at;
            return true;
        }
    } while (dwarf_siblingof(member, member) == 0);
    return false;
}

enum { DIMENSIONS_MOST = 15 };

struct dimension {
    int64_t lower;
    uint64_t n; /* 0: not known */
};

static bool is_fortran(Dwarf_Die *die)
{
    Dwarf_Die unit;
    Dwarf_Attribute attribute;
    Dwarf_Word language = 0;
    if (dwarf_diecu(die, &unit, NULL, NULL))
        dwarf_formudata(dwarf_attr(&unit, DW_AT_language, &attribute), &language);
    return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 || language == DW_LANG_Fortran95 ||
           language == DW_LANG_Fortran03 || language == DW_LANG_Fortran08;
}

static struct dimension dimension_of(Dwarf_Die *range, bool fortran)
{
    Dwarf_Attribute attribute;
    Dwarf_Sword lower = fortran, upper;
    Dwarf_Word n = 0;
    dwarf_formsdata(dwarf_attr(range, DW_AT_lower_bound, &attribute), &lower);
    if (dwarf_attr(range, DW_AT_count, &attribute))
        dwarf_formudata(&attribute, &n);
    else if (dwarf_attr(range, DW_AT_upper_bound, &attribute) && dwarf_formsdata(&attribute, &upper) == 0 &&
             upper >= lower)
        n = (Dwarf_Word)(upper - lower) + 1;
    return (struct dimension){lower, n};
}

/* C: x[2][3], the last index is the fastest; Fortran: x(3,2), the first one is. What varies slowest may be of
 * any length. False: another length is not known. */
static bool append_indices(struct sched_variable *v, const struct dimension *all, int n, uint64_t index,
                           bool fortran)
{
    int64_t at[DIMENSIONS_MOST];
    for (int i = 0; i < n; i++) { /* the fastest first */
        int d = fortran ? i : n - 1 - i;
        bool last = i == n - 1;
        if (!last && !all[d].n)
            return false;
        at[d] = all[d].lower + (int64_t)(last ? index : index % all[d].n);
        index = last ? 0 : index / all[d].n;
    }
    for (int d = 0; d < n; d++)
        append(v, fortran ? sched_format("%s%" PRId64 "%s", d ? "," : "(", at[d], d == n - 1 ? ")" : "")
                          : sched_format("[%" PRId64 "]", at[d]));
    return true;
}

/* Of an array in which dimensions have no known length the element has no number. */
static bool find_element(Dwarf_Die *array, Dwarf_Die *element, uint64_t *behind, struct sched_variable *v)
{
    Dwarf_Die range;
    struct dimension all[DIMENSIONS_MOST];
    int n = 0;
    bool fortran = is_fortran(array);
    if (!sched_type_of(array, element) || !bytes_of(element) || dwarf_child(array, &range) != 0)
        return false;
    do
        if (dwarf_tag(&range) == DW_TAG_subrange_type && n < DIMENSIONS_MOST)
            all[n++] = dimension_of(&range, fortran);
    while (dwarf_siblingof(&range, &range) == 0);
    uint64_t index = *behind / bytes_of(element);
    *behind %= bytes_of(element);
    append_indices(v, all, n, index, fortran);
    return true;
}

static enum sched_value_kind kind_of(Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    int tag = dwarf_tag(type);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type)
        return SCHED_VALUE_POINTER;
    if (tag == DW_TAG_enumeration_type)
        return SCHED_VALUE_SIGNED;
    dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    switch (encoding) {
    case DW_ATE_signed:
    case DW_ATE_signed_char: return SCHED_VALUE_SIGNED;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean: return SCHED_VALUE_UNSIGNED;
    case DW_ATE_float: return SCHED_VALUE_FLOAT;
    default: return SCHED_VALUE_BYTES;
    }
}

void sched_type_describe(Dwarf_Die *type, uint64_t behind, struct sched_variable *v)
{
    Dwarf_Die at = *type, member, inner;
    for (;;) {
        int tag = dwarf_tag(&at);
        if (tag == DW_TAG_array_type && find_element(&at, &inner, &behind, v)) {
            at = inner;
            continue;
        }
        if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type)
            break;
        const char *name = dwarf_diename(&at);
        v->is_status |= name && strcmp(name, "MPI_Status") == 0;
        if (!find_member(&at, &member, &inner, &behind))
            break;
        name = dwarf_diename(&member);
        if (name && dwarf_tag(&member) == DW_TAG_member)
            append(v, sched_format(".%s", name));
        at = inner;
    }
    v->kind = kind_of(&at);
    v->before = behind;
    v->bytes = bytes_of(&at);
    v->type = at;
}

/* An array of what it leads to, if it is that far. */
bool sched_variable_behind(struct sched_variable *v, uint64_t distance)
{
    Dwarf_Die type;
    if (v->kind != SCHED_VALUE_POINTER || v->before || !sched_type_of(&v->type, &type))
        return false;
    uint64_t size = bytes_of(&type);
    int tag = dwarf_tag(&type);
    bool is_class = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    if (is_class && distance < size) {
        append(v, sched_strdup("->"));
        sched_type_describe(&type, distance, v);
        char *dot = strstr(v->name, "->.");
        if (dot)
            memmove(dot + 2, dot + 3, strlen(dot + 3) + 1);
    } else if (size) {
        append(v, sched_format("[%" PRIu64 "]", distance / size));
        sched_type_describe(&type, distance % size, v);
    }
    return size > 0;
}
