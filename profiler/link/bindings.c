/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See bindings.h. In a static program a binding is no module of its own. isp-fort links a copy of
 * libmpichfort.a whose text is a section of its own, with the linker's names for its ends.
 *
 * The inline functions of C++'s binding (MPI::Comm::Send in mpicxx.h) are compiled into the program. They are
 * known by their names, which the program exports because libmpichcxx has them too.
 */
#include "bindings.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "entries/tools.h"
#include "python.h"
#include "stacks.h"

enum { BINDINGS_MAX = 8, FRAMES_MAX = 96, TOOL_FRAMES = 16, KNOWN = 1024 };

bool prof_bindings_loaded;

static struct binding {
    uintptr_t low, high;
} bindings[BINDINGS_MAX];
static int n_bindings;
static bool has_cxx;

/* Of libgcc, which every program in Fortran or C++ has, and others need not load. */
extern __typeof__(_Unwind_Backtrace) _Unwind_Backtrace __attribute__((weak));
extern __typeof__(_Unwind_GetIP) _Unwind_GetIP __attribute__((weak));
extern __typeof__(_Unwind_GetCFA) _Unwind_GetCFA __attribute__((weak));

static struct {
    __typeof__(_Unwind_Backtrace) *walk;
    __typeof__(_Unwind_GetIP) *address;
    __typeof__(_Unwind_GetCFA) *frame;
} unwind;
static bool takes_stacks; /* --stacks */
static bool has_python;

extern const char __start_isp_mpifort[] __attribute__((weak, visibility("hidden")));
extern const char __stop_isp_mpifort[] __attribute__((weak, visibility("hidden")));

static bool is_inside(uintptr_t address)
{
    for (int i = 0; i < n_bindings; i++)
        if (address >= bindings[i].low && address < bindings[i].high)
            return true;
    return false;
}

static void add(uintptr_t low, uintptr_t high)
{
    if (low < high && n_bindings < BINDINGS_MAX && !is_inside(low))
        bindings[n_bindings++] = (struct binding){low, high};
    prof_bindings_loaded |= n_bindings > 0 || takes_stacks;
}

/* ---- finding them ---- */

static void load_unwinder(void)
{
    static void *libgcc; /* for good */
    static bool tried;
    if (unwind.walk || tried)
        return;
    tried = true;
    libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
    unwind.address = libgcc ? (__typeof__(unwind.address))dlsym(libgcc, "_Unwind_GetIP") : NULL;
    unwind.frame = libgcc ? (__typeof__(unwind.frame))dlsym(libgcc, "_Unwind_GetCFA") : NULL;
    if (unwind.address && unwind.frame)
        unwind.walk = (__typeof__(unwind.walk))dlsym(libgcc, "_Unwind_Backtrace");
}

static bool is_called(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, name, strlen(name)) == 0;
}

static int visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    static const char *const names[] = {
        "libmpichfort.so", "libmpichcxx.so",
        /* what a program of another MPI calls: our front (adapters/), itself or by Open MPI's bindings */
        "libisp-abi.so", "libisp-openmpi.so", "libmpi_mpifh", "libmpi_usempi", "libmpi_cxx.so"};
    size_t of = 0;
    while (of < sizeof names / sizeof *names && !is_called(info->dlpi_name, names[of]))
        of++;
    if (of == sizeof names / sizeof *names)
        return 0;
    bool cxx = strstr(names[of], "cxx");
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
        if (p->p_type != PT_LOAD)
            continue;
        low = begin < low ? begin : low;
        high = end > high ? end : high;
    }
    if (is_inside(low))
        return 0;
    add(low, high);
    has_cxx |= cxx;
    return 0;
}

void prof_bindings_refresh(void)
{
    if (!unwind.walk && _Unwind_Backtrace && _Unwind_GetIP && _Unwind_GetCFA) {
        unwind.walk = _Unwind_Backtrace;
        unwind.address = _Unwind_GetIP;
        unwind.frame = _Unwind_GetCFA;
    }
    add((uintptr_t)__start_isp_mpifort, (uintptr_t)__stop_isp_mpifort);
    dl_iterate_phdr(visit, NULL);
    if (n_bindings > 0)
        load_unwinder();
    prof_bindings_loaded |= has_python = prof_python_find();
}

/* ---- constants ---- */

bool prof_bindings_in_place(const void *buffer)
{
    if (!prof_bindings_loaded)
        return false;
    static void **mpif,
        *f08; /* mpif.h: MPICH keeps the address of the constant; mpi_f08: the constant is a variable */
    static bool known;
    if (!known) {
        mpif = dlsym(RTLD_DEFAULT, "MPIR_F_MPI_IN_PLACE");
        f08 = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_IN_PLACE");
        known = true;
    }
    return (mpif && buffer && buffer == *mpif) || (f08 && buffer == f08);
}

/* ---- who called ---- */

/* True for the code of an inline function of the C++ binding. Answers are kept: an address and the answer, in
 * one word. */
static bool is_inline(uintptr_t address)
{
    static _Atomic uintptr_t known[KNOWN];
    _Atomic uintptr_t *place = &known[address * 0x9e3779b97f4a7c15u >> 54];
    uintptr_t entry = atomic_load_explicit(place, memory_order_relaxed);
    if (entry >> 1 == address)
        return entry & 1;
    Dl_info info;
    bool is = dladdr((const void *)address, &info) && info.dli_sname &&
              (strncmp(info.dli_sname, "_ZN3MPI", 7) == 0 || strncmp(info.dli_sname, "_ZNK3MPI", 8) == 0);
    atomic_store_explicit(place, address << 1 | is, memory_order_relaxed);
    return is;
}

static bool is_binding(uintptr_t address) { return is_inside(address) || (has_cxx && is_inline(address)); }

/* Where the stack of the program begins, above that of the binding; 0: it made the call itself. */
static __thread uintptr_t edge __attribute__((tls_model("initial-exec")));

struct walk {
    uintptr_t address; /* the innermost frame to look at */
    bool begun;
    uint32_t of_tool; /* frames of a tool, the innermost ones */
    int seen;
    const void **frames; /* the program's, innermost first */
    uint32_t n, most;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
    struct walk *w = data;
    uintptr_t address = (uintptr_t)unwind.address(context);
    w->begun |= address == w->address;
    if (++w->seen > FRAMES_MAX || !address)
        return _URC_END_OF_STACK;
    if (!w->begun || (w->n == 0 && is_binding(address)))
        return _URC_NO_REASON;
    if (w->of_tool > 0) {
        w->of_tool--;
        return _URC_NO_REASON;
    }
    if (w->n == 0 && address != w->address)
        edge = (uintptr_t)unwind.frame(context);
    w->frames[w->n++] = (const void *)address;
    return w->n < w->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* How many frames there are; 0: unknown. */
static uint32_t walk(const void *address, uint32_t of_tool, const void **frames, uint32_t most)
{
    struct walk w = {.address = (uintptr_t)address, .of_tool = of_tool, .frames = frames, .most = most};
    if (unwind.walk)
        unwind.walk(step, &w);
    return w.n;
}

/* Of the innermost frames, how many are a tool's: up to the outermost function MPI_X that is reached in its
 * module. */
static uint32_t of_tool(const void *address)
{
    const void *frames[TOOL_FRAMES];
    if (!(prof_tool_kind((uintptr_t)address) & PROF_TOOL_MODULE))
        return 0;
    load_unwinder();
    uint32_t n = walk(address, 0, frames, TOOL_FRAMES), of_tool = 0;
    for (uint32_t i = 0; i < n; i++) {
        unsigned kind = prof_tool_kind((uintptr_t)frames[i]);
        if (kind & PROF_TOOL_FUNCTION)
            of_tool = i + 1;
        if (!(kind & PROF_TOOL_MODULE))
            break;
    }
    return of_tool;
}

/* The script that has called a module in C, which called MPI; NULL: there is none. */
static const void *script(const void *address)
{
    const void *places[PROF_STACK_FRAMES];
    uint32_t n = has_python ? prof_python_places(address, places, takes_stacks ? PROF_STACK_FRAMES : 1) : 0;
    return n == 0 ? NULL : takes_stacks ? prof_stack_site(places, n) : places[0];
}

static const void *programs_caller(const void *address)
{
    const void *frames[PROF_STACK_FRAMES];
    edge = 0;
    uint32_t skipped = of_tool(address);
    if (!takes_stacks && !skipped && !is_binding((uintptr_t)address))
        return address;
    uint32_t n = walk(address, skipped, frames, takes_stacks ? PROF_STACK_FRAMES : 1);
    if (n == 0)
        return address;
    return takes_stacks && !has_python ? prof_stack_site(frames, n) : frames[0];
}

const void *prof_bindings_caller(const void *address)
{
    const void *site = programs_caller(address), *line = script(site);
    return line ? line : site;
}

void prof_bindings_take_stacks(void)
{
    load_unwinder();
    takes_stacks = unwind.walk;
    prof_bindings_loaded |= takes_stacks;
}

bool prof_bindings_is_temporary(const void *address)
{
    return has_cxx ||
           ((uintptr_t)address < edge && (uintptr_t)address > (uintptr_t)__builtin_frame_address(0));
}
