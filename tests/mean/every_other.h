/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this is the first, third ... time that any process asks by this mark, the path of a folder. By calls
 * that isp does not see, to which the mark would be the program's input. */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_every_other(const char *mark)
{
    bool first = syscall(SYS_mkdirat, AT_FDCWD, mark, 0755) == 0;
    if (!first)
        syscall(SYS_unlinkat, AT_FDCWD, mark, AT_REMOVEDIR);
    return first;
}
