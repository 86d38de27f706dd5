/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See variables.h. All variables of a module are listed once, when the first one is asked for. Where one is
 * may differ from instruction to instruction (location lists); what is composed of pieces, or computed, is
 * nowhere.
 */
#include "variables.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "variable_types.h"

struct variable {
    char *name;           /* with its namespaces, classes, Fortran module */
    const char *function; /* or NULL */
    const char *file, *folder;
    int line;
    Dwarf_Die die, scope, around; /* itself; its block; its function */
    bool is_static;               /* it is at `place`, if that is known */
    struct isp_ignored place;
};

struct module {
    char *path;
    Dwarf_Addr bias;
    Dwfl_Module *mod;
    struct variable *all;
    size_t n;
};

struct sched_variables {
    struct module **modules;
    size_t n_modules;
    char **assumed;
    size_t n_assumed;
};

static struct sched_variables *variables_of(struct sched_sites *sites)
{
    struct sched_variables **v = sched_sites_variables(sites);
    if (!*v)
        *v = sched_alloc(1, sizeof **v);
    return *v;
}

void sched_variables_destroy(struct sched_variables *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->n_modules; i++) {
        struct module *m = v->modules[i];
        for (size_t k = 0; k < m->n; k++)
            free(m->all[k].name);
        free(m->all);
        free(m->path);
        free(m);
    }
    for (size_t i = 0; i < v->n_assumed; i++)
        free(v->assumed[i]);
    free(v->modules);
    free(v->assumed);
    free(v);
}

/* ---- where ---- */

static uint64_t size_of(Dwarf_Die *die)
{
    Dwarf_Die type;
    Dwarf_Word size;
    return sched_type_of(die, &type) && dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

/* One address, that does not depend on where the program stands. */
static bool place_static(const struct module *m, Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t n,
                         struct isp_ignored *place)
{
    Dwarf_Attribute address;
    Dwarf_Addr at = 0;
    if (n == 1 && ops[0].atom == DW_OP_addr)
        at = ops[0].number;
    else if (n == 1 && (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) &&
             dwarf_getlocation_attr(attribute, &ops[0], &address) == 0 && dwarf_formaddr(&address, &at) == 0)
        ;
    else if (n == 2 && (ops[0].atom == DW_OP_const8u || ops[0].atom == DW_OP_const4u) &&
             (ops[1].atom == DW_OP_form_tls_address || ops[1].atom == DW_OP_GNU_push_tls_address)) {
        place->kind = ISP_IGNORED_THREAD;
        place->at = (int64_t)ops[0].number;
        return true;
    } else
        return false;
    place->kind = ISP_IGNORED_ADDRESS;
    place->at = (int64_t)(at + m->bias);
    return true;
}

enum { X86_POINTER = 6, X86_STACK = 7 }; /* numbers in DWARF of rbp and rsp */

static bool place_by(unsigned reg, int64_t at, struct isp_ignored *place)
{
    place->kind = reg == X86_POINTER ? ISP_IGNORED_POINTER : ISP_IGNORED_STACK;
    place->at = at;
    return reg == X86_POINTER || reg == X86_STACK;
}

/* Relative to its function's frame. */
static bool place_in_frame(const struct variable *v, int64_t at, struct isp_ignored *place)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t n;
    Dwarf_Die function = v->around;
    if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1)
        return false;
    place->kind = ISP_IGNORED_FRAME;
    place->at = at;
    return ops[0].atom == DW_OP_call_frame_cfa || (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31 &&
                                                   place_by(ops[0].atom - DW_OP_reg0, at, place));
}

static bool place_local(const struct variable *v, const Dwarf_Op *ops, size_t n, struct isp_ignored *place)
{
    uint8_t atom = n ? ops[0].atom : 0;
    bool is_sum = n == 2 && atom >= DW_OP_breg0 && atom <= DW_OP_breg31 && ops[1].atom == DW_OP_stack_value;
    if (is_sum) { /* the register, but for a constant: it has been counted already */
        place->kind = ISP_IGNORED_REGISTER;
        place->at = atom - DW_OP_breg0;
        return true;
    }
    if (n != 1)
        return false;
    if (atom == DW_OP_fbreg)
        return place_in_frame(v, (int64_t)ops[0].number, place);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return place_by(atom - DW_OP_breg0, (int64_t)ops[0].number, place);
    place->kind = ISP_IGNORED_REGISTER;
    place->at = atom - DW_OP_reg0;
    return atom >= DW_OP_reg0 && atom <= DW_OP_reg31;
}

typedef void place_visit(const struct isp_ignored *place, void *context);

/* What has one place is there in all of its block. */
static void visit_block(const struct module *m, const struct variable *v, struct isp_ignored *place,
                        place_visit *visit, void *context)
{
    Dwarf_Die scope = v->scope;
    Dwarf_Addr base, low, high;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&scope, at, &base, &low, &high)) > 0;) {
        place->low = low + m->bias;
        place->high = high + m->bias;
        visit(place, context);
    }
}

static void each_place(const struct module *m, const struct variable *v, place_visit *visit, void *context)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, low, high;
    Dwarf_Op *ops;
    size_t n;
    struct isp_ignored place = v->place;
    Dwarf_Die die = v->die;
    if (v->is_static)
        visit(&place, context);
    if (v->is_static || !v->scope.addr || !dwarf_attr_integrate(&die, DW_AT_location, &attribute))
        return;
    bool whole = dwarf_whatform(&attribute) == DW_FORM_exprloc;
    for (ptrdiff_t at = 0; (at = dwarf_getlocations(&attribute, at, &base, &low, &high, &ops, &n)) > 0;) {
        if (!place_local(v, ops, n, &place))
            continue;
        place.low = low + m->bias;
        place.high = high + m->bias;
        if (whole)
            visit_block(m, v, &place, visit, context);
        else
            visit(&place, context);
    }
}

/* ---- the list of a module ---- */

struct walk {
    struct module *m;
    const char *path, *folder; /* names around; the unit's folder */
    const char *function;
    const Dwarf_Die *scope, *around;
};

static void add_variable(const struct walk *w, Dwarf_Die *die)
{
    struct module *m = w->m;
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t n;
    Dwarf_Die declared, *where = die;
    const char *name = dwarf_diename(die);
    if (!name || !dwarf_attr_integrate(die, DW_AT_location, &attribute))
        return;
    struct variable v = {
        .function = w->function, .folder = w->folder, .die = *die, .file = dwarf_decl_file(where)};
    dwarf_decl_line(where, &v.line);
    v.place = (struct isp_ignored){
        .module = m->path, .module_length = (uint32_t)strlen(m->path), .bytes = size_of(die)};
    v.is_static =
        dwarf_getlocation(&attribute, &ops, &n) == 0 && place_static(m, &attribute, ops, n, &v.place);
    if (w->scope && !v.is_static) {
        v.scope = *w->scope;
        v.around = *w->around;
    }
    if (!v.place.bytes)
        return;
    /* the class of a static member is where it is declared */
    char *around =
        dwarf_attr(die, DW_AT_specification, &attribute) && dwarf_formref_die(&attribute, &declared)
            ? sched_type_names_around(&declared)
            : NULL;
    v.name = sched_format("%s%s", around ? around : w->path, name);
    free(around);
    m->all = sched_grow(m->all, m->n + 1, sizeof *m->all);
    m->all[m->n++] = v;
}

static void walk(struct walk w, Dwarf_Die *die)
{
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        struct walk inner = w;
        char *path = NULL;
        const char *name = dwarf_diename(&child);
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter: add_variable(&w, &child); continue;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
            path = sched_format("%s%s%s", w.path, name ? name : "", name ? "::" : "");
            inner.path = path;
            break;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
            inner.function = name;
            inner.path = "";
            inner.scope = &child;
            /* the frame is that of the function that is there */
            inner.around = dwarf_tag(&child) == DW_TAG_subprogram ? &child : w.around;
            break;
        case DW_TAG_lexical_block:
            inner.scope =
                dwarf_hasattr(&child, DW_AT_low_pc) || dwarf_hasattr(&child, DW_AT_ranges) ? &child : w.scope;
            break;
        case DW_TAG_common_block: break;
        default: continue;
        }
        walk(inner, &child);
        free(path);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static const struct module *module_of(struct sched_sites *sites, const char *path)
{
    struct sched_variables *v = variables_of(sites);
    for (size_t i = 0; i < v->n_modules; i++)
        if (strcmp(v->modules[i]->path, path) == 0)
            return v->modules[i];
    struct module *m = sched_alloc(1, sizeof *m);
    m->path = sched_strdup(path);
    m->mod = sched_sites_module(sites, path);
    v->modules = sched_grow(v->modules, v->n_modules + 1, sizeof *v->modules);
    v->modules[v->n_modules++] = m;
    for (Dwarf_Die *unit = NULL; m->mod && (unit = dwfl_module_nextcu(m->mod, unit, &m->bias));) {
        Dwarf_Attribute attribute;
        const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
        walk((struct walk){.m = m, .path = "", .folder = folder}, unit);
    }
    return m;
}

/* ---- by name ---- */

/* It is the name, or ends with it behind "::". */
static bool ends_with(const char *name, const char *wanted, const char *separator)
{
    size_t n = strlen(name), w = strlen(wanted), s = strlen(separator);
    if (n < w || strcmp(name + n - w, wanted) != 0)
        return false;
    return n == w || (n >= w + s && strncmp(name + n - w - s, separator, s) == 0);
}

/* "around:name"; NULL: `name` is all. */
static const char *split(const char *text, char **around)
{
    const char *colon = NULL;
    *around = NULL;
    for (const char *c = text; *c; c++) {
        if (c[0] == ':' && c[1] == ':')
            c++;
        else if (*c == ':')
            colon = c;
    }
    if (!colon)
        return text;
    *around = sched_must(strndup(text, (size_t)(colon - text)));
    return colon + 1;
}

static bool is_named(const struct variable *v, const char *around, const char *name)
{
    if (!ends_with(v->name, name, "::"))
        return false;
    if (!around)
        return v->is_static;
    return (v->function && ends_with(v->function, around, "::")) ||
           (v->file && ends_with(v->file, around, "/"));
}

struct placing {
    struct isp_ignored **all;
    size_t *n;
};

static void add_place(const struct isp_ignored *place, void *context)
{
    struct placing *p = context;
    *p->all = sched_grow(*p->all, *p->n + 1, sizeof **p->all);
    (*p->all)[(*p->n)++] = *place;
}

/* Of what was compiled without debugging information. */
static void add_symbols(const struct module *m, const char *name, struct placing *p)
{
    int n = m->mod ? dwfl_module_getsymtab(m->mod) : 0;
    for (int i = 1; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr at;
        GElf_Word section;
        const char *is = dwfl_module_getsym_info(m->mod, i, &symbol, &at, &section, NULL, NULL);
        if (!is || strcmp(is, name) != 0 || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || !symbol.st_size ||
            symbol.st_shndx == SHN_UNDEF)
            continue;
        add_place(&(struct isp_ignored){.module = m->path,
                                        .module_length = (uint32_t)strlen(m->path),
                                        .kind = ISP_IGNORED_ADDRESS,
                                        .at = (int64_t)at,
                                        .bytes = symbol.st_size},
                  p);
    }
}

/* How many letters must be changed, added or left out (Levenshtein). */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[64], n = (unsigned)strlen(b);
    if (n >= 64 || strlen(a) >= 64)
        return 64;
    for (unsigned k = 0; k <= n; k++)
        row[k] = k;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned k = 1; k <= n; k++) {
            unsigned change = corner + (a[i - 1] != b[k - 1]),
                     less = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            corner = row[k];
            row[k] = change < less ? change : less;
        }
    }
    return row[n];
}

static const char *last_part(const char *name)
{
    for (const char *at; (at = strstr(name, "::"));)
        name = at + 2;
    return name;
}

/* As --ignore has it. */
static char *option_name(const struct variable *v)
{
    return v->function ? sched_format("%s:%s", v->function, v->name) : sched_strdup(v->name);
}

enum { NEAR = 3 };

/* "; did you mean main:tries (poll.c:12) ..."; of a local variable that is named like a static one, where. */
static char *near(struct sched_sites *sites, const char *const *modules, size_t n_modules, const char *around,
                  const char *name)
{
    const struct variable *best[NEAR] = {NULL};
    unsigned costs[NEAR];
    for (size_t i = 0; i < n_modules; i++) {
        const struct module *m = module_of(sites, modules[i]);
        for (size_t k = 0; k < m->n; k++) {
            unsigned cost = distance(last_part(m->all[k].name), last_part(name)), at = 0;
            const char *function = m->all[k].function;
            if (cost > 2 || 2 * cost > strlen(last_part(name)))
                continue;
            cost = 2 * cost + (around && !(function && strcmp(function, around) == 0));
            while (at < NEAR && best[at] && costs[at] <= cost)
                at++;
            for (unsigned e = NEAR - 1; e > at; e--) {
                best[e] = best[e - 1];
                costs[e] = costs[e - 1];
            }
            if (at < NEAR) {
                best[at] = &m->all[k];
                costs[at] = cost;
            }
        }
    }
    char *text = sched_strdup("");
    for (unsigned i = 0; i < NEAR && best[i]; i++) {
        char *option = option_name(best[i]);
        char *file =
            best[i]->file ? sched_sites_file(sites, best[i]->file, best[i]->folder) : sched_strdup("?");
        char *more =
            sched_format("%s%s%s (%s:%d)", text, i ? ", " : "; did you mean ", option, file, best[i]->line);
        free(option);
        free(file);
        free(text);
        text = more;
    }
    return text;
}

char *sched_variables_find(struct sched_sites *sites, const char *const *modules, size_t n_modules,
                           const char *name, struct isp_ignored **all, size_t *n)
{
    char *around;
    const char *rest = split(name, &around);
    struct placing p = {all, n};
    size_t before = *n;
    bool seen = false, debugged = false;
    for (size_t i = 0; i < n_modules; i++) {
        const struct module *m = module_of(sites, modules[i]);
        debugged |= m->n > 0;
        for (size_t k = 0; k < m->n; k++)
            if (is_named(&m->all[k], around, rest)) {
                seen = true;
                each_place(m, &m->all[k], add_place, &p);
            }
        if (*n == before && !around)
            add_symbols(m, rest, &p);
    }
    char *problem = NULL;
    if (*n == before && seen)
        problem = sched_format("%s has no place in memory or in a register (it was optimized away?)", name);
    if (*n == before && !seen) {
        char *hint = debugged
                         ? near(sites, modules, n_modules, around, rest)
                         : sched_strdup("; local variables are known of programs that are compiled with -g");
        problem = sched_format("the program has no variable %s%s", name, hint);
        free(hint);
    }
    free(around);
    return problem;
}

/* ---- by place ---- */

struct search {
    enum isp_ignored_kind kind; /* of what is static */
    int64_t at;
    const struct sched_frame_place *frame; /* NULL: what is static */
    bool in_register;                      /* ... in the register `at` */
    const struct variable *found;
    uint64_t behind;
    uint64_t smallest; /* block that it is in: an inner one hides others */
    const struct variable *current;
};

static void look(const struct isp_ignored *p, void *context)
{
    struct search *s = context;
    const struct sched_frame_place *f = s->frame;
    int64_t at = s->at;
    if (f) {
        if (f->at - 1 < p->low || f->at - 1 >= p->high)
            return;
        at = s->in_register                   ? s->at
             : p->kind == ISP_IGNORED_FRAME   ? f->from_end
             : p->kind == ISP_IGNORED_POINTER ? f->from_pointer
                                              : f->from_stack;
    }
    bool is_in_register = p->kind == ISP_IGNORED_REGISTER;
    bool is_static = p->kind == ISP_IGNORED_ADDRESS || p->kind == ISP_IGNORED_THREAD;
    bool is_of_kind = f ? !is_static && is_in_register == s->in_register : p->kind == s->kind;
    if (is_in_register && at != p->at)
        return;
    uint64_t size = f ? p->high - p->low : p->bytes;
    if (!is_of_kind || at < p->at || (uint64_t)(at - p->at) >= p->bytes || (s->found && size >= s->smallest))
        return;
    s->found = s->current;
    s->behind = (uint64_t)(at - p->at);
    s->smallest = size;
}

static void search(const struct module *m, struct search *s)
{
    for (size_t i = 0; i < m->n; i++) {
        if (m->all[i].is_static == (s->frame != NULL))
            continue;
        s->current = &m->all[i];
        each_place(m, s->current, look, s);
    }
}

static bool describe(struct sched_sites *sites, const struct search *s, struct sched_variable *v)
{
    const struct variable *found = s->found;
    Dwarf_Die type, die;
    if (!found)
        return false;
    die = found->die;
    *v = (struct sched_variable){.line = found->line, .option = option_name(found)};
    if (found->file)
        v->file = sched_sites_file(sites, found->file, found->folder);
    v->name = sched_strdup(found->name);
    if (sched_type_of(&die, &type))
        sched_type_describe(&type, s->behind, v);
    return true;
}

static bool describe_symbol(const struct module *m, uint64_t offset, struct sched_variable *v)
{
    GElf_Sym symbol;
    GElf_Off behind;
    const char *name =
        m->mod ? dwfl_module_addrinfo(m->mod, offset, &behind, &symbol, NULL, NULL, NULL) : NULL;
    if (!name || behind >= symbol.st_size || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT)
        return false;
    *v = (struct sched_variable){
        .name = sched_strdup(name), .option = sched_strdup(name), .before = behind, .bytes = symbol.st_size};
    return true;
}

bool sched_variable_static(struct sched_sites *sites, const char *module, uint64_t offset,
                           struct sched_variable *v)
{
    const struct module *m = module_of(sites, module);
    struct search s = {.kind = ISP_IGNORED_ADDRESS, .at = (int64_t)offset};
    search(m, &s);
    return describe(sites, &s, v) || describe_symbol(m, offset, v);
}

bool sched_variable_thread(struct sched_sites *sites, const char *module, uint64_t offset,
                           struct sched_variable *v)
{
    struct search s = {.kind = ISP_IGNORED_THREAD, .at = (int64_t)offset};
    search(module_of(sites, module), &s);
    return describe(sites, &s, v);
}

bool sched_variable_local(struct sched_sites *sites, const char *module,
                          const struct sched_frame_place *place, struct sched_variable *v)
{
    struct search s = {.frame = place};
    search(module_of(sites, module), &s);
    return describe(sites, &s, v);
}

bool sched_variable_register(struct sched_sites *sites, const char *module, uint64_t at, int reg,
                             struct sched_variable *v)
{
    struct sched_frame_place place = {.at = at};
    struct search s = {.frame = &place, .in_register = true, .at = reg};
    search(module_of(sites, module), &s);
    return describe(sites, &s, v);
}

void sched_variable_finish(struct sched_variable *v)
{
    free(v->name);
    free(v->option);
    free(v->file);
    *v = (struct sched_variable){0};
}

/* ---- what is taken for granted ---- */

void sched_variables_assume(struct sched_sites *sites, const char *words)
{
    struct sched_variables *v = variables_of(sites);
    for (size_t i = 0; i < v->n_assumed; i++)
        if (strcmp(v->assumed[i], words) == 0)
            return;
    v->assumed = sched_grow(v->assumed, v->n_assumed + 1, sizeof *v->assumed);
    v->assumed[v->n_assumed++] = sched_strdup(words);
}

const char *sched_variables_assumed(struct sched_sites *sites, size_t k)
{
    const struct sched_variables *v = variables_of(sites);
    return k < v->n_assumed ? v->assumed[k] : NULL;
}
