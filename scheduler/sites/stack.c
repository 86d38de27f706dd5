/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames are given as sites: module and offset of the return address, as the ranks give theirs. No server is
 * asked for debug information (see sites.c). */
#include "stack.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isp/wire.h"

#include "base/alloc.h"
#include "base/begins.h"

struct walk {
    struct sched_sites *sites;
    uint32_t *frames;
    size_t n, max;
};

static int on_frame(Dwfl_Frame *frame, void *context)
{
    struct walk *w = context;
    Dwarf_Addr pc;
    bool activation;
    if (w->n == w->max || !dwfl_frame_pc(frame, &pc, &activation))
        return DWARF_CB_ABORT;
    Dwfl *dwfl = dwfl_thread_dwfl(dwfl_frame_thread(frame));
    Dwfl_Module *module = dwfl_addrmodule(dwfl, pc - !activation);
    GElf_Addr bias;
    if (!module || !dwfl_module_getelf(module, &bias))
        return DWARF_CB_OK;
    const char *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    if (name) /* a look-up takes the byte before a return address */
        w->frames[w->n++] =
            sched_sites_intern(w->sites, name, (uint32_t)strlen(name), pc - bias + activation);
    return DWARF_CB_OK;
}

size_t sched_stack_of(pid_t pid, pid_t thread, struct sched_sites *sites, uint32_t *frames, size_t max)
{
    static char *debuginfo_path;
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .debuginfo_path = &debuginfo_path,
    };
    struct walk walk = {.sites = sites, .frames = frames, .max = max};
    const char *servers = getenv("DEBUGINFOD_URLS");
    char *keep = servers ? sched_strdup(servers) : NULL;
    unsetenv("DEBUGINFOD_URLS");
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (dwfl && dwfl_linux_proc_report(dwfl, pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
        dwfl_linux_proc_attach(dwfl, pid, false) == 0)
        dwfl_getthread_frames(dwfl, thread, on_frame, &walk);
    if (dwfl)
        dwfl_end(dwfl);
    if (keep)
        setenv("DEBUGINFOD_URLS", keep, 1);
    free(keep);
    return walk.n;
}

const char *sched_module_python(const char *module)
{
    size_t n = strlen(ISP_PYTHON);
    return module && strncmp(module, ISP_PYTHON, n) == 0 ? module + n : NULL;
}

static const char *file_of(const char *module)
{
    const char *slash = module ? strrchr(module, '/') : NULL;
    return slash ? slash + 1 : module ? module : "";
}

bool sched_module_is_isps(const char *module)
{
    static const char *const names[] = {"libisp.so", "libisp-arena.so", "libisp-openmpi.so", "libisp-abi.so",
                                        NULL};
    return sched_begins(file_of(module), names);
}

bool sched_module_is_sanitizers(const char *module)
{
    static const char *const names[] = {"libtsan", "libasan", "liblsan", "libubsan", "libhwasan", NULL};
    return sched_begins(file_of(module), names);
}

bool sched_module_is_system(const char *module)
{
    static const char *const names[] = {"libisp", "libc.so",    "libc-",     "libpthread",  "ld-linux",
                                        "libmpi", "libuc",      "libm.so",   "libgcc_s",    "libfabric",
                                        "[vdso",  "linux-vdso", "libstdc++", "libgfortran", NULL};
    const char *name = file_of(module);
    return sched_begins(name, names) || sched_module_is_sanitizers(name) || !*name;
}

/* The first frame from `top` on in its module that has a source line: in a static program, the C library and
 * MPI are in the same module as the program. `top` if there is none. */
static size_t with_source(struct sched_sites *sites, const uint32_t *frames, size_t n, size_t top)
{
    const char *module = sched_sites_find(sites, frames[top])->module;
    for (size_t i = top; i < n; i++) {
        const struct sched_location *l = sched_sites_find(sites, frames[i]);
        if (!l->module || strcmp(l->module, module) != 0)
            break;
        if (l->file)
            return i;
    }
    return top;
}

size_t sched_stack_top(struct sched_sites *sites, const uint32_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sched_sites_own(sites, frames[i]))
            return i;
    for (size_t i = 0; i < n; i++)
        if (!sched_module_is_system(sched_sites_find(sites, frames[i])->module))
            return with_source(sites, frames, n, i);
    return 0;
}
