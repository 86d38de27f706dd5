/* SPDX-License-Identifier: BSD-3-Clause */
/* See signals.h. */
#include "signals.h"

#include <dlfcn.h>
#include <string.h>

prof_signal_handler *prof_crash_handler;

bool prof_signal_is_crash(const struct sigaction *act)
{
    return prof_crash_handler && (act->sa_flags & SA_SIGINFO) && act->sa_sigaction == prof_crash_handler;
}

bool prof_signal_only_prints(const struct sigaction *act)
{
    Dl_info info;
    if (!(act->sa_flags & SA_SIGINFO) && act->sa_handler == SIG_DFL)
        return true;
    return dladdr((void *)act->sa_sigaction, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "/libucs") || strstr(info.dli_fname, "/libgfortran"));
}

void prof_signal_again(int signal, const siginfo_t *info)
{
    if (info->si_code <= 0 || signal == SIGTRAP)
        raise(signal);
}
