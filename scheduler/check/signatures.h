/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signatures of datatypes that ranks have told (ISP_MSG_TYPE). A signature that several ranks, runs or types
 * have is there once, so it has one number in the whole exploration.
 *
 * A type is a number as in a record: a basic type, or ISP_TYPE_TOLD + the number of a signature. What a
 * message holds is `count` times such a type; its elements are basic types, counted from 0.
 */
#ifndef SCHED_SIGNATURES_H
#define SCHED_SIGNATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/signature.h"
#include "isp/wire.h"

struct sched_signatures;

struct sched_signatures *sched_signatures_create(void);
void sched_signatures_destroy(struct sched_signatures *signatures);

/* Reads what follows the number in a TYPE message; returns the type. in->ok is false if no rank can have sent
 * it. */
uint32_t sched_signatures_take(struct sched_signatures *signatures, struct isp_reader *in);

/* Of `count` times a type. Of a type that is unknown: length 0. `signatures` may be NULL: then only basic
 * types are known. */
struct isp_signature sched_signature_of(const struct sched_signatures *signatures, uint32_t type,
                                        uint64_t count);
/* Of its first n elements, n <= its length. */
struct isp_signature sched_signature_prefix(const struct sched_signatures *signatures, uint32_t type,
                                            uint64_t count, uint64_t n);
/* Size of the data. */
uint64_t sched_signature_bytes(const struct sched_signatures *signatures, uint32_t type, uint64_t count);
/* The basic type of element i. */
uint32_t sched_signature_at(const struct sched_signatures *signatures, uint32_t type, uint64_t count,
                            uint64_t i);
/* "4 MPI_INT", "2 {MPI_INT, 3 MPI_DOUBLE}"; long ones are cut. Caller frees. */
char *sched_signature_words(const struct sched_signatures *signatures, uint32_t type, uint64_t count);

#endif
