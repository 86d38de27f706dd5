/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks name a call site by module and offset of the return address from the module's load base.
 * For position-independent code that is the ELF address; for a program at a fixed address the
 * base is 0, so it is the ELF address as well. Each module is therefore opened once, offline, at
 * base 0, and asked for the byte before the return address, which is inside the call.
 */
#include "sites.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/begins.h"
#include "names.h"
#include "resolve.h"
#include "stack.h"
#include "variables.h"
#include "wrappers.h"

struct key {
    uint64_t module, offset; /* address of the struct sched_module */
};

struct site {
    struct key key;
    uint32_t number;
    struct sched_module *module;
    struct sched_location location; /* of the innermost place */
    struct sched_place *places;     /* NULL: not asked for yet */
    size_t n_places;
    char **files; /* of the places, as the user would name them; NULL: unknown */
    bool is_main; /* the program begins there */
    UT_hash_handle hh;
};

/* A site with its callers. Its number is one of those of the sites. */
struct stack {
    uint32_t *frames; /* key: numbers of sites */
    uint32_t n, number;
    uint32_t shown; /* frames that are the program's; 0: not known yet */
    UT_hash_handle hh;
};

/* The way to a call: with the functions that the compiler has inlined. */
struct way {
    struct sched_location *locations;
    struct sched_frame *frames; /* the same, for wrappers.h */
    size_t n;
};

enum { OPERATIONS = 2 }; /* more say nothing more */

struct numbered {
    struct site *site;   /* of a stack: the innermost */
    struct stack *stack; /* or NULL */
    struct way way;      /* n 0: not asked for yet */
    uint32_t operations[OPERATIONS];
    unsigned n_operations;
};

struct sched_sites {
    struct sched_module *modules;
    struct site *sites;
    struct stack *stacks;
    struct numbered *by_number; /* [number - 1] */
    uint32_t n, room;
    struct sched_wrappers *wrappers; /* of so many sites and operations: */
    uint64_t seen, n_operations;
    struct sched_location unknown;
    struct sched_variables *variables;
    char cwd[PATH_MAX];
    char *shell_cwd; /* $PWD, which compilers prefer: the same folder by another name; or NULL */
};

struct sched_sites *sched_sites_create(void)
{
    struct sched_sites *s = sched_must(calloc(1, sizeof *s));
    if (!getcwd(s->cwd, sizeof s->cwd))
        s->cwd[0] = '\0';
    const char *pwd = getenv("PWD");
    char real[PATH_MAX];
    if (pwd && pwd[0] == '/' && realpath(pwd, real) && strcmp(real, s->cwd) == 0)
        s->shell_cwd = sched_strdup(pwd);
    return s;
}

static void site_destroy(struct site *site)
{
    sched_resolve_destroy(site->places, site->n_places);
    for (size_t i = 0; i < site->n_places; i++)
        free(site->files[i]);
    free(site->files);
    free(site);
}

void sched_sites_destroy(struct sched_sites *sites)
{
    if (!sites)
        return;
    struct site *site, *next_site;
    HASH_ITER (hh, sites->sites, site, next_site) {
        HASH_DEL(sites->sites, site);
        site_destroy(site);
    }
    struct sched_module *m, *next_module;
    HASH_ITER (hh, sites->modules, m, next_module) {
        HASH_DEL(sites->modules, m);
        sched_module_destroy(m);
    }
    struct stack *stack, *next_stack;
    HASH_ITER (hh, sites->stacks, stack, next_stack) {
        HASH_DEL(sites->stacks, stack);
        free(stack->frames);
        free(stack);
    }
    for (uint32_t i = 0; i < sites->n; i++) {
        free(sites->by_number[i].way.locations);
        free(sites->by_number[i].way.frames);
    }
    sched_wrappers_destroy(sites->wrappers);
    sched_variables_destroy(sites->variables);
    free(sites->by_number);
    free(sites->shell_cwd);
    free(sites);
}

static struct sched_module *module_of(struct sched_sites *sites, const char *path, uint32_t length)
{
    struct sched_module *m;
    HASH_FIND(hh, sites->modules, path, length, m);
    if (m)
        return m;
    m = sched_must(calloc(1, sizeof *m));
    m->path = sched_must(strndup(path, length));
    HASH_ADD_KEYPTR(hh, sites->modules, m->path, strlen(m->path), m);
    return m;
}

static uint32_t add_number(struct sched_sites *sites, struct site *site, struct stack *stack)
{
    if (sites->n == sites->room) {
        sites->room = sites->room ? 2 * sites->room : 64;
        sites->by_number = sched_must(realloc(sites->by_number, sites->room * sizeof *sites->by_number));
    }
    sites->by_number[sites->n++] = (struct numbered){.site = site, .stack = stack};
    return sites->n;
}

uint32_t sched_sites_intern(struct sched_sites *sites, const char *module, uint32_t length, uint64_t offset)
{
    length = (uint32_t)strnlen(module, length);
    if (!length)
        return 0;
    struct sched_module *m = module_of(sites, module, length);
    struct key key = {(uintptr_t)m, offset};
    struct site *site;
    HASH_FIND(hh, sites->sites, &key, sizeof key, site);
    if (site)
        return site->number;
    site = sched_must(calloc(1, sizeof *site));
    site->key = key;
    site->module = m;
    site->location = (struct sched_location){.module = m->path, .offset = offset};
    site->number = add_number(sites, site, NULL);
    HASH_ADD(hh, sites->sites, key, sizeof key, site);
    return site->number;
}

uint32_t sched_sites_intern_stack(struct sched_sites *sites, const uint32_t *frames, uint32_t n)
{
    if (n == 1 || !frames[0])
        return frames[0];
    struct stack *stack;
    HASH_FIND(hh, sites->stacks, frames, n * sizeof *frames, stack);
    if (stack)
        return stack->number;
    stack = sched_alloc(1, sizeof *stack);
    stack->n = n;
    stack->frames = sched_alloc(n, sizeof *frames);
    memcpy(stack->frames, frames, n * sizeof *frames);
    stack->number = add_number(sites, sites->by_number[frames[0] - 1].site, stack);
    HASH_ADD_KEYPTR(hh, sites->stacks, stack->frames, n * sizeof *frames, stack);
    return stack->number;
}

uint32_t sched_sites_place(const struct sched_sites *sites, uint32_t site)
{
    return site && site <= sites->n ? sites->by_number[site - 1].site->number : 0;
}

/* ---- names ---- */

/* "1f04:/path/of/module" for each frame, joined by tabs. */
char *sched_sites_name(const struct sched_sites *sites, uint32_t site)
{
    if (!site || site > sites->n)
        return sched_strdup("");
    const struct numbered *at = &sites->by_number[site - 1];
    char *name = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&name, &size));
    uint32_t n = at->stack ? at->stack->n : 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct site *s = at->stack ? sites->by_number[at->stack->frames[i] - 1].site : at->site;
        fprintf(out, "%s%" PRIx64 ":%s", i ? "\t" : "", s->key.offset, s->module->path);
    }
    fclose(out);
    return sched_must(name);
}

uint32_t sched_sites_named(struct sched_sites *sites, const char *name)
{
    char *frames = sched_strdup(name);
    uint32_t *numbers = NULL, n = 0, site = 0;
    for (char *rest = frames, *frame; (frame = strsep(&rest, "\t"));) {
        char *path;
        uint64_t offset = strtoull(frame, &path, 16);
        numbers = sched_grow(numbers, n + 1, sizeof *numbers);
        numbers[n++] =
            *path == ':' ? sched_sites_intern(sites, path + 1, (uint32_t)strlen(path + 1), offset) : 0;
    }
    site = sched_sites_intern_stack(sites, numbers, n);
    free(numbers);
    free(frames);
    return site;
}

/* ---- look-up ---- */

/* Takes "." and ".." out of an absolute path, in place. */
static void normalize(char *path)
{
    char *out = path;
    for (char *in = path; *in;) {
        size_t n = strcspn(in + 1, "/");
        if (n == 2 && in[1] == '.' && in[2] == '.') {
            while (out > path && *--out != '/')
                ;
        } else if (n && !(n == 1 && in[1] == '.')) {
            memmove(out, in, n + 1);
            out += n + 1;
        }
        in += n + 1;
    }
    if (out == path)
        *out++ = '/';
    *out = '\0';
}

/* The rest of `path` below `folder`, or NULL. */
static const char *below(const char *path, const char *folder)
{
    size_t n = folder ? strlen(folder) : 0;
    return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

/* The name by which the user finds the file from here: relative if it is below the working
 * directory, else absolute. */
static char *shown_file(const struct sched_sites *sites, const char *name, const char *comp_dir)
{
    if (name[0] != '/' && (!comp_dir || comp_dir[0] != '/'))
        return sched_strdup(name);
    char *full = name[0] == '/' ? sched_strdup(name) : sched_format("%s/%s", comp_dir, name);
    normalize(full);
    const char *rest = below(full, sites->cwd);
    if (!rest)
        rest = below(full, sites->shell_cwd);
    char real[PATH_MAX];
    if (!rest && realpath(full, real))
        rest = below(real, sites->cwd);
    if (!rest)
        return full;
    char *relative = sched_strdup(rest);
    free(full);
    return relative;
}

/* Templates and inline functions of a library that is installed. */
static bool is_of_system(const char *file)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(file, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

static void resolve(const struct sched_sites *sites, struct site *site)
{
    if (site->places)
        return;
    char *servers = sched_module_begin();
    site->places = sched_resolve_address(site->module, site->key.offset ? site->key.offset - 1 : 0,
                                         &site->n_places, &site->is_main);
    sched_module_end(servers);
    site->files = sched_alloc(site->n_places, sizeof *site->files);
    for (size_t i = 0; i < site->n_places; i++) {
        struct sched_place *p = &site->places[i];
        site->files[i] = p->file ? shown_file(sites, p->file, p->folder) : NULL;
        p->function.here &=
            p->file && !is_of_system(site->files[i]) && !sched_module_is_system(site->module->path);
    }
    site->location.file = site->files[0];
    site->location.line = site->places[0].line;
    site->location.function = site->places[0].name;
}

const struct sched_location *sched_sites_find(struct sched_sites *sites, uint32_t site)
{
    if (site == 0 || site > sites->n)
        return &sites->unknown;
    struct site *s = sites->by_number[site - 1].site;
    resolve(sites, s);
    return &s->location;
}

/* ---- for variables.h ---- */

Dwfl_Module *sched_sites_module(struct sched_sites *sites, const char *path)
{
    struct sched_module *m = module_of(sites, path, (uint32_t)strlen(path));
    Dwarf_Addr bias;
    char *servers = sched_module_begin();
    if (sched_module_open(m))
        dwfl_module_getdwarf(m->mod, &bias);
    sched_module_end(servers);
    return m->mod;
}

char *sched_sites_file(const struct sched_sites *sites, const char *name, const char *folder)
{
    return shown_file(sites, name, folder);
}

struct sched_variables **sched_sites_variables(struct sched_sites *sites) { return &sites->variables; }

/* ---- the call in the source ---- */

/* Two calls in one line have other columns. */
static void add_place(FILE *out, const struct site *s, const struct sched_place *p)
{
    if (p->line == 0) {
        fprintf(out, " %s+%" PRIx64, s->module->path, s->key.offset);
        return;
    }
    fprintf(out, " %s:%s:%d:%d:%s", p->folder ? p->folder : "", p->file ? p->file : "", p->line, p->column,
            p->name ? p->name : "");
}

char *sched_sites_call(struct sched_sites *sites, uint32_t site, bool callers)
{
    const struct sched_location *at = sched_sites_find(sites, site);
    if (!at->file || !at->line)
        return NULL;
    const struct numbered *numbered = &sites->by_number[site - 1];
    uint32_t n;
    const uint32_t *more = sched_sites_callers(sites, site, &n);
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    add_place(out, numbered->site, &numbered->site->places[0]);
    for (size_t i = 1; callers && i < numbered->site->n_places; i++)
        add_place(out, numbered->site, &numbered->site->places[i]);
    for (uint32_t i = 0; callers && i < n; i++) {
        const struct site *s = sites->by_number[more[i] - 1].site;
        sched_sites_find(sites, more[i]);
        for (size_t k = 0; k < s->n_places; k++)
            add_place(out, s, &s->places[k]);
    }
    fclose(out);
    return sched_must(text);
}

bool sched_sites_are_alike(struct sched_sites *sites, uint32_t a, uint32_t b, bool callers)
{
    if (a == b)
        return true;
    char *x = sched_sites_call(sites, a, callers), *y = sched_sites_call(sites, b, callers);
    bool alike = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return alike;
}

/* ---- in which functions ---- */

static bool is_named(const char *name, const char *function)
{
    return name && (strcmp(name, function) == 0 || strcmp(sched_name_plain(name), function) == 0);
}

bool sched_sites_is_in(struct sched_sites *sites, uint32_t site, const char *function)
{
    if (site == 0 || site > sites->n)
        return false;
    const struct site *s = sites->by_number[site - 1].site;
    sched_sites_find(sites, site);
    for (size_t i = 0; i < s->n_places; i++)
        if (is_named(s->places[i].name, function))
            return true;
    const char *symbol = s->module->mod ? sched_module_symbol(s->module, s->key.offset - 1) : NULL;
    return symbol && strcmp(symbol, function) == 0;
}

/* ---- callers ---- */

/* Of a library: what calls main, or the function of a thread. */
static bool is_start(const struct site *s)
{
    static const char *const names[] = {"libc.so",   "ld-linux", "libstdc++.so", "libgomp.so", "libomp.so",
                                        "libiomp5.", NULL};
    const char *path = s->module->path, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return sched_begins(name, names) || sched_module_is_sanitizers(path) || sched_module_is_isps(path);
}

/* The program begins there. libc is not asked: reading its debug information takes longer than most runs. */
static bool is_main(const struct sched_sites *sites, struct site *s)
{
    if (is_start(s))
        return false;
    resolve(sites, s);
    return s->is_main;
}

/* How many frames are the program's: up to main, and without what has started it. */
static uint32_t programs_frames(struct sched_sites *sites, const struct stack *stack)
{
    uint32_t n = 0;
    while (n < stack->n)
        if (is_main(sites, sites->by_number[stack->frames[n++] - 1].site))
            return n;
    while (n > 1 && is_start(sites->by_number[stack->frames[n - 1] - 1].site))
        n--;
    return n;
}

const uint32_t *sched_sites_callers(struct sched_sites *sites, uint32_t site, uint32_t *n)
{
    struct stack *stack = site && site <= sites->n ? sites->by_number[site - 1].stack : NULL;
    *n = 0;
    if (!stack)
        return NULL;
    if (!stack->shown)
        stack->shown = programs_frames(sites, stack);
    *n = stack->shown - 1;
    return stack->frames + 1;
}

/* ---- the line that matters ---- */

void sched_sites_called(struct sched_sites *sites, uint32_t site, uint32_t operation)
{
    struct numbered *at = site && site <= sites->n ? &sites->by_number[site - 1] : NULL;
    for (unsigned i = 0; at && i < at->n_operations; i++)
        if (at->operations[i] == operation)
            return;
    if (!at || !operation || at->n_operations == OPERATIONS)
        return;
    at->operations[at->n_operations++] = operation;
    sites->n_operations++;
}

static void add_frames(struct way *way, const struct site *s)
{
    way->locations = sched_grow(way->locations, way->n + s->n_places, sizeof *way->locations);
    way->frames = sched_grow(way->frames, way->n + s->n_places, sizeof *way->frames);
    for (size_t i = 0; i < s->n_places; i++, way->n++) {
        const struct sched_place *p = &s->places[i];
        way->locations[way->n] =
            (struct sched_location){s->files[i], p->line, p->name, s->module->path, s->key.offset};
        way->frames[way->n] = (struct sched_frame){s->files[i], p->line, p};
    }
}

static const struct way *way_of(struct sched_sites *sites, uint32_t site)
{
    struct numbered *at = &sites->by_number[site - 1];
    if (at->way.n)
        return &at->way;
    resolve(sites, at->site);
    add_frames(&at->way, at->site);
    uint32_t n;
    const uint32_t *callers = sched_sites_callers(sites, site, &n);
    for (uint32_t i = 0; i < n; i++) {
        resolve(sites, sites->by_number[callers[i] - 1].site);
        add_frames(&at->way, sites->by_number[callers[i] - 1].site);
    }
    return &at->way;
}

const struct sched_location *sched_sites_way(struct sched_sites *sites, uint32_t site, size_t *n)
{
    *n = 0;
    if (site == 0 || site > sites->n)
        return NULL;
    const struct way *way = way_of(sites, site);
    *n = way->n;
    return way->locations;
}

bool sched_location_is_own(const struct sched_location *at)
{
    return at->file && !is_of_system(at->file) && !sched_module_is_system(at->module);
}

const struct sched_location *sched_sites_own(struct sched_sites *sites, uint32_t site)
{
    size_t n;
    const struct sched_location *way = sched_sites_way(sites, site, &n);
    for (size_t i = 0; i < n; i++)
        if (sched_location_is_own(&way[i]))
            return &way[i];
    return NULL;
}

bool sched_sites_is_whole(struct sched_sites *sites, uint32_t site)
{
    if (site == 0 || site > sites->n || sites->by_number[site - 1].stack)
        return true;
    return is_main(sites, sites->by_number[site - 1].site);
}

/* By all ways that are known. */
static const struct sched_wrappers *wrappers(struct sched_sites *sites)
{
    uint64_t n = sites->n + sites->n_operations;
    if (sites->wrappers && sites->seen == n)
        return sites->wrappers;
    sched_wrappers_destroy(sites->wrappers);
    sites->wrappers = sched_wrappers_create();
    sites->seen = n;
    for (uint32_t i = 1; i <= sites->n; i++) {
        const struct numbered *at = &sites->by_number[i - 1];
        if (!sched_sites_is_whole(sites, i))
            continue;
        const struct way *way = way_of(sites, i);
        sched_wrappers_see(sites->wrappers, way->frames, way->n, at->operations, at->n_operations);
    }
    return sites->wrappers;
}

size_t sched_sites_shown(struct sched_sites *sites, uint32_t site)
{
    if (site == 0 || !sched_sites_is_whole(sites, site))
        return 0;
    const struct way *way = way_of(sites, site);
    return way->n > 1 ? sched_wrappers_leave(wrappers(sites), way->frames, way->n) : 0;
}

bool sched_sites_is_shared(struct sched_sites *sites, uint32_t site)
{
    if (site == 0 || !sched_sites_is_whole(sites, site))
        return false;
    const struct way *way = way_of(sites, site);
    return way->n > 1 &&
           sched_wrappers_shared(wrappers(sites), way->frames, sched_sites_shown(sites, site), way->n);
}

const struct sched_location *sched_sites_headline(struct sched_sites *sites, uint32_t site)
{
    size_t n;
    const struct sched_location *way = sched_sites_way(sites, site, &n);
    return way ? &way[sched_sites_shown(sites, site)] : &sites->unknown;
}
