/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isp report of a trace that was damaged, or made to do harm: its result, which is JSON, is the input. All
 * reports are made of it, beside the tables of a real trace. (Damaged tables are the target `trace`.)
 */
#include "fuzz.h"
#include "json_mutator.h"
#include "trace_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sqlite3 *trace = fuzz_trace();
    sqlite3_stmt *query = NULL;
    sqlite3_exec(trace, "SAVEPOINT before", NULL, NULL, NULL);
    sqlite3_prepare_v2(trace, "UPDATE meta SET value = ? WHERE key = 'result'", -1, &query, NULL);
    sqlite3_bind_text(query, 1, (const char *)data, (int)size, SQLITE_STATIC);
    FUZZ_CHECK(sqlite3_step(query) == SQLITE_DONE);
    sqlite3_finalize(query);
    fuzz_trace_report(trace);
    sqlite3_exec(trace, "ROLLBACK TO before; RELEASE before", NULL, NULL, NULL);
    return 0;
}
