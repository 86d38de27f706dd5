/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into isp: before it gives the file FAULTS_HOLD its name for the time FAULTS_HOLD_AT (from 1), it
 * makes FAULTS_FOLDER/held.PID and waits for FAULTS_FOLDER/go. So the file is written beside its place, and
 * is not there yet. The ranks have it too, and it does nothing in them.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void hold(void)
{
    const char *folder = getenv("FAULTS_FOLDER");
    char path[4096];
    snprintf(path, sizeof path, "%s/held.%d", folder, (int)getpid());
    mknod(path, S_IFREG | 0644, 0);
    snprintf(path, sizeof path, "%s/go", folder);
    while (access(path, F_OK) != 0)
        usleep(1000);
}

int rename(const char *from, const char *to)
{
    static int times;
    int (*next)(const char *, const char *);
    *(void **)&next = dlsym(RTLD_NEXT, "rename");
    const char *file = getenv("FAULTS_HOLD");
    if (file && strcmp(file, to) == 0 && ++times == atoi(getenv("FAULTS_HOLD_AT")))
        hold();
    return next(from, to);
}
