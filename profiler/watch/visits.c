/* SPDX-License-Identifier: BSD-3-Clause */
/* See visits.h. */
#include "visits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/peek.h"
#include "link/uplink.h"
#include "watch_signal.h"

static void answer(enum isp_visited how, uint32_t place, uint64_t number, const uint32_t *unlike, uint32_t n)
{
    struct isp_buf *b = prof_link_begin(ISP_MSG_VISITED);
    isp_put_u8(b, (uint8_t)how);
    isp_put_u32(b, place);
    isp_put_u64(b, number);
    isp_put_list(b, unlike, n);
    prof_link_end();
    prof_link_flush();
}

#if defined __x86_64__

enum { PAD_BYTES = 32, TRAP_FLAG = 0x100, RED_ZONE = 128, STACK_BYTES = 1 << 16 };

static const unsigned char breakpoint = 0xcc;

static struct isp_visit_word words[ISP_VISIT_WORDS_MOST];
static bool was_like[ISP_VISIT_WORDS_MOST];
static struct isp_visit_place places[ISP_VISIT_PLACES_MOST];
static struct {
    unsigned char code[ISP_VISIT_INSTRUCTION_MOST]; /* what stood there */
    uint64_t count;
} at[ISP_VISIT_PLACES_MOST];

static struct {
    bool on;
    struct isp_visits wanted;
    uint32_t last, stepping; /* places */
    uint64_t number;         /* of the visit of `last` */
    unsigned char *pads;     /* by place: its instruction, and a jump to the next one; NULL: none */
    int memory;              /* /proc/self/mem: code cannot be written otherwise */
    struct sigaction before;
} visits = {.memory = -1, .stepping = ISP_VISIT_NONE};

/* This is the thread that makes the rank's calls. */
static __thread bool counts_here __attribute__((tls_model("initial-exec")));

static bool put(uint32_t place, const void *code, size_t size)
{
    return pwrite(visits.memory, code, size, (off_t)places[place].address) == (ssize_t)size;
}

static void put_back(void)
{
    for (uint32_t i = 0; i < visits.wanted.n_places; i++)
        put(i, at[i].code, 1);
}

static void leave(void)
{
    visits.on = false;
    visits.stepping = ISP_VISIT_NONE;
    syscall(SYS_close, visits.memory);
    visits.memory = -1;
}

/* What lies on the stack above its end is there. */
static uint64_t value_of(const struct isp_visit_word *w, uint64_t stack)
{
    uint64_t value = 0;
    if (w->bytes > sizeof value)
        return 0;
    if (w->address + RED_ZONE >= stack && w->address - stack < STACK_BYTES)
        memcpy(&value, (const void *)(uintptr_t)w->address, w->bytes);
    else
        prof_peek(&value, (const void *)(uintptr_t)w->address, w->bytes);
    return value;
}

static bool is_like_target(const greg_t *registers)
{
    static const int numbers[ISP_VISIT_REGISTERS] = {REG_RSP, REG_RBP, REG_RBX, REG_R12,
                                                     REG_R13, REG_R14, REG_R15};
    const struct isp_visits *v = &visits.wanted;
    for (int i = 0; i < ISP_VISIT_REGISTERS; i++)
        if (v->known & 1 << i && (uint64_t)registers[numbers[i]] != v->registers[i])
            return false;
    bool all = true;
    for (uint32_t i = 0; i < v->n_words; i++) {
        bool is = value_of(&words[i], (uint64_t)registers[REG_RSP]) == words[i].value;
        was_like[i] |= is;
        all &= is;
    }
    return all;
}

/* Over the instruction: as a copy of it, or with one step where it stands. */
static void pass(uint32_t place, greg_t *registers)
{
    if (visits.pads && places[place].length) {
        registers[REG_RIP] = (greg_t)(uintptr_t)(visits.pads + (size_t)place * PAD_BYTES);
        return;
    }
    put(place, at[place].code, 1);
    registers[REG_RIP] = (greg_t)places[place].address;
    registers[REG_EFL] |= TRAP_FLAG;
    visits.stepping = place;
}

static void stop_there(uint32_t place, greg_t *registers)
{
    put_back();
    put(place, ISP_VISIT_SPIN, ISP_VISIT_SPIN_BYTES);
    leave();
    registers[REG_RIP] = (greg_t)places[place].address;
    answer(ISP_VISITED_STOPS, visits.last, visits.number, NULL, 0);
}

/* A line may begin at several places: the first one counts until another line comes. */
static void note(uint32_t place)
{
    if (visits.last != ISP_VISIT_NONE && places[visits.last].line == places[place].line)
        return;
    visits.last = place;
    visits.number = at[place].count;
}

static void visit(uint32_t place, greg_t *registers)
{
    const struct isp_visits *v = &visits.wanted;
    uint64_t stack = (uint64_t)registers[REG_RSP];
    bool counts = stack >= v->low && stack < v->high;
    if (!counts_here) {
        pass(place, registers);
        return;
    }
    if (place == v->target && !v->stop && is_like_target(registers)) {
        stop_there(place, registers);
        return;
    }
    at[place].count += counts;
    if (counts && places[place].line)
        note(place);
    if (place == v->target && v->stop && counts && at[place].count == v->stop)
        stop_there(place, registers);
    else
        pass(place, registers);
}

static uint32_t place_at(uint64_t address)
{
    uint32_t low = 0, high = visits.wanted.n_places;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < visits.wanted.n_places && places[low].address == address ? low : ISP_VISIT_NONE;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int error = errno;
    uint32_t place =
        visits.on && info->si_code == SI_KERNEL ? place_at((uint64_t)registers[REG_RIP] - 1) : ISP_VISIT_NONE;
    if (place != ISP_VISIT_NONE) {
        visit(place, registers);
    } else if (visits.stepping != ISP_VISIT_NONE && info->si_code == TRAP_TRACE) {
        registers[REG_EFL] &= ~TRAP_FLAG;
        put(visits.stepping, &breakpoint, 1);
        visits.stepping = ISP_VISIT_NONE;
    } else {
        prof_watch_hand_over(&visits.before, signal, info, context);
    }
    errno = error;
}

/* Without memory for them each instruction is stepped over. */
static void fill_pads(void)
{
    static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0}; /* to the address behind it */
    if (!visits.pads)
        visits.pads = mmap(NULL, ISP_VISIT_PLACES_MOST * PAD_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (visits.pads == MAP_FAILED)
        visits.pads = NULL;
    for (uint32_t i = 0; visits.pads && i < visits.wanted.n_places; i++) {
        unsigned char *pad = visits.pads + (size_t)i * PAD_BYTES;
        uint64_t next = places[i].address + places[i].length;
        memcpy(pad, at[i].code, places[i].length);
        memcpy(pad + places[i].length, jump, sizeof jump);
        memcpy(pad + places[i].length + sizeof jump, &next, sizeof next);
    }
}

static bool read_code(void)
{
    for (uint32_t i = 0; i < visits.wanted.n_places; i++) {
        at[i].count = 0;
        if (!prof_peek(at[i].code, (const void *)(uintptr_t)places[i].address, sizeof at[i].code))
            return false;
    }
    return true;
}

static bool begin(void)
{
    static bool taken;
    taken = taken || prof_watch_take_signal(SIGTRAP, on_trap, &visits.before);
    if (!taken || !prof_watch_has_signal(SIGTRAP, on_trap) || prof_watch_is_traced() || !read_code())
        return false;
    /* not as the program opens files (outside/written.c) */
    visits.memory = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
    if (visits.memory < 0)
        return false;
    fill_pads();
    memset(was_like, 0, sizeof was_like);
    counts_here = true;
    visits.last = ISP_VISIT_NONE;
    visits.number = 0;
    visits.on = true;
    for (uint32_t i = 0; i < visits.wanted.n_places && visits.on; i++)
        if (!put(i, &breakpoint, 1)) {
            put_back();
            leave();
        }
    return visits.on;
}

void prof_visits_take(struct isp_reader *message)
{
    isp_get_visits(message, &visits.wanted, words, places);
    if (!message->ok)
        prof_link_broken();
    if (!begin())
        answer(ISP_VISITED_CANNOT, ISP_VISIT_NONE, 0, NULL, 0);
}

void prof_visits_end(void)
{
    if (!visits.on)
        return;
    put_back();
    leave();
    static uint32_t unlike[ISP_VISIT_WORDS_MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < visits.wanted.n_words; i++)
        if (!was_like[i])
            unlike[n++] = i;
    answer(ISP_VISITED_ENDS, visits.last, visits.number, unlike, n);
}

#else

void prof_visits_take(struct isp_reader *message) { answer(ISP_VISITED_CANNOT, ISP_VISIT_NONE, 0, NULL, 0); }
void prof_visits_end(void) {}

#endif
