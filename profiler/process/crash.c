/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Crashes: see crash.h. The handlers are only put where the program has none (and hand over to what was there
 * before); they run on a stack of their own (the program's may be what overflowed), allocate nothing and take
 * no lock that they could wait for.
 */
#include "crash.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "base/fault.h"
#include "base/sanitized.h"
#include "base/signals.h"
#include "checkpoint.h"
#include "engine/errors.h"
#include "engine/prof.h"
#include "lifecycle.h"
#include "link/finding.h"
#include "link/reach.h"
#include "link/sites.h"
#include "link/uplink.h"

#define FRAMES 48
#define PATH_ROOM 4096

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
#define N_SIGNALS (sizeof signals / sizeof *signals)
static struct sigaction before[N_SIGNALS]; /* what happens after ours */

/* The thread is in a failed assertion of the program's. */
static __thread bool asserts __attribute__((tls_model("initial-exec")));

/* Where the program was when the signal came. */
static void *program_counter(const void *context)
{
    const ucontext_t *u = context;
#if defined __x86_64__
    return (void *)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (void *)u->uc_mcontext.pc;
#else
    (void)u;
    return NULL;
#endif
}

/* pc: where it was, of a signal; else NULL. what: a sanitizer has found, or "". */
static void tell(int signal, void *pc, const char *what)
{
    static uint8_t room[FRAMES * (PATH_ROOM + 12) + 256];
    static void *trace[FRAMES];
    int n = backtrace(trace, FRAMES), first = 0;
    while (pc && first < n && trace[first] != pc)
        first++;
    if (first == n) { /* a jump to nowhere: no frame of it; the handler's own two are skipped */
        first = n > 2 ? 2 : n;
        if (first > 0)
            trace[--first] = pc;
    }
    /* The others are return addresses, one past the call: make this one look alike. A breakpoint is behind us
     * already. */
    if (pc && first < n && signal != SIGTRAP)
        trace[first] = (char *)trace[first] + 1;

    struct isp_buf b = {.data = room, .room = sizeof room};
    size_t at = isp_frame_begin(&b, ISP_MSG_CRASH);
    isp_put_i32(&b, signal);
    isp_put_u32(&b, (uint32_t)(n - first));
    for (int i = first; i < n; i++)
        prof_module_put(&b, trace[i]);
    isp_put_str(&b, what);
    isp_frame_end(&b, at);
    prof_link_write_last(&b);
    if (prof_phase == PROF_RUNNING)
        /* nobody was interrupted in MPI: it may work, for others' accesses to windows */
        prof_link_hold(asserts && prof_depth == 0);
}

/* True: once, and isp can be told. */
static bool may_tell(void)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    return prof_phase != PROF_OFF && prof_is_rank() && !atomic_flag_test_and_set(&told) &&
           prof_reach_scheduler();
}

static void on_crash(int signal, siginfo_t *info, void *context)
{
    prof_fault_go_back(signal);
    if (may_tell())
        tell(signal, program_counter(context), "");
    prof_checkpoint_return();
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (signals[i] == signal)
            sigaction(signal, &before[i], NULL);
    prof_signal_again(signal, info);
}

/* A sanitizer is about to end the process. If that is LeakSanitizer, at the exit, what it has found shows in
 * the exit code. */
static void on_sanitizer(void)
{
    bool addresses = __asan_report_present && __asan_report_present();
    if (!addresses && __lsan_do_leak_check && prof_lifecycle_tell_exit())
        return;
    if (may_tell())
        tell(0, NULL, addresses ? __asan_get_report_description() : "");
    prof_checkpoint_return();
}

void prof_crash_init(void)
{
    static bool called_back;
    if (__sanitizer_set_death_callback && !called_back) /* later the program may have set its own */
        __sanitizer_set_death_callback(on_sanitizer);
    called_back = true;
    static char stack[256 << 10]; /* MPI may work on it */
    void *frame[1];
    backtrace(frame, 1); /* loads what it needs now */
    stack_t old, ours = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
        sigaltstack(&ours, NULL);
    prof_crash_handler = on_crash;
    for (size_t i = 0; i < N_SIGNALS; i++) {
        struct sigaction there;
        if (sigaction(signals[i], NULL, &there) != 0 || there.sa_sigaction == on_crash ||
            !prof_signal_only_prints(&there))
            continue;
        before[i] = there;
        struct sigaction act = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&act.sa_mask);
        sigaction(signals[i], &act, NULL);
    }
}

/* assert() of the program. */
__attribute__((weak, visibility("default"), noreturn)) void
__assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    if (prof_phase != PROF_OFF && prof_is_rank() && prof_reach_scheduler()) {
        char text[1024];
        const char *base = strrchr(file, '/');
        snprintf(text, sizeof text, "assertion `%s' failed in %s (%s:%u)", assertion,
                 function ? function : "?", base ? base + 1 : file, line);
        prof_finding_tell(&(struct prof_finding){.rule = ISP_RULE_ASSERTION,
                                                 .at = {ISP_FN_NONE, __builtin_return_address(0)},
                                                 .text = text,
                                                 .flush = true});
    }
    asserts = true;
    void (*real)(const char *, const char *, unsigned, const char *) =
        (void (*)(const char *, const char *, unsigned, const char *))dlsym(RTLD_NEXT, "__assert_fail");
    if (real)
        real(assertion, file, line, function);
    /* a static program has no other: its words */
    dprintf(2, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
            function ? function : "?", assertion);
    abort();
}
