/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sched_process_is_here(const char *host)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    return strcmp(host, own) == 0;
}

bool sched_process_is_stopped(pid_t pid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *in = fopen(path, "re");
    const char *name_end = in && fgets(line, sizeof line, in) ? strrchr(line, ')') : NULL;
    bool stopped = name_end && (strncmp(name_end, ") T", 3) == 0 || strncmp(name_end, ") t", 3) == 0);
    if (in)
        fclose(in);
    return stopped;
}
