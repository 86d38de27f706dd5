/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks name a call site by module and offset of the return address from the module's load base.
 * For position-independent code that is the ELF address; for a program at a fixed address the
 * base is 0, so it is the ELF address as well. Each module is therefore opened once, offline, at
 * base 0, and asked for the byte before the return address, which is inside the call.
 *
 * A debuginfod server is never asked: a look-up must not touch the network. The variable that turns it
 * on is hidden only while libdw works, since the ranks inherit our environment.
 */
#include "sites.h"

#include <elfutils/libdwfl.h>
#include <dwarf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uthash.h>

#include "base/alloc.h"
#include "base/regular_file.h"

struct module {
    char *path; /* key */
    Dwfl *dwfl;
    Dwfl_Module *mod; /* NULL: cannot be read */
    bool opened;
    UT_hash_handle hh;
};

struct key {
    uint64_t module, offset; /* address of the struct module */
};

struct site {
    struct key key;
    uint32_t number;
    struct module *module;
    bool resolved;
    struct sched_location location;
    char *file, *function;
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

struct sched_sites {
    struct module *modules;
    struct site *sites;
    struct stack *stacks;
    struct numbered {
        struct site *site;   /* of a stack: the innermost */
        struct stack *stack; /* or NULL */
    } * by_number;           /* [number - 1] */
    uint32_t n, room;
    struct sched_location unknown;
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

void sched_sites_destroy(struct sched_sites *sites)
{
    if (!sites)
        return;
    struct site *site, *next_site;
    HASH_ITER (hh, sites->sites, site, next_site) {
        HASH_DEL(sites->sites, site);
        free(site->file);
        free(site->function);
        free(site);
    }
    struct module *m, *next_module;
    HASH_ITER (hh, sites->modules, m, next_module) {
        HASH_DEL(sites->modules, m);
        if (m->dwfl)
            dwfl_end(m->dwfl);
        free(m->path);
        free(m);
    }
    struct stack *stack, *next_stack;
    HASH_ITER (hh, sites->stacks, stack, next_stack) {
        HASH_DEL(sites->stacks, stack);
        free(stack->frames);
        free(stack);
    }
    free(sites->by_number);
    free(sites->shell_cwd);
    free(sites);
}

static struct module *module_of(struct sched_sites *sites, const char *path, uint32_t length)
{
    struct module *m;
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
    sites->by_number[sites->n++] = (struct numbered){site, stack};
    return sites->n;
}

uint32_t sched_sites_intern(struct sched_sites *sites, const char *module, uint32_t length, uint64_t offset)
{
    length = (uint32_t)strnlen(module, length);
    if (!length)
        return 0;
    struct module *m = module_of(sites, module, length);
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

static void open_module(struct module *m)
{
    static char *debuginfo_path; /* NULL: libdw's default, .debug beside the file and /usr/lib/debug */
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &debuginfo_path,
    };
    m->opened = true;
    m->dwfl = dwfl_begin(&callbacks);
    if (!m->dwfl)
        return;
    int fd = sched_regular_file_open(m->path, INT64_MAX);
    if (fd < 0)
        return;
    dwfl_report_begin(m->dwfl);
    m->mod = dwfl_report_elf(m->dwfl, m->path, m->path, fd, 0, true);
    dwfl_report_end(m->dwfl, NULL, NULL);
    if (!m->mod)
        close(fd);
}

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

static const char *function_by_symbol(Dwfl_Module *mod, Dwarf_Addr address)
{
    GElf_Sym symbol;
    GElf_Off offset;
    const char *name = dwfl_module_addrinfo(mod, address, &offset, &symbol, NULL, NULL, NULL);
    return name && offset < symbol.st_size ? name : NULL; /* not merely the nearest one */
}

/* The compilation unit around the address. clang writes no .debug_aranges, in which libdw looks it up:
 * then the units are asked one by one. */
static Dwarf_Die *find_unit(Dwfl_Module *mod, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(mod, address, bias);
    if (unit && dwarf_haspc(unit, address - *bias) != 0)
        return unit;
    /* that was merely the last one before the address, of those in .debug_aranges (in a static program, libc
     * comes after it) */
    unit = NULL;
    while ((unit = dwfl_module_nextcu(mod, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    return NULL;
}

/* Where the source has an address. */
struct place {
    const char *file; /* NULL: unknown */
    int line;
    const char *function;
};

static void place_of_line(struct place *p, Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    int number = 0;
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0)
        *p = (struct place){file, number > 0 ? number : 0, p->function};
}

static bool is_function(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* The inline functions of MPI's C++ bindings are no place of the program. */
static bool is_binding(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return file && strcmp(slash ? slash + 1 : file, "mpicxx.h") == 0;
}

/* Where this inlined function was called. False if it is not inlined, or that is unknown. */
static bool place_of_call(struct place *p, Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Files *files;
    if (dwarf_tag(inlined) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_getsrcfiles(unit, &files, NULL) != 0)
        return false;
    p->file = dwarf_filesrc(files, file, NULL, NULL);
    p->line = (int)line;
    return p->file;
}

/* Leaves bindings that were inlined: `inner` is the innermost function. */
static void leave_bindings(struct place *p, Dwarf_Die *unit, Dwarf_Die *inner)
{
    Dwarf_Die *scopes = NULL;
    int n = is_binding(p->file) ? dwarf_getscopes_die(inner, &scopes) : 0;
    for (int i = 0; i < n && is_binding(p->file) && place_of_call(p, unit, &scopes[i]);) {
        do
            i++;
        while (i < n && !is_function(&scopes[i]));
        p->function = i < n ? dwarf_diename(&scopes[i]) : NULL;
    }
    free(scopes);
}

static struct place find_place(Dwarf_Die *unit, Dwarf_Addr address)
{
    struct place p = {NULL, 0, NULL};
    place_of_line(&p, unit, address);
    Dwarf_Die *scopes = NULL, *inner = NULL;
    int n = dwarf_getscopes(unit, address, &scopes);
    for (int i = 0; i < n && !inner; i++)
        if (is_function(&scopes[i]) && (p.function = dwarf_diename(&scopes[i])))
            inner = &scopes[i];
    if (inner)
        leave_bindings(&p, unit, inner);
    free(scopes);
    return p;
}

static void resolve(const struct sched_sites *sites, struct site *site)
{
    struct module *m = site->module;
    if (!m->opened)
        open_module(m);
    if (!m->mod || !site->key.offset)
        return;
    Dwarf_Addr address = site->key.offset - 1, bias = 0;
    Dwarf_Die *unit = find_unit(m->mod, address, &bias);
    struct place p = unit ? find_place(unit, address - bias) : (struct place){NULL, 0, NULL};
    if (p.file) {
        Dwarf_Attribute attribute;
        site->file =
            shown_file(sites, p.file, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)));
        site->location.file = site->file;
        site->location.line = p.line;
    }
    const char *symbol = function_by_symbol(m->mod, address);
    const char *function = p.function ? p.function : symbol;
    /* MAIN__: of a program in Fortran */
    site->is_main = symbol && (strcmp(symbol, "main") == 0 || strcmp(symbol, "MAIN__") == 0);
    site->function = function ? sched_strdup(function) : NULL;
    site->location.function = site->function;
}

static void resolve_once(const struct sched_sites *sites, struct site *s)
{
    if (s->resolved)
        return;
    const char *servers = getenv("DEBUGINFOD_URLS");
    char *keep = servers ? sched_strdup(servers) : NULL;
    unsetenv("DEBUGINFOD_URLS");
    resolve(sites, s);
    if (keep)
        setenv("DEBUGINFOD_URLS", keep, 1);
    free(keep);
    s->resolved = true;
}

const struct sched_location *sched_sites_find(struct sched_sites *sites, uint32_t site)
{
    if (site == 0 || site > sites->n)
        return &sites->unknown;
    struct site *s = sites->by_number[site - 1].site;
    resolve_once(sites, s);
    return &s->location;
}

/* ---- in which functions ---- */

/* Of this name is the function around the address, or one that it is inlined in. */
static bool is_around(Dwarf_Die *unit, Dwarf_Addr address, const char *function)
{
    Dwarf_Die *scopes = NULL, *around = NULL;
    int n = dwarf_getscopes(unit, address, &scopes), inner = 0;
    while (inner < n && !is_function(&scopes[inner]))
        inner++;
    /* where it is inlined, not where it is written */
    int n_around = inner < n ? dwarf_getscopes_die(&scopes[inner], &around) : 0;
    bool found = false;
    for (int i = 0; i < n_around && !found; i++) {
        const char *name = is_function(&around[i]) ? dwarf_diename(&around[i]) : NULL;
        found = name && strcmp(name, function) == 0;
    }
    free(scopes);
    free(around);
    return found;
}

bool sched_sites_is_in(struct sched_sites *sites, uint32_t site, const char *function)
{
    const char *shown = sched_sites_find(sites, site)->function;
    if (!shown || strcmp(shown, function) == 0)
        return shown;
    const struct site *s = sites->by_number[site - 1].site;
    Dwarf_Addr address = s->key.offset - 1, bias = 0;
    const char *symbol = function_by_symbol(s->module->mod, address);
    if (symbol && strcmp(symbol, function) == 0)
        return true;
    Dwarf_Die *unit = find_unit(s->module->mod, address, &bias);
    return unit && is_around(unit, address - bias, function);
}

/* ---- callers ---- */

/* Of a library: what calls main, or the function of a thread. */
static bool is_start(const struct site *s)
{
    static const char *const names[] = {"libc.so", "ld-linux", "libisp.so", "libstdc++", "libgomp"};
    const char *path = s->module->path, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* How many frames are the program's: up to main, and without what has started it. */
static uint32_t programs_frames(struct sched_sites *sites, const struct stack *stack)
{
    uint32_t n = 0;
    while (n < stack->n) {
        struct site *s = sites->by_number[stack->frames[n++] - 1].site;
        resolve_once(sites, s);
        if (s->is_main)
            return n;
    }
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
