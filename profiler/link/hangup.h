/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank on another host than isp ends when isp does, also if it computes and calls nothing. isp ends its own
 * host's ranks; for the others it has the launcher, and not each of these ends its ranks when it is killed
 * (Slurm's srun does not).
 */
#ifndef PROF_HANGUP_H
#define PROF_HANGUP_H

/* A thread waits for the end of this connection. Without the thread, if there can be none. */
void prof_hangup_watch(int fd);

#endif
