/* SPDX-License-Identifier: BSD-3-Clause */
/* What the format allows and isp has no use for: pages that overflow, free blocks within pages, keys that are
 * not integers. */
#include "pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

enum {
    INTERIOR = 5,
    LEAF = 13, /* kinds of pages */
    LEAF_HEAD = 8,
    INTERIOR_HEAD = 12, /* bytes */
    VARINT_MOST = 9,
    CHILD_MOST = 2 + 4 + VARINT_MOST, /* bytes of a page's entry for a child */
    MOST_LOCAL = 35,                  /* a row that is no longer than a page without so many bytes has no
                                         overflow pages */
};

#define LOCK_BYTE 0x40000000u /* the page that holds it is never used */

struct sched_pages {
    int fd;
    unsigned page_bytes;
    bool has_id;
    uint32_t full;      /* pages in the file */
    uint8_t *page;      /* the last one, which is not in it */
    unsigned rows, top; /* on that page: pointers to rows grow up, the rows themselves down */
    int64_t last;
};

struct sched_pages *sched_pages_create(int fd, unsigned page_bytes, bool has_id)
{
    struct sched_pages *p = sched_alloc(1, sizeof *p);
    *p = (struct sched_pages){.fd = fd,
                              .page_bytes = page_bytes,
                              .has_id = has_id,
                              .page = sched_alloc(page_bytes, 1),
                              .top = page_bytes};
    return p;
}

void sched_pages_destroy(struct sched_pages *p)
{
    if (!p)
        return;
    close(p->fd);
    free(p->page);
    free(p);
}

int64_t sched_pages_last(const struct sched_pages *p) { return p->last; }

/* ---- numbers ---- */

static void put_u16(uint8_t *at, unsigned n)
{
    at[0] = (uint8_t)(n >> 8);
    at[1] = (uint8_t)n;
}

static unsigned get_u16(const uint8_t *at) { return (unsigned)at[0] << 8 | at[1]; }

static uint8_t *put_big_endian(uint8_t *at, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(n >> 8 * (bytes - 1 - i));
    return at + bytes;
}

/* Seven bits of each byte, the highest ones first; the ninth byte has eight. */
static uint8_t *put_varint(uint8_t *at, uint64_t n)
{
    unsigned bytes = 1;
    if (n < 0x80) {
        *at = (uint8_t)n;
        return at + 1;
    }
    while (bytes < VARINT_MOST && n >> 7 * bytes)
        bytes++;
    uint8_t *end = at + bytes;
    if (bytes == VARINT_MOST) {
        at[8] = (uint8_t)n;
        n >>= 8;
        bytes--;
    }
    for (unsigned i = bytes; i-- > 0; n >>= 7)
        at[i] = (uint8_t)(n | 0x80);
    if (end == at + bytes)
        end[-1] &= 0x7f;
    return end;
}

static const uint8_t *get_varint(const uint8_t *at, uint64_t *n)
{
    *n = 0;
    for (unsigned i = 0; i < VARINT_MOST - 1; i++) {
        *n = *n << 7 | (*at & 0x7f);
        if (!(*at++ & 0x80))
            return at;
    }
    *n = *n << 8 | *at++;
    return at;
}

/* ---- rows ---- */

/* The type of a value in a record, and how many bytes it has there. */
static uint64_t type_of(const struct sched_value *v, size_t *bytes)
{
    *bytes = v->is_text && v->text ? strlen(v->text) : 0;
    if (v->is_text)
        return v->text ? 2 * (uint64_t)*bytes + 13 : 0;
    if (v->number == 0 || v->number == 1)
        return 8 + (uint64_t)v->number;
    static const struct {
        unsigned bits, bytes;
    } sizes[] = {{7, 1}, {15, 2}, {23, 3}, {31, 4}, {47, 6}, {63, 8}};
    uint64_t magnitude = (uint64_t)(v->number < 0 ? ~v->number : v->number);
    unsigned i = 0;
    while (magnitude >> sizes[i].bits)
        i++;
    *bytes = sizes[i].bytes;
    return i + 1;
}

static int flush(struct sched_pages *p)
{
    p->page[0] = LEAF;
    put_u16(p->page + 1, 0);
    put_u16(p->page + 3, p->rows);
    put_u16(p->page + 5, p->top); /* 65536 is 0 there */
    p->page[7] = 0;
    for (size_t done = 0; done < p->page_bytes;) {
        ssize_t n = pwrite(p->fd, p->page + done, p->page_bytes - done,
                           (off_t)((uint64_t)p->full * p->page_bytes + done));
        if (n < 0 && errno != EINTR)
            return -errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Of a row: the types of its values, and how many bytes each takes. */
struct record {
    uint8_t types[SCHED_PAGES_COLUMNS * VARINT_MOST];
    size_t types_bytes, bytes[SCHED_PAGES_COLUMNS], all_bytes;
};

/* False: it is too long for a page. */
static bool measure(const struct sched_pages *p, struct record *r, const struct sched_value *values, int n)
{
    /* an INTEGER PRIMARY KEY is not among the values */
    static const struct sched_value null = SCHED_TEXT(NULL);
    uint8_t *at = r->types;
    size_t body = 0;
    for (int i = 0; i < n; i++) {
        at = put_varint(at, type_of(p->has_id && i == 0 ? &null : &values[i], &r->bytes[i]));
        body += r->bytes[i];
    }
    r->types_bytes = (size_t)(at - r->types);
    r->all_bytes = 1 + r->types_bytes + body;
    return r->types_bytes < 127 && r->all_bytes <= p->page_bytes - MOST_LOCAL;
}

static void put_record(uint8_t *at, const struct record *r, const struct sched_value *values, int n)
{
    *at++ = (uint8_t)(1 + r->types_bytes); /* with this byte */
    memcpy(at, r->types, r->types_bytes);
    at += r->types_bytes;
    for (int i = 0; i < n; at += r->bytes[i++])
        if (!values[i].is_text)
            put_big_endian(at, (uint64_t)values[i].number, (unsigned)r->bytes[i]);
        else if (r->bytes[i])
            memcpy(at, values[i].text, r->bytes[i]);
}

int sched_pages_add(struct sched_pages *p, const struct sched_value *values, int n)
{
    struct record record;
    uint8_t front[2 * VARINT_MOST];
    int64_t id = p->has_id ? values[0].number : p->last + 1;
    if (id <= p->last || n > SCHED_PAGES_COLUMNS)
        return -EINVAL;
    if (!measure(p, &record, values, n))
        return -E2BIG;
    size_t front_bytes = (size_t)(put_varint(put_varint(front, record.all_bytes), (uint64_t)id) - front);
    if (LEAF_HEAD + 2 * (p->rows + 1) + front_bytes + record.all_bytes > p->top) {
        int error = flush(p);
        if (error)
            return error;
        p->full++;
        p->rows = 0;
        p->top = p->page_bytes;
    }
    p->top -= (unsigned)(front_bytes + record.all_bytes);
    put_u16(p->page + LEAF_HEAD + 2 * p->rows++, p->top);
    memcpy(p->page + p->top, front, front_bytes);
    put_record(p->page + p->top + front_bytes, &record, values, n);
    p->last = id;
    return 0;
}

/* ---- pages that are there ---- */

static int read_page(const struct sched_pages *p, uint32_t number, uint8_t *page)
{
    for (size_t done = 0; done < p->page_bytes;) {
        ssize_t n =
            pread(p->fd, page + done, p->page_bytes - done, (off_t)((uint64_t)number * p->page_bytes + done));
        if (n == 0 || (n < 0 && errno != EINTR))
            return n < 0 ? -errno : -EIO;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int64_t id_of_row(const uint8_t *page, unsigned row)
{
    uint64_t n;
    const uint8_t *at = get_varint(page + get_u16(page + LEAF_HEAD + 2 * row), &n);
    get_varint(at, &n);
    return (int64_t)n;
}

int sched_pages_cut(struct sched_pages *p, int64_t id)
{
    if (id > p->last)
        return 0;
    for (;;) {
        while (p->rows && id_of_row(p->page, p->rows - 1) >= id)
            p->rows--;
        if (p->rows || !p->full)
            break;
        int error = read_page(p, p->full - 1, p->page);
        if (error)
            return error;
        p->full--;
        p->rows = get_u16(p->page + 3);
    }
    p->top = p->rows ? get_u16(p->page + LEAF_HEAD + 2 * (p->rows - 1)) : p->page_bytes;
    p->last = p->rows ? id_of_row(p->page, p->rows - 1) : 0;
    return 0;
}

/* ---- the tree above them ---- */

struct child {
    uint32_t page;
    int64_t last; /* row */
};

static uint32_t take_number(const struct sched_pages *p, uint32_t *next)
{
    if (*next == LOCK_BYTE / p->page_bytes + 1)
        ++*next;
    return (*next)++;
}

/* So that a trace never takes its room twice; where files can have no holes, it does. */
static void release(const struct sched_pages *p, uint32_t below)
{
    enum { EACH = 64 };
    if (below % EACH == 0)
        fallocate(p->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                  (off_t)((uint64_t)below * p->page_bytes));
}

static int put_leaves(struct sched_pages *p, struct sched_pages_out out, struct child *leaves, uint32_t *next)
{
    uint8_t *page = sched_alloc(p->page_bytes, 1);
    int error = 0;
    for (uint32_t i = 0; i <= p->full && !error; i++) {
        error = read_page(p, i, page);
        if (!error) {
            leaves[i] = (struct child){take_number(p, next), id_of_row(page, get_u16(page + 3) - 1)};
            error = out.write(out.context, leaves[i].page, page, p->page_bytes);
            release(p, i + 1);
        }
    }
    free(page);
    return error;
}

/* A page above these children, of which there are two at least: the last one's rows are those above all
 * keys. */
static int put_interior(struct sched_pages *p, struct sched_pages_out out, uint32_t number,
                        const struct child *children, uint32_t n)
{
    uint8_t *page = sched_alloc(p->page_bytes, 1);
    unsigned top = p->page_bytes;
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint8_t entry[4 + VARINT_MOST];
        unsigned bytes =
            (unsigned)(put_varint(put_big_endian(entry, children[i].page, 4), (uint64_t)children[i].last) -
                       entry);
        top -= bytes;
        memcpy(page + top, entry, bytes);
        put_u16(page + INTERIOR_HEAD + 2 * i, top);
    }
    page[0] = INTERIOR;
    put_u16(page + 3, n - 1);
    put_u16(page + 5, top);
    put_big_endian(page + 8, children[n - 1].page, 4);
    int error = out.write(out.context, number, page, p->page_bytes);
    free(page);
    return error;
}

/* Level by level; the children of each are shared out evenly. */
static int put_tree(struct sched_pages *p, struct sched_pages_out out, struct child *children, uint32_t n,
                    uint32_t root, uint32_t *next)
{
    uint32_t most = (p->page_bytes - INTERIOR_HEAD) / CHILD_MOST + 1, pages;
    int error = 0;
    do {
        pages = (n + most - 1) / most;
        for (uint32_t i = 0; i < pages && !error; i++) {
            uint32_t begin = (uint32_t)((uint64_t)n * i / pages),
                     end = (uint32_t)((uint64_t)n * (i + 1) / pages);
            uint32_t number = pages == 1 ? root : take_number(p, next);
            error = put_interior(p, out, number, children + begin, end - begin);
            children[i] = (struct child){number, children[end - 1].last};
        }
        n = pages;
    } while (n > 1 && !error);
    return error;
}

int sched_pages_put(struct sched_pages *p, struct sched_pages_out out, uint32_t root, uint32_t *next)
{
    if (!p->rows)
        return 0; /* the table has an empty page already */
    int error = flush(p);
    if (error || !p->full)
        return error ? error : out.write(out.context, root, p->page, p->page_bytes);
    struct child *leaves = sched_alloc((size_t)p->full + 1, sizeof *leaves);
    error = put_leaves(p, out, leaves, next);
    if (!error)
        error = put_tree(p, out, leaves, p->full + 1, root, next);
    free(leaves);
    return error;
}
