/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

#include <stdlib.h>

#include "base/alloc.h"

/* <, > and & occur in JSON only within strings. */
static int write_escaped(const char *buffer, size_t size, void *data)
{
    FILE *out = data;
    for (size_t i = 0; i < size; i++)
        if (buffer[i] == '<' || buffer[i] == '>' || buffer[i] == '&')
            fprintf(out, "\\u%04x", (unsigned)buffer[i]);
        else
            putc_unlocked(buffer[i], out);
    return 0;
}

void sched_page_json(const json_t *value, FILE *out)
{
    json_dump_callback(value, write_escaped, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
}

void sched_page_list_init(struct sched_page_list *list)
{
    *list = (struct sched_page_list){0};
    list->out = sched_must(open_memstream(&list->text, &list->size));
}

void sched_page_list_add(struct sched_page_list *list, json_t *value)
{
    if (list->n++)
        putc_unlocked(',', list->out);
    sched_page_json(value, list->out);
    json_decref(value);
}

void sched_page_list_write(struct sched_page_list *list, FILE *out)
{
    fflush(list->out);
    putc_unlocked('[', out);
    fwrite(list->text, 1, list->size, out);
    putc_unlocked(']', out);
}

void sched_page_list_finish(struct sched_page_list *list)
{
    fclose(list->out);
    free(list->text);
}
