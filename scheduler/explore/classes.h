/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of choices, for what multiplies the interleavings (poe/FACTORS.md): one for each call site,
 * function of MPI and kind of choice, on whichever rank. Its key means the same in every process.
 */
#ifndef SCHED_CLASSES_H
#define SCHED_CLASSES_H

#include "poe/poe.h"
#include "poe/search.h"
#include "sites/sites.h"

#define SCHED_CLASS_LIST(_)                                  \
    /*  name      what is chosen there */                    \
    _(RECEIVE, "receive", "a receive from any rank")         \
    _(PROBE, "probe", "a probe of any rank")                 \
    _(WAIT, "wait", "which requests complete")               \
    _(POLL, "poll", "whether a poll succeeds")               \
    _(CANCEL, "cancel", "whether it is cancelled")           \
    _(VISIT, "visit", "who comes first at a window or file") \
    _(THREAD, "thread", "which thread comes first")

enum sched_class_kind {
#define KIND(name, word, what) SCHED_CLASS_##name,
    SCHED_CLASS_LIST(KIND)
#undef KIND
        SCHED_CLASS_COUNT
};
/* "receive" */
const char *sched_class_word(enum sched_class_kind kind);
/* "a receive from any rank" */
const char *sched_class_what(enum sched_class_kind kind);

struct sched_class {
    uint64_t key;
    uint32_t site; /* without callers */
    uint16_t fn;
    uint16_t kind; /* enum sched_class_kind */
};

struct sched_classes;

struct sched_classes *sched_classes_create(struct sched_sites *sites);
void sched_classes_destroy(struct sched_classes *classes);
/* Of the choice point that the search was asked about last. */
void sched_classes_tell(struct sched_classes *classes, struct poe_search *search,
                        const struct poe_choice *choice);
/* Those that were told, of all searches. */
const struct sched_class *sched_classes_all(const struct sched_classes *classes, uint32_t *n);

#endif
