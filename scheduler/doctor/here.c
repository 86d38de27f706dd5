/* SPDX-License-Identifier: BSD-3-Clause */
#include "here.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"
#include "launch/program.h"

char *sched_here_install(struct sched_package package)
{
    const struct {
        const char *manager, *words, *name;
    } all[] = {{"apt", "apt install", package.debian},
               {"dnf", "dnf install", package.fedora},
               {"pacman", "pacman -S", package.arch},
               {"zypper", "zypper install", package.suse}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *path = all[i].name ? sched_program_find(all[i].manager) : NULL;
        free(path);
        if (path)
            return sched_format(" (%s %s)", all[i].words, all[i].name);
    }
    return sched_strdup("");
}

bool sched_here_is_container(void)
{
    return getenv("container") || getenv("KUBERNETES_SERVICE_HOST") || access("/.dockerenv", F_OK) == 0 ||
           access("/run/.containerenv", F_OK) == 0;
}

bool sched_here_is_linux(int major, int minor)
{
    struct utsname machine;
    int is_major = 0, is_minor = 0;
    return uname(&machine) == 0 && sscanf(machine.release, "%d.%d", &is_major, &is_minor) == 2 &&
           (is_major > major || (is_major == major && is_minor >= minor));
}

static char *beside(const char *folder, const char *name)
{
    char *path = sched_format("%s/%s", folder, name), *real = realpath(path, NULL);
    free(path);
    return real;
}

char *sched_here_file(const char *in_build, const char *in_prefix)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    char *file = beside(self, in_build);
    return file ? file : beside(self, in_prefix);
}
