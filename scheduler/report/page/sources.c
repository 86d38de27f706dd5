/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <uthash.h>

#include "base/alloc.h"
#include "list.h"
#include "../json.h"
#include "../source_file.h"

enum {
    AROUND = 25,       /* lines above and below */
    WHOLE = 40 << 10,  /* a file up to so many bytes is shown whole */
    TOTAL = 480 << 10, /* bytes of all files: the page of a short run stays below a megabyte */
};

struct source {
    char *file;
    int64_t *lines;
    size_t n, room;
    UT_hash_handle hh;
};

struct sched_page_sources {
    struct source *by_file; /* in the order in which they were noted */
};

struct sched_page_sources *sched_page_sources_create(void)
{
    return sched_alloc(1, sizeof(struct sched_page_sources));
}

void sched_page_sources_destroy(struct sched_page_sources *s)
{
    struct source *each, *next;
    HASH_ITER (hh, s->by_file, each, next) {
        HASH_DEL(s->by_file, each);
        free(each->file);
        free(each->lines);
        free(each);
    }
    free(s);
}

void sched_page_sources_note(struct sched_page_sources *s, const char *file, int64_t line)
{
    struct source *source;
    if (!file || line <= 0)
        return;
    HASH_FIND_STR(s->by_file, file, source);
    if (!source) {
        source = sched_alloc(1, sizeof *source);
        source->file = sched_strdup(file);
        HASH_ADD_KEYPTR(hh, s->by_file, source->file, strlen(source->file), source);
    }
    if (source->n == source->room) {
        source->room = 2 * source->room + 8;
        source->lines = sched_grow(source->lines, source->room, sizeof *source->lines);
    }
    source->lines[source->n++] = line;
}

/* ---- files ---- */

/* The text of a file, or NULL. */
static char *read_text(const char *file, size_t *size)
{
    FILE *in = sched_source_file_open_named(file);
    struct stat st;
    if (!in || fstat(fileno(in), &st) != 0) {
        if (in)
            fclose(in);
        return NULL;
    }
    char *text = sched_alloc((size_t)st.st_size + 1, 1);
    *size = fread(text, 1, (size_t)st.st_size, in);
    fclose(in);
    if (!memchr(text, '\0', *size))
        return text;
    free(text);
    return NULL;
}

/* ---- pieces ---- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* From this line to the one before `end`; *at: where line *line begins, which goes on. */
static json_t *piece(char **at, int64_t *line, int64_t from, int64_t end, size_t *size)
{
    while (*line < from && **at) {
        *at += strcspn(*at, "\n");
        *at += **at == '\n';
        (*line)++;
    }
    const char *begin = *at;
    while (*line < end && **at) {
        *at += strcspn(*at, "\n");
        *at += **at == '\n';
        (*line)++;
    }
    *size = (size_t)(*at - begin);
    char *text = sched_must(strndup(begin, *size));
    json_t *pair = json_pack("[I,o]", (json_int_t)from, sched_json_text(text));
    free(text);
    return pair;
}

/* What is around the lines, as far as `left` bytes go. */
static json_t *pieces(struct source *s, char *text, size_t *left)
{
    json_t *all = json_array();
    char *at = text;
    int64_t line = 1;
    qsort(s->lines, s->n, sizeof *s->lines, by_number);
    for (size_t i = 0; i < s->n && *at;) {
        int64_t from = s->lines[i] > line + AROUND ? s->lines[i] - AROUND : line,
                end = s->lines[i] + AROUND + 1;
        while (++i < s->n && s->lines[i] - AROUND <= end)
            end = s->lines[i] + AROUND + 1;
        size_t size;
        json_t *pair = piece(&at, &line, from, end, &size);
        if (size > *left || size == 0) {
            json_decref(pair);
            continue;
        }
        *left -= size;
        json_array_append_new(all, pair);
    }
    return all;
}

static json_t *read_source(struct source *s, size_t *left)
{
    size_t size;
    char *text = read_text(s->file, &size);
    if (!text)
        return NULL;
    json_t *all;
    if (size <= WHOLE && size <= *left) {
        *left -= size;
        all = json_pack("[[i,o]]", 1, sched_json_text(text));
    } else {
        all = pieces(s, text, left);
    }
    free(text);
    return all;
}

json_t *sched_page_sources_read(struct sched_page_sources *s)
{
    json_t *all = json_object();
    size_t left = TOTAL;
    for (struct source *each = s->by_file; each; each = each->hh.next) {
        json_t *text = read_source(each, &left);
        if (text)
            json_object_set_new(all, each->file, text);
    }
    return all;
}
