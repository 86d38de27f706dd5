/* SPDX-License-Identifier: BSD-3-Clause */
#include "alive.h"

#include <errno.h>
#include <sys/wait.h>

#include "base/timers.h"
#include "link/uplink.h"
#include "threads/quiet.h"
#include "threads/thread.h"

bool prof_alive_children(void)
{
    siginfo_t info;
    int error = errno;
    bool any = waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0;
    errno = error;
    return any;
}

/* With a program order for each thread the rank as a whole is known to be quiet, or not (quiet.h). */
bool prof_alive_any(void)
{
    return prof_link_is_unkept() || prof_alive_children() || prof_timers_any() ||
           (!prof_threads_own_order && prof_threads_several() && !prof_quiet_others());
}
