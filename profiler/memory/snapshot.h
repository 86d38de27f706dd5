/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the bytes of a region were at some time: a copy if they are few, else a hash. So it can be said later
 * that they were changed, and of a copy also which bytes, from what to what.
 */
#ifndef PROF_SNAPSHOT_H
#define PROF_SNAPSHOT_H

#include "regions.h"

#define PROF_SNAPSHOT_SMALL 32  /* bytes that need no memory of their own */
#define PROF_SNAPSHOT_COPY 4096 /* at most that many bytes are copied */
#define PROF_SNAPSHOT_RUNS (1 << 20)

struct prof_snapshot {
    enum { PROF_SNAPSHOT_NONE, PROF_SNAPSHOT_COPIED, PROF_SNAPSHOT_HASHED } kind;
    bool whole; /* wanted: a copy, however many they are */
    union {
        unsigned char few[PROF_SNAPSHOT_SMALL];
        unsigned char *copy;
        uint64_t hash;
    } as;
};

struct prof_change {
    bool gone;           /* the memory is not there any more */
    struct prof_run run; /* from the first changed byte to the last one; length 0: somewhere in it */
};

/* Also of a region that was looked at before. Of one in more than PROF_SNAPSHOT_RUNS pieces nothing is
 * known. */
void prof_snapshot_take(struct prof_snapshot *s, const struct prof_region *r);
/* True: the bytes are not those any more. */
bool prof_snapshot_differs(const struct prof_snapshot *s, const struct prof_region *r,
                           struct prof_change *change);
/* What the bytes from `at` on were, if all of them are in one run of the region, and a copy was made. */
bool prof_snapshot_old(const struct prof_snapshot *s, const struct prof_region *r, struct prof_run bytes,
                       unsigned char *was);
/* How many elements of that size are others now; 0 also where no copy was made. */
uint64_t prof_snapshot_count(const struct prof_snapshot *s, const struct prof_region *r, size_t size);
/* What it has. */
struct prof_hash;
void prof_snapshot_hash(struct prof_hash *hash, const struct prof_snapshot *s, const struct prof_region *r);
/* Of the same region, as before: then nothing is known any more. */
void prof_snapshot_finish(struct prof_snapshot *s, const struct prof_region *r);

#endif
