/* SPDX-License-Identifier: BSD-3-Clause */
#include "timers.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

bool prof_timers_posix(void)
{
    char first;
    /* not as the program opens files (outside/written.c) */
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/timers", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool any = read(fd, &first, 1) == 1;
    close(fd);
    return any;
}

bool prof_timers_any(void)
{
    struct itimerval alarm = {0};
    getitimer(ITIMER_REAL, &alarm);
    return alarm.it_value.tv_sec || alarm.it_value.tv_usec || prof_timers_posix();
}
