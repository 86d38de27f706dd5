/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Intercomm_create: two collectives in one. Each side's local communicator has an instance of its
 * own; once all of a side have called, it is a *half*, which waits for the half whose leader names
 * this one's, with the same peer communicator and tag. Both fire together.
 */
#ifndef POE_INTERCOMM_H
#define POE_INTERCOMM_H

#include "collective.h"

bool poe_intercomm_is_valid(const struct poe *poe, int rank, const struct isp_call *call);
/* All of the instance's members have called. False if it has to wait for its other side. */
bool poe_intercomm_is_there(struct poe *poe, struct poe_instance *instance);
/* Numbers the communicator of the instance and its other side. */
int poe_intercomm_make(struct poe *poe, const struct poe_instance *instance);
/* Whom it waits for, if it is a half: the leader of the other side. */
void poe_intercomm_missing(const struct poe_instance *instance, bool *wanted);

#endif
