/* SPDX-License-Identifier: BSD-3-Clause */
/* Suppression files: read, and what can be read applied to findings. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "base/alloc.h"
#include "isp/functions.h"
#include "findings/suppressions.h"

/* Some findings, with and without call sites. */
static struct sched_findings *some_findings(struct sched_sites *sites)
{
    struct sched_findings *findings = sched_findings_create();
    uint32_t site = sched_sites_intern(sites, "/nowhere/app", 12, 4096),
             frames[2] = {site, sched_sites_intern(sites, "/nowhere/lib.so", 15, 64)};
    struct sched_site_ref refs[] = {{0, ISP_FN_MPI_Send, site},
                                    {1, ISP_FN_MPI_Recv, sched_sites_intern_stack(sites, frames, 2)}};
    for (int rule = 0; rule < ISP_RULE_COUNT; rule++) {
        char key[16];
        snprintf(key, sizeof key, "%d", rule);
        struct sched_finding f = {.rule = (enum isp_rule)rule,
                                  .message = "message",
                                  .story = "story\n",
                                  .interleaving = "0",
                                  .sites = refs,
                                  .n_sites = (size_t)rule % 3,
                                  .count = 1};
        sched_findings_add(findings, key, &f);
    }
    return findings;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("suppressions", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct sched_suppressions *all = sched_suppressions_create();
    char *why = sched_suppressions_read(all, path);
    if (!why) {
        struct sched_sites *sites = sched_sites_create();
        struct sched_findings *findings = some_findings(sites);
        sched_suppressions_apply(all, findings, sites);
        sched_findings_destroy(findings);
        sched_sites_destroy(sites);
    }
    free(why);
    sched_suppressions_destroy(all);
    close(fd);
    return 0;
}
