/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isp report of a trace whose tables were damaged, or made to do harm. The input changes values, rows and
 * whole bytes of a real trace: u8 what; u8 table, u8 column, u8 row, u8 kind of value, the value. SQLite
 * itself is not the target, so its file format is left alone, but for inputs that begin with 255: the rest is
 * the file.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace_file.h"

enum { WHOLE_FILE = 255, MOST_CHANGES = 64 };

static const struct {
    const char *name, *columns[16];
} tables[] = {
    {"site", {"id", "name", "file", "line", "function", "module", "offset"}},
    {"kind",
     {"id", "op", "mode", "function", "label", "site", "thread", "comm", "peer", "tag", "root", "bytes",
      "data", "redop", "flags"}},
    {"call", {"id", "rank", "number", "kind", "requests"}},
    {"match", {"id", "call", "send_rank", "send", "receive_rank", "receive"}},
    {"member", {"match", "rank", "number"}},
    {"answer", {"id", "rank", "number", "flag", "positions", "source", "tag", "bytes"}},
    {"communicator", {"node", "comm", "members", "first_side"}},
    {"node",
     {"id", "parent", "taken", "buffered", "depth", "first_call", "end_call", "first_match", "end_match",
      "first_answer", "end_answer"}},
    {"choice", {"node", "rank", "number", "alternatives"}},
    {"alternative", {"node", "taken", "what", "rank", "number", "positions"}},
    {"interleaving", {"id", "name", "buffered", "node", "ending"}},
    {"waiting",
     {"interleaving", "rank", "thread", "number", "finished", "polling", "needs", "ranks", "pending"}},
    {"printed", {"interleaving", "text"}},
    {"finding",
     {"id", "rule", "severity", "message", "story", "interleaving", "buffered", "count", "replay"}},
    {"finding_rank", {"finding", "rank"}},
    {"finding_site", {"finding", "position", "rank", "call", "file", "line", "function", "stack"}},
    {"meta", {"key", "value"}},
    {"joined", {"interleaving", "node", "name", "stands_for"}},
};
enum { TABLES = sizeof tables / sizeof *tables };

static void bind(sqlite3_stmt *query, struct isp_reader *in)
{
    static const int64_t edges[] = {INT64_MAX, INT64_MIN, INT32_MAX,        INT32_MIN,
                                    -1,        0,         (int64_t)1 << 32, 1000000};
    switch (isp_get_u8(in) % 7) {
    case 0:
    case 1: sqlite3_bind_int64(query, 1, (int8_t)isp_get_u8(in)); break;
    case 2: sqlite3_bind_int64(query, 1, edges[isp_get_u8(in) % 8]); break;
    case 3: sqlite3_bind_int64(query, 1, (int64_t)isp_get_u64(in)); break;
    case 4:
    case 5: {
        uint8_t n = isp_get_u8(in);
        size_t left = (size_t)(in->end - in->at);
        n = n < left ? n : (uint8_t)left;
        const char *text = (const char *)isp_get_bytes(in, n);
        sqlite3_bind_text(query, 1, text ? text : "", n, SQLITE_TRANSIENT);
        break;
    }
    default: sqlite3_bind_null(query, 1);
    }
}

static void run(sqlite3 *trace, char *sql, struct isp_reader *in)
{
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(trace, sql, -1, &query, NULL) == SQLITE_OK) {
        bind(query, in);
        sqlite3_step(query);
    }
    sqlite3_finalize(query);
    sqlite3_free(sql);
}

static void change(sqlite3 *trace, struct isp_reader *in)
{
    uint8_t what = isp_get_u8(in), table = isp_get_u8(in) % TABLES, column = isp_get_u8(in),
            row = isp_get_u8(in);
    const char *name = tables[table].name;
    unsigned n = 0;
    while (n < 16 && tables[table].columns[n])
        n++;
    const char *field = tables[table].columns[column % n], *first = tables[table].columns[0];
    switch (what % 8) {
    default:
        run(trace,
            sqlite3_mprintf(
                "UPDATE \"%w\" SET \"%w\" = ?1 WHERE \"%w\" = (SELECT \"%w\" FROM \"%w\" LIMIT 1 OFFSET %d)",
                name, field, first, first, name, row),
            in);
        break;
    case 5: run(trace, sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = ?1", name, field), in); break;
    case 6: run(trace, sqlite3_mprintf("DELETE FROM \"%w\" WHERE \"%w\" >= ?1", name, field), in); break;
    case 7: run(trace, sqlite3_mprintf("INSERT INTO \"%w\" (\"%w\") VALUES (?1)", name, field), in); break;
    }
}

static void report_file(const uint8_t *data, size_t size)
{
    char path[64], *why = NULL;
    int fd = memfd_create("trace", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    sqlite3 *trace = sched_trace_open(path, &why);
    FUZZ_CHECK(!trace == !!why);
    if (trace)
        fuzz_trace_report(trace);
    sqlite3_close(trace);
    free(why);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == WHOLE_FILE) {
        report_file(data + 1, size - 1);
        return 0;
    }
    sqlite3 *trace = fuzz_trace();
    struct isp_reader in = isp_reader_of(data, size);
    sqlite3_exec(trace, "SAVEPOINT before", NULL, NULL, NULL);
    for (int i = 0; i < MOST_CHANGES && in.ok && in.at < in.end; i++)
        change(trace, &in);
    fuzz_trace_report(trace);
    sqlite3_exec(trace, "ROLLBACK TO before; RELEASE before", NULL, NULL, NULL);
    return 0;
}
