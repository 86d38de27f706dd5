/* SPDX-License-Identifier: BSD-3-Clause */
/* See kernel.h. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool sched_kernel_tells_changes(void)
{
    enum { UNPOPULATED = 1 << 13, ASYNC = 1 << 15, PRESENT = 1 << 3, GUARD = 1 << 8, GUARD_INSTALL = 102 };
    struct {
        uint64_t start, end, categories;
    } region;
    struct {
        uint64_t size, flags, start, end, walk_end, regions, room, most, inverted, all_of, any_of, returned;
    } scan = {.size = sizeof scan,
              .end = (uint64_t)1 << 46,
              .regions = (uintptr_t)&region,
              .room = 1,
              .most = 1,
              .any_of = PRESENT,
              .returned = PRESENT | GUARD};
    struct uffdio_api api = {.api = UFFD_API, .features = UNPOPULATED | ASYNC};
    int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | 1 /* user mode only */),
        pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    bool has = faults >= 0 && pagemap >= 0 && ioctl(faults, UFFDIO_API, &api) == 0,
         well = has && ioctl(pagemap, _IOWR('f', 16, scan), &scan) >= 0;
    if (has && !well) { /* there are no guards, or they are hidden: base/pagemap.h */
        scan.returned = PRESENT;
        well = ioctl(pagemap, _IOWR('f', 16, scan), &scan) >= 0 &&
               syscall(SYS_madvise, 4096, 4096, GUARD_INSTALL) < 0 && errno != ENOMEM;
    }
    if (faults >= 0)
        close(faults);
    if (pagemap >= 0)
        close(pagemap);
    return well;
}
