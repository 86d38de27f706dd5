/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory shared with the ranks: see rings.h. A rank cannot shrink it, so isp is safe from it. */
#include "rings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

static size_t size_of(int n) { return isp_ring_slot_at(n); }

struct sched_rings *sched_rings_create(int n)
{
    int fd = memfd_create("isp-rings", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return NULL;
    void *head = MAP_FAILED;
    if (ftruncate(fd, (off_t)size_of(n)) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        head = mmap(NULL, size_of(n), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED) {
        close(fd);
        return NULL;
    }
    struct sched_rings *rings = sched_alloc(1, sizeof *rings);
    *rings = (struct sched_rings){.fd = fd, .n = n, .head = head};
    return rings;
}

void sched_rings_destroy(struct sched_rings *rings)
{
    if (!rings)
        return;
    munmap(rings->head, size_of(rings->n));
    close(rings->fd);
    free(rings);
}

struct isp_ring_slot *sched_rings_slot(const struct sched_rings *rings, int rank)
{
    return (struct isp_ring_slot *)((char *)rings->head + isp_ring_slot_at(rank));
}
