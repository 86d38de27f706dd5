/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of GDB/MI (gdb's manual, "GDB/MI Output Syntax"). Any bytes may come; what is not of the syntax is a
 * line of the kind SCHED_MI_OTHER, as a program writes it that shares gdb's terminal.
 *
 * A tuple becomes an object, a list an array, also one of name=value (stack=[frame={},frame={}] is an array
 * of frames). A name that comes again makes an array of its values; values without a name (mi2's further
 * places of a breakpoint) are an array under the name "". Text that is not UTF-8 has \xNN in place of such
 * bytes.
 */
#ifndef SCHED_GDB_MI_H
#define SCHED_GDB_MI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum sched_mi_kind {
    SCHED_MI_RESULT = '^',
    SCHED_MI_EXEC = '*',
    SCHED_MI_STATUS = '+',
    SCHED_MI_NOTIFY = '=',
    SCHED_MI_CONSOLE = '~',
    SCHED_MI_TARGET = '@',
    SCHED_MI_LOG = '&',
    SCHED_MI_PROMPT = '(',
    SCHED_MI_OTHER = 0,
};

/* How deep values may nest, how many bytes a line may have, and how many values. */
enum { SCHED_MI_DEPTH = 64, SCHED_MI_LINE_MOST = 32 << 20, SCHED_MI_VALUES_MOST = 1 << 20 };

struct sched_mi_record {
    enum sched_mi_kind kind;
    long token;     /* -1: none */
    char word[32];  /* "done", "stopped": what comes first in a result or notification */
    json_t *values; /* an object; of those only */
    char *text;     /* of the three streams; of SCHED_MI_OTHER the line */
};

/* One line without its end. To be finished whatever it is. */
void sched_mi_parse(const char *line, size_t size, struct sched_mi_record *r);
void sched_mi_finish(struct sched_mi_record *r);

/* ---- values ---- */

/* The string at a name, or NULL; `values` may be NULL. */
const char *sched_mi_text(const json_t *values, const char *name);
/* The number that the string at the name is: decimal, or with 0x. False: none. */
bool sched_mi_number(const json_t *values, const char *name, unsigned long long *number);
/* Likewise, `otherwise` if there is none or it is too large. */
int sched_mi_int(const json_t *values, const char *name, int otherwise);
/* Nobody else has it: the copy of a string at a name, or NULL. */
char *sched_mi_copy(const json_t *values, const char *name);

/* A parameter of a command, in quotes. Control characters become blanks. Caller frees. */
char *sched_mi_quote(const char *text);

#endif
