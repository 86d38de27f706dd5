/* SPDX-License-Identifier: BSD-3-Clause */
/* What kind of machine this is: advice names only what there is here. */
#ifndef SCHED_DOCTOR_HERE_H
#define SCHED_DOCTOR_HERE_H

#include <stdbool.h>

/* A package by its names; NULL: there is none of it that is known. */
struct sched_package {
    const char *debian, *fedora, *arch, *suse;
};

/* " (apt install mpich)", as the package manager in PATH is called; "" if none is known. Caller frees. */
char *sched_here_install(struct sched_package package);

/* Docker's, Podman's, or one that says so (systemd-nspawn, Kubernetes). */
bool sched_here_is_container(void);

/* Linux is at least this. */
bool sched_here_is_linux(int major, int minor);

/* A file beside this isp: in its build folder, or where it was installed (PREFIX/bin). NULL: neither is
 * there. Caller frees. */
char *sched_here_file(const char *in_build, const char *in_prefix);

#endif
