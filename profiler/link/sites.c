/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites and modules: see sites.h. The hash grows with the program's text, not with its run. */
#include "sites.h"

#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "python.h"
#include "stacks.h"
#include "uplink.h"

struct module {
    uintptr_t base, low, high; /* offsets count from base; it covers [low, high) */
    char *path;
};

static struct module *modules;
static size_t n_modules;

static struct slot {
    const void *address;
    uint32_t number;
} * sites;
static size_t room, n_sites;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static char *module_path(const char *name)
{
    char exe[PATH_MAX];
    if (name && name[0])
        return strdup(name);
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    return strdup(exe);
}

static const struct module *find_module(const void *address)
{
    uintptr_t a = (uintptr_t)address;
    for (size_t i = 0; i < n_modules; i++)
        if (a >= modules[i].low && a < modules[i].high)
            return &modules[i];
    return NULL;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *first)
{
    struct module m = {.base = info->dlpi_addr, .low = UINTPTR_MAX};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        uintptr_t low = m.base + p->p_vaddr, high = low + p->p_memsz;
        m.low = low < m.low ? low : m.low;
        m.high = high > m.high ? high : m.high;
    }
    bool is_main = *(bool *)first;
    *(bool *)first = false;
    if (m.high == 0 || find_module((void *)m.low) || (!is_main && !info->dlpi_name[0]))
        return 0; /* known, or the vdso */
    m.path = module_path(is_main ? NULL : info->dlpi_name);
    if (!m.path)
        abort();
    modules = prof_grow(modules, n_modules + 1, sizeof *modules);
    modules[n_modules++] = m;
    return 0;
}

void prof_modules_refresh(void)
{
    bool first = true;
    dl_iterate_phdr(add_module, &first);
}

const char *prof_module_path(const void *address)
{
    const struct module *m = find_module(address);
    return m ? m->path : NULL;
}

void prof_module_put(struct isp_buf *b, const void *address)
{
    const struct module *m = find_module(address);
    if (prof_python_put(b, address))
        return;
    isp_put_u64(b, (uintptr_t)address - (m ? m->base : 0));
    isp_put_str(b, m ? m->path : "");
}

void prof_modules_put(struct isp_buf *b)
{
    prof_modules_refresh();
    isp_put_u32(b, (uint32_t)n_modules);
    for (size_t i = 0; i < n_modules; i++)
        isp_put_str(b, modules[i].path);
}

struct wanted {
    uintptr_t base, thread;
};

static int find_thread(struct dl_phdr_info *info, size_t size, void *context)
{
    struct wanted *w = context;
    bool is =
        info->dlpi_addr == w->base && size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *);
    w->thread = is ? (uintptr_t)info->dlpi_tls_data : 0;
    return is;
}

bool prof_module_find(const char *path, uint32_t length, uintptr_t *base, uintptr_t *thread)
{
    size_t i = 0;
    while (i < n_modules && (strlen(modules[i].path) != length || memcmp(modules[i].path, path, length) != 0))
        i++;
    if (i == n_modules)
        return false;
    struct wanted w = {.base = modules[i].base};
    dl_iterate_phdr(find_thread, &w);
    *base = w.base;
    *thread = w.thread;
    return true;
}

static struct slot *find_slot(struct slot *table, size_t size, const void *address)
{
    size_t i = ((uintptr_t)address * 0x9e3779b97f4a7c15u) >> 32;
    for (;; i++) {
        struct slot *s = &table[i & (size - 1)];
        if (!s->address || s->address == address)
            return s;
    }
}

static void grow(void)
{
    size_t more = room ? 2 * room : 1024;
    struct slot *table = prof_alloc(more, sizeof *table);
    for (size_t i = 0; i < room; i++)
        if (sites[i].address)
            *find_slot(table, more, sites[i].address) = sites[i];
    free(sites);
    sites = table;
    room = more;
}

static void tell(const struct slot *s)
{
    const struct prof_stack *stack = prof_stack_of(s->address);
    const void *const *frames = stack ? stack->frames : &s->address;
    uint32_t n = stack ? stack->n : 1;
    for (uint32_t i = 0; i < n; i++)
        if (!find_module(prof_python_address(frames[i]))) {
            prof_modules_refresh();
            break;
        }
    struct isp_buf *b = prof_link_begin(ISP_MSG_SITE);
    isp_put_u32(b, s->number);
    prof_module_put(b, frames[0]);
    isp_put_u32(b, n - 1);
    for (uint32_t i = 1; i < n; i++)
        prof_module_put(b, frames[i]);
    prof_link_end();
}

uint32_t prof_site_number(const void *address)
{
    if (!address)
        return 0;
    pthread_mutex_lock(&lock);
    if (2 * (n_sites + 1) > room)
        grow();
    struct slot *s = find_slot(sites, room, address);
    if (!s->address) {
        *s = (struct slot){address, (uint32_t)++n_sites};
        tell(s);
    }
    uint32_t number = s->number;
    pthread_mutex_unlock(&lock);
    return number;
}
