/* SPDX-License-Identifier: BSD-3-Clause */
/* page_within TRACE CALLS NODES: the page of a trace, with another budget than isp has, to stdout. For
 * tests/end_to_end/reporting.py. */
#include <stdlib.h>

#include <sqlite3.h>

#include "report/html.h"

static json_t *read_result(sqlite3 *trace)
{
    sqlite3_stmt *query = NULL;
    sqlite3_prepare_v2(trace, "SELECT value FROM meta WHERE key = 'result'", -1, &query, NULL);
    json_t *result = sqlite3_step(query) == SQLITE_ROW
                         ? json_loads((const char *)sqlite3_column_text(query, 0), 0, NULL)
                         : NULL;
    sqlite3_finalize(query);
    return result;
}

int main(int argc, char **argv)
{
    sqlite3 *trace;
    if (argc != 4 || sqlite3_open_v2(argv[1], &trace, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return 2;
    const struct sched_page_budget budget = {.calls = atoll(argv[2]), .nodes = atoll(argv[3])};
    struct sched_report report = {.result = read_result(trace), .trace = trace};
    bool ok = report.result && sched_report_html_within(&report, &budget, stdout);
    json_decref((json_t *)report.result);
    sqlite3_close(trace);
    return ok ? 0 : 1;
}
