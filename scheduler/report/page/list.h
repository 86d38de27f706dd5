/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON for a page: in it nothing can end the script that it stands in. Long lists are kept as the text that
 * they become. */
#ifndef SCHED_REPORT_PAGE_LIST_H
#define SCHED_REPORT_PAGE_LIST_H

#include <jansson.h>
#include <stdio.h>

/* Compact. */
void sched_page_json(const json_t *value, FILE *out);

struct sched_page_list {
    FILE *out;
    char *text;
    size_t size;
    int32_t n;
};

void sched_page_list_init(struct sched_page_list *list);
/* Takes the value. */
void sched_page_list_add(struct sched_page_list *list, json_t *value);
void sched_page_list_write(struct sched_page_list *list, FILE *out);
void sched_page_list_finish(struct sched_page_list *list);

#endif
