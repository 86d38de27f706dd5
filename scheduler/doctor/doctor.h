/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `isp doctor [PROGRAM]`: whether isp can work here, and at its best; for each thing what to do if not. A
 * check does the thing where it can: it runs an MPI program, asks the kernel for what the ranks will ask for,
 * binds a socket where isp would.
 */
#ifndef SCHED_DOCTOR_H
#define SCHED_DOCTOR_H

/* argv[0] is "doctor". The exit code: 0, or 1 if isp cannot work. */
int sched_doctor_command(int argc, char **argv);

#endif
