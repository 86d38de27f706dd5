/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a collective that is issued later than it is called: nonblocking, persistent, or one whose
 * rank may leave early. Arrays of counts, displacements and types are copied; the communicator, the types and
 * the operation live until the last user drops the arguments, even if the program frees them before.
 */
#ifndef PROF_KEPT_H
#define PROF_KEPT_H

#include "forms.h"

#include "tables/communicators.h"
#include "types/types.h"

struct prof_kept {
    const struct prof_form *form;
    enum isp_fn fn; /* what the program called: records of other ranks must have the same */
    const void *site;
    void *arguments; /* form->size bytes */
    struct prof_comm *comm;
    int32_t root; /* world rank, or ISP_NO_RANK */
    uint32_t redop;
    struct prof_type **types;
    void **copies;
    uint32_t n_types, n_copies;
    uint32_t *sources, n_sources; /* whose data it gets: neighbours.h, wanted.h; behind them the shares of its
                                     record */
    unsigned users;
    enum isp_flow flow; /* for its record: that of the form, or, by the counts, that of the sources
                           (wanted.h) */
    bool takes_nothing; /* it gets no data of another member */
    bool with_slots;    /* flow ALL: some may take nothing, so all members have a slot (enum isp_flow) */
    int32_t persistent; /* which one of its communicator, from 1; 0: it is not */
    enum isp_make make;
    int32_t made;                                 /* number of the communicator that it made */
    void (*finish)(const struct prof_kept *kept); /* NULL: nothing to do when it is complete */
};

/* One user. NULL: MPI itself must say what is wrong with the arguments. */
struct prof_kept *prof_kept_create(const struct prof_form *form, enum isp_fn fn, const void *site,
                                   void *arguments);
void prof_kept_hold(struct prof_kept *kept);
void prof_kept_drop(struct prof_kept *kept);
/* For the record, whose list belongs to the arguments; and the types in it (given.c). */
struct isp_call prof_kept_call(struct prof_kept *kept);
void prof_kept_sign(struct isp_call *call, struct prof_kept *kept);

/* What it is to do, but for the meaning of its handles. */
struct prof_hash;
void prof_kept_hash(struct prof_hash *hash, const struct prof_kept *kept);

/* Whether this rank's send or receive arguments mean anything (a root's or the others' may not). */
bool prof_kept_sends(const struct prof_form *form, const void *arguments, const struct prof_comm *c);
bool prof_kept_receives(const struct prof_form *form, const void *arguments, const struct prof_comm *c);

/* How many values an array has; negative: the communicator has no neighbourhood. */
int prof_kept_length(const struct prof_form *form, const struct prof_form_argument *a,
                     const struct prof_comm *c);

/* World rank of the root that the program named; false: no such root. */
bool prof_root_find(const struct prof_comm *c, int root, int32_t *world);
/* What ranks can compare of a reduction operation. */
uint32_t prof_redop_number(MPI_Op op);

#endif
