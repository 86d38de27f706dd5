/* SPDX-License-Identifier: BSD-3-Clause */
/* See contributions.h. */
#include "contributions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "check/collectives.h"
#include "inferior.h"
#include "isp/datatypes.h"

enum { MOST = 16 }; /* bytes of a value */

/* ---- numbers ---- */

static int64_t integer(const void *bytes, uint64_t size, bool is_signed)
{
    uint64_t value = 0;
    memcpy(&value, bytes, size);
    if (is_signed && size < 8 && value >> (8 * size - 1))
        value |= UINT64_MAX << 8 * size;
    return (int64_t)value;
}

static char *floating(const void *bytes, uint64_t size)
{
    float single;
    double full;
    if (size == sizeof single) {
        memcpy(&single, bytes, sizeof single);
        return sched_format("%.9g", (double)single);
    }
    if (size != sizeof full)
        return NULL;
    memcpy(&full, bytes, sizeof full);
    return sched_format("%.17g", full);
}

/* As a number of the processor's, which has its lowest byte first; else byte by byte. */
static char *in_hex(const unsigned char *bytes, uint64_t size)
{
    if (size <= 8)
        return sched_format("0x%0*" PRIx64, (int)(2 * size), (uint64_t)integer(bytes, size, false));
    char text[2 * MOST + 3] = "0x";
    for (uint64_t i = 0; i < size && i < MOST; i++)
        snprintf(text + 2 + 2 * i, 3, "%02x", bytes[i]);
    return sched_strdup(text);
}

/* A number of its type; else its bytes in memory. */
static char *number(uint32_t type, const void *bytes, uint64_t size)
{
    struct isp_basic_facts facts = isp_basic_facts(type < ISP_TYPE_TOLD ? type : 0);
    char *text = NULL;
    if (facts.size == size && size <= 8)
        switch (facts.kind) {
        case ISP_VALUE_CHARACTER:
        case ISP_VALUE_SIGNED:
        case ISP_VALUE_LOGICAL: text = sched_format("%" PRId64, integer(bytes, size, true)); break;
        case ISP_VALUE_UNSIGNED:
        case ISP_VALUE_BOOL: text = sched_format("%" PRIu64, (uint64_t)integer(bytes, size, false)); break;
        case ISP_VALUE_FLOATING: text = floating(bytes, size); break;
        default: break;
        }
    return text ? text : in_hex(bytes, size);
}

/* ---- whose it is ---- */

enum choice {
    CHOOSES_NONE,
    CHOOSES_EQUAL,    /* the result is what one rank gave */
    CHOOSES_LIKEWISE, /* ... is true or false as what one rank gave */
};

static enum choice choice_of(uint32_t redop)
{
    static const struct {
        const char *name;
        enum choice choice;
    } all[] = {{"MPI_MAX", CHOOSES_EQUAL},    {"MPI_MIN", CHOOSES_EQUAL},     {"MPI_MAXLOC", CHOOSES_EQUAL},
               {"MPI_MINLOC", CHOOSES_EQUAL}, {"MPI_LAND", CHOOSES_LIKEWISE}, {"MPI_LOR", CHOOSES_LIKEWISE}};
    const char *name = sched_redop_name(redop);
    for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].choice;
    return CHOOSES_NONE;
}

static bool is_zero(const void *bytes, uint64_t size)
{
    static const char zeros[MOST];
    return memcmp(bytes, zeros, size) == 0;
}

/* A conjunction is false by each that gave false, and true only by all of them; a disjunction the other way
 * round. What comes of all is nobody's. */
static bool gave_it(enum choice choice, const void *given, const void *value, uint64_t size)
{
    if (choice == CHOOSES_EQUAL)
        return memcmp(given, value, size) == 0;
    return choice == CHOOSES_LIKEWISE && is_zero(given, size) == is_zero(value, size);
}

/* ---- all of them ---- */

static bool read_part(struct sched_session *s, const struct sched_origin_bytes *from, char *bytes)
{
    if (!sched_session_go_to(s, from->of))
        return false;
    struct sched_gdb *g = sched_inferior_look(s, from->of.rank);
    return g && (sched_gdb_read(g, from->address, bytes, from->size < MOST ? from->size : MOST) ||
                 sched_session_fail(s, "rank %d: %s", from->of.rank, sched_gdb_error(g)));
}

bool sched_contributions_find(struct sched_session *s, const struct sched_origin *o, const void *value,
                              uint64_t n_value, struct sched_why *answer)
{
    const struct sched_record_event *e = sched_record_find(s->record, o->got);
    enum choice choice = choice_of(e->call.redop);
    struct isp_basic_facts facts = isp_basic_facts(e->call.type < ISP_TYPE_TOLD ? e->call.type : 0);
    unsigned equal = 0;
    answer->parts = sched_alloc(o->n, sizeof *answer->parts);
    answer->n_parts = o->n;
    for (unsigned i = 0; i < o->n; i++) {
        char bytes[MOST] = {0};
        const struct sched_origin_bytes *from = &o->parts[i];
        uint64_t size = from->size < MOST ? from->size : MOST;
        if (facts.size && facts.size < size)
            size = facts.size;
        answer->parts[i] = (struct sched_why_part){
            .of = from->of, .bytes = {from->of.rank, from->address, facts.size ? size : from->size}};
        if (!read_part(s, from, bytes))
            return false;
        answer->parts[i].value = number(e->call.type, bytes, size);
        if (gave_it(choice, bytes, value, size < n_value ? size : n_value) && equal++ == 0)
            answer->chosen = (int)i;
    }
    if (choice == CHOOSES_LIKEWISE && equal == o->n && o->n > 1)
        answer->chosen = -1;
    if (answer->chosen >= 0) {
        answer->sent = answer->parts[answer->chosen].of;
        answer->from = answer->parts[answer->chosen].bytes;
    }
    return sched_session_go_to(s, answer->chosen >= 0 ? answer->sent : o->got);
}
