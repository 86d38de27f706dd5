/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a trace that was selected, as the tables and lists of viewer/DATA.md. */
#ifndef SCHED_REPORT_PAGE_TABLES_H
#define SCHED_REPORT_PAGE_TABLES_H

#include "columns.h"
#include "list.h"
#include "selection.h"
#include "sources.h"

enum sched_page_table_id {
    SCHED_PAGE_NODE,
    SCHED_PAGE_CALL,
    SCHED_PAGE_REQUEST,
    SCHED_PAGE_BEFORE,
    SCHED_PAGE_MATCH,
    SCHED_PAGE_MEMBER,
    SCHED_PAGE_ANSWER,
    SCHED_PAGE_POSITION,
    SCHED_PAGE_CHOICE,
    SCHED_PAGE_ALTERNATIVE,
    SCHED_PAGE_INTERLEAVING,
    SCHED_PAGE_JOINED,
    SCHED_PAGE_SHOWN,
    SCHED_PAGE_TABLES,
};

struct sched_page_tables {
    struct sched_page_table table[SCHED_PAGE_TABLES];
    struct sched_page_list kinds, sites, communicators, waiting;
    json_t *endings;
    json_t *printed;                    /* by the row of the interleaving */
    struct sched_page_sources *sources; /* borrowed */
};

/* Notes the places in `sources` as well. */
void sched_page_tables_init(struct sched_page_tables *tables, struct sched_asked *asked,
                            const struct sched_page_selection *selection, struct sched_page_sources *sources);
void sched_page_tables_finish(struct sched_page_tables *tables);

#endif
