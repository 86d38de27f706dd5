/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns.h"

#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/alloc.h"

enum { BLOCK = 2048 };

struct sched_page_column {
    z_stream z; /* begun with the first block */
    bool begun;
    uint32_t last, block[BLOCK];
    unsigned n;
    unsigned char *data;
    size_t size, room;
};

static void compress_block(struct sched_page_column *c, int flush)
{
    if (!c->begun && deflateInit(&c->z, Z_DEFAULT_COMPRESSION) != Z_OK)
        sched_must(NULL);
    c->begun = true;
    c->z.next_in = (unsigned char *)c->block;
    c->z.avail_in = c->n * (unsigned)sizeof *c->block;
    do {
        if (c->room - c->size < 1024) {
            c->room = 2 * c->room + 4096;
            c->data = sched_grow(c->data, c->room, 1);
        }
        c->z.next_out = c->data + c->size;
        c->z.avail_out = (unsigned)(c->room - c->size > 1 << 30 ? 1 << 30 : c->room - c->size);
        unsigned before = c->z.avail_out;
        deflate(&c->z, flush);
        c->size += before - c->z.avail_out;
    } while (c->z.avail_out == 0);
    c->n = 0;
}

static void append(struct sched_page_column *c, int64_t value)
{
    uint32_t v = (uint32_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
    c->block[c->n++] = htole32(v - c->last);
    c->last = v;
    if (c->n == BLOCK)
        compress_block(c, Z_NO_FLUSH);
}

void sched_page_row(struct sched_page_table *t, const int64_t *values)
{
    for (int i = 0; t->columns[i]; i++) {
        if (!t->column[i])
            t->column[i] = sched_alloc(1, sizeof *t->column[i]);
        append(t->column[i], values[i]);
    }
    t->rows++;
}

static void write_base64(const unsigned char *data, size_t size, FILE *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                        (left > 2 ? data[i + 2] : 0u);
        putc_unlocked(letters[bits >> 18], out);
        putc_unlocked(letters[bits >> 12 & 63], out);
        putc_unlocked(left > 1 ? letters[bits >> 6 & 63] : '=', out);
        putc_unlocked(left > 2 ? letters[bits & 63] : '=', out);
    }
}

void sched_page_table_write(struct sched_page_table *t, FILE *out)
{
    fprintf(out, "\"%s\":{\"rows\":%u,\"columns\":{", t->name, (unsigned)t->rows);
    for (int i = 0; t->columns[i]; i++) {
        struct sched_page_column *c = t->column[i];
        fprintf(out, "%s\"%s\":\"", i ? "," : "", t->columns[i]);
        if (c) {
            compress_block(c, Z_FINISH);
            write_base64(c->data, c->size, out);
        }
        fputc('"', out);
    }
    fputs("}}", out);
}

void sched_page_table_finish(struct sched_page_table *t)
{
    for (int i = 0; t->columns[i]; i++) {
        if (!t->column[i])
            continue;
        if (t->column[i]->begun)
            deflateEnd(&t->column[i]->z);
        free(t->column[i]->data);
        free(t->column[i]);
        t->column[i] = NULL;
    }
}
