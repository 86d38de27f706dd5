/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace of a real run, in memory, and what isp report does with one. */
#ifndef FUZZ_TRACE_FILE_H
#define FUZZ_TRACE_FILE_H

#include <sqlite3.h>

#include "fuzz.h"

#include "report/outputs.h"
#include "trace/open.h"

/* FUZZ_TRACE names the file; it is read once. */
static sqlite3 *fuzz_trace(void)
{
    static sqlite3 *trace;
    if (trace)
        return trace;
    FILE *in = fopen(FUZZ_TRACE, "rb");
    FUZZ_CHECK(in);
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    rewind(in);
    unsigned char *data = sqlite3_malloc64((sqlite3_uint64)size);
    FUZZ_CHECK(data && fread(data, 1, (size_t)size, in) == (size_t)size);
    fclose(in);
    FUZZ_CHECK(sqlite3_open(":memory:", &trace) == SQLITE_OK);
    FUZZ_CHECK(sqlite3_deserialize(trace, "main", data, size, size,
                                   SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) ==
               SQLITE_OK);
    sqlite3_exec(trace, "PRAGMA cell_size_check = 1", NULL, NULL, NULL);
    return trace;
}

static inline void fuzz_trace_report(sqlite3 *trace)
{
    struct sched_report report = {.result = sched_trace_result(trace), .trace = trace};
    char *text = NULL;
    size_t size = 0;
    free(sched_trace_meta(trace, "report"));
    if (!report.result)
        return;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < SCHED_FORMATS; i++)
        sched_formats[i].write(&report, out);
    fclose(out);
    free(text);
    json_decref((json_t *)report.result);
}

#endif
