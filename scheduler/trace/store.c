/* SPDX-License-Identifier: BSD-3-Clause */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/alloc.h"
#include "base/broom.h"
#include "open.h"
#include "base/tmpdir.h"

enum { KEPT = 48 }; /* more than there are statements */

enum { PAGE_BYTES = 16384 };

/* Calls that name so many requests that they are too long for a page. */
#define LATE "temp.late"

struct sched_store {
    char *file, *beside; /* where it is to be (NULL: it stays where it is), and where it is now */
    char *folder;        /* private, in which it is and its parts are, or NULL */
    bool nameless;       /* `beside` is no longer a name of it */
    sqlite3 *db;
    sqlite3_stmt *insert[SCHED_TABLES];
    struct sched_pages *pages[SCHED_TABLES]; /* of those that have many rows */
    struct {
        const char *sql; /* a literal: it is known by its address */
        sqlite3_stmt *statement;
    } kept[KEPT];
    char *error;
};

/* "disk I/O error" says less than the system does. */
static void fail(struct sched_store *s)
{
    int error = 0;
    if (s->db && (sqlite3_errcode(s->db) & 0xff) == SQLITE_IOERR)
        sqlite3_file_control(s->db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    if (!s->error)
        s->error = sched_strdup(error ? strerror(error) : sqlite3_errmsg(s->db));
}

static void fail_with(struct sched_store *s, int number)
{
    if (!s->error)
        s->error = sched_strdup(strerror(number));
}

static void execute(struct sched_store *s, const char *sql)
{
    if (!s->error && sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail(s);
}

/* ---- rows ---- */

static void bind(sqlite3_stmt *statement, int i, const struct sched_value *v)
{
    if (!v->is_text)
        sqlite3_bind_int64(statement, i, v->number);
    else if (v->text)
        sqlite3_bind_text(statement, i, v->text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, i);
}

static void step(struct sched_store *s, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        fail(s);
    sqlite3_reset(statement);
}

/* "INSERT INTO call VALUES (?, ?)" */
static sqlite3_stmt *prepare_insert(struct sched_store *s, const char *table, int columns)
{
    char *sql = sched_format("INSERT INTO %s VALUES (%.*s)", table, 2 * columns - 1,
                             "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?");
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
        fail(s);
    free(sql);
    return statement;
}

static void insert(struct sched_store *s, enum sched_table table, const struct sched_value *values, int n)
{
    if (!s->error && !s->insert[table])
        s->insert[table] = prepare_insert(s, s->pages[table] ? LATE : sched_trace_tables[table], n);
    if (s->error)
        return;
    for (int i = 0; i < n; i++)
        bind(s->insert[table], i + 1, &values[i]);
    step(s, s->insert[table]);
}

/* ---- many rows ---- */

void sched_store_row(struct sched_store *s, enum sched_table table, const struct sched_value *values, int n)
{
    int error = s->pages[table] && !s->error ? sched_pages_add(s->pages[table], values, n) : 0;
    if (!s->pages[table] || error == -E2BIG)
        insert(s, table, values, n);
    else if (error)
        fail_with(s, -error);
}

int64_t sched_store_next(const struct sched_store *s, enum sched_table table)
{
    return sched_pages_last(s->pages[table]) + 1;
}

void sched_store_cut(struct sched_store *s, enum sched_table table, int64_t id)
{
    int error = s->error ? 0 : sched_pages_cut(s->pages[table], id);
    if (error)
        fail_with(s, -error);
    if (table == SCHED_TABLE_CALL)
        sched_store_run(s, "DELETE FROM " LATE " WHERE id >= ?", &id, 1);
}

void sched_store_numbers(struct sched_store *s, enum sched_table table, const int64_t *values, int n,
                         unsigned null)
{
    enum { MOST = 16 };
    struct sched_value row[MOST];
    for (int i = 0; i < n && i < MOST; i++)
        row[i] = values[i] < 0 && null & 1u << i ? SCHED_TEXT(NULL) : SCHED_NUMBER(values[i]);
    sched_store_row(s, table, row, n);
}

/* With its parameters; it is prepared once. */
static sqlite3_stmt *prepare(struct sched_store *s, const char *sql, const int64_t *values, int n)
{
    int k = 0;
    while (k < KEPT - 1 && s->kept[k].sql && s->kept[k].sql != sql)
        k++;
    if (s->error)
        return NULL;
    if (s->kept[k].sql != sql) {
        sqlite3_finalize(s->kept[k].statement);
        s->kept[k].sql = sql;
        s->kept[k].statement = NULL;
        if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->kept[k].statement, NULL) !=
            SQLITE_OK) {
            s->kept[k].sql = NULL;
            fail(s);
            return NULL;
        }
    }
    for (int i = 0; i < n; i++)
        sqlite3_bind_int64(s->kept[k].statement, i + 1, values[i]);
    return s->kept[k].statement;
}

void sched_store_run(struct sched_store *s, const char *sql, const int64_t *values, int n)
{
    sqlite3_stmt *statement = prepare(s, sql, values, n);
    if (statement)
        step(s, statement);
}

/* False: there is no (further) row. */
static bool next_row(struct sched_store *s, sqlite3_stmt *statement)
{
    int status = statement ? sqlite3_step(statement) : SQLITE_DONE;
    if (status == SQLITE_ROW)
        return true;
    if (status != SQLITE_DONE)
        fail(s);
    sqlite3_reset(statement);
    return false;
}

int64_t sched_store_ask(struct sched_store *s, const char *sql, const int64_t *values, int n,
                        int64_t otherwise)
{
    sqlite3_stmt *statement = prepare(s, sql, values, n);
    if (!next_row(s, statement))
        return otherwise;
    int64_t answer = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return answer;
}

int64_t sched_store_find(struct sched_store *s, const char *sql, const char *text, int64_t number)
{
    const int64_t values[] = {0, number};
    sqlite3_stmt *statement = prepare(s, sql, values, 2);
    if (statement)
        sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
    int64_t found = next_row(s, statement) ? sqlite3_column_int64(statement, 0) : -1;
    if (statement)
        sqlite3_reset(statement);
    return found;
}

char *sched_store_text(struct sched_store *s, const char *sql, const int64_t *values, int n)
{
    sqlite3_stmt *statement = prepare(s, sql, values, n);
    if (!next_row(s, statement))
        return NULL;
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    char *copy = text ? sched_strdup(text) : NULL;
    sqlite3_reset(statement);
    return copy;
}

void sched_store_each(struct sched_store *s, const char *sql, const int64_t *values, int n,
                      void (*see)(const int64_t *, void *), void *context)
{
    enum { COLUMNS = 16 };
    int64_t row[COLUMNS];
    sqlite3_stmt *statement = prepare(s, sql, values, n);
    while (next_row(s, statement)) {
        for (int i = 0; i < sqlite3_column_count(statement) && i < COLUMNS; i++)
            row[i] =
                sqlite3_column_type(statement, i) == SQLITE_NULL ? -1 : sqlite3_column_int64(statement, i);
        see(row, context);
    }
}

static struct sched_value value_of(sqlite3_stmt *statement, int column)
{
    if (sqlite3_column_type(statement, column) == SQLITE_INTEGER)
        return SCHED_NUMBER(sqlite3_column_int64(statement, column));
    return SCHED_TEXT((const char *)sqlite3_column_text(statement, column));
}

void sched_store_copy(struct sched_store *s, enum sched_table table, const char *sql, const int64_t *values,
                      int n)
{
    struct sched_value row[SCHED_PAGES_COLUMNS];
    sqlite3_stmt *statement = prepare(s, sql, values, n);
    while (next_row(s, statement)) {
        int columns = sqlite3_column_count(statement);
        for (int i = 0; i < columns; i++)
            row[i] = value_of(statement, i);
        sched_store_row(s, table, row, columns);
    }
}

static void release_kept(struct sched_store *s)
{
    for (int k = 0; k < KEPT; k++) {
        sqlite3_finalize(s->kept[k].statement);
        s->kept[k].sql = NULL;
        s->kept[k].statement = NULL;
    }
}

bool sched_store_attach(struct sched_store *s, const char *file)
{
    char *why = sched_trace_refuse(file);
    free(why);
    if (why)
        return false;
    execute(s, "COMMIT");
    char *sql = sqlite3_mprintf("ATTACH %Q AS other", file);
    bool ok = !s->error && sqlite3_exec(s->db, sched_must(sql), NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    execute(s, "BEGIN");
    if (ok && sched_trace_has_tables(s->db, "other", SCHED_TRACE_VERSION))
        return true;
    if (ok)
        sched_store_detach(s);
    return false;
}

void sched_store_detach(struct sched_store *s)
{
    release_kept(s);
    execute(s, "COMMIT");
    execute(s, "DETACH other");
    execute(s, "BEGIN");
}

/* ---- the file ---- */

static void begin(struct sched_store *s)
{
    char *start =
        sched_format("PRAGMA page_size = %d; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = OFF; "
                     "PRAGMA synchronous = OFF;"
                     "PRAGMA cache_size = -16384; PRAGMA application_id = %d; PRAGMA user_version = %d;",
                     PAGE_BYTES, SCHED_TRACE_APPLICATION, SCHED_TRACE_VERSION);
    sqlite3_file_control(s->db, "main", SQLITE_FCNTL_RESERVE_BYTES, &(int){0});
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); /* of what is attached */
    execute(s, start);
    execute(s, "BEGIN");
    execute(s, sched_trace_schema);
    execute(s, "CREATE TEMP TABLE late AS SELECT * FROM call");
    free(start);
}

/* A file without a name, beside the database. */
static int spool(struct sched_store *s)
{
    int fd;
    char *name = sched_broom_create_private(s->beside, &fd);
    if (!name) {
        fail_with(s, errno);
        return -1;
    }
    sched_broom_remove(name);
    free(name);
    return fd;
}

static void begin_pages(struct sched_store *s, enum sched_table table, bool has_id)
{
    int fd = s->error ? -1 : spool(s);
    if (fd >= 0)
        s->pages[table] = sched_pages_create(fd, PAGE_BYTES, has_id);
}

/* SQLite opens by name, again: no link is to have come there in the meantime. It would not have links on the
 * way there either, which may be. Caller frees; NULL with errno. */
static char *without_links(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? sched_format("%.*s", (int)(slash - file) + 1, file) : sched_strdup("."),
         *real = realpath(folder, NULL);
    free(folder);
    char *whole =
        real ? sched_format("%s/%s", strcmp(real, "/") == 0 ? "" : real, slash ? slash + 1 : file) : NULL;
    free(real);
    return whole;
}

static void open_database(struct sched_store *s, const char *file, int flags)
{
    char *real = without_links(file);
    if (!real)
        fail_with(s, errno);
    else if (sqlite3_open_v2(real, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL) !=
             SQLITE_OK)
        fail(s);
    free(real);
}

/* Of a file that is there, and empty. Takes over its name. */
static struct sched_store *create(char *beside, char **why)
{
    struct sched_store *s = sched_alloc(1, sizeof *s);
    *s = (struct sched_store){.beside = beside};
    open_database(s, beside, SQLITE_OPEN_READWRITE);
    if (!s->error)
        begin(s);
    begin_pages(s, SCHED_TABLE_CALL, true);
    begin_pages(s, SCHED_TABLE_MATCH, true);
    begin_pages(s, SCHED_TABLE_MEMBER, false);
    if (!s->error)
        return s;
    *why = sched_strdup(s->error);
    sched_store_destroy(s);
    return NULL;
}

/* It stays as long as it is open: nothing is left, whatever ends isp. SQLite needs no second file for it,
 * since it has no journal. */
static void forget_name(struct sched_store *s)
{
    sched_broom_remove(s->beside);
    s->nameless = true;
}

/* In a folder of its own, as the parts of it that other processes write (-j). */
static struct sched_store *create_temporary(char **why)
{
    int fd;
    char *folder = sched_broom_create_folder(sched_tmpdir());
    char *wanted = folder ? sched_format("%s/trace", folder) : NULL,
         *beside = wanted ? sched_broom_create_private(wanted, &fd) : NULL;
    int error = errno;
    free(wanted);
    if (beside)
        close(fd);
    else
        *why = sched_strdup(strerror(error));
    struct sched_store *s = beside ? create(beside, why) : NULL;
    if (s) {
        s->folder = folder;
        forget_name(s);
    } else if (folder) {
        sched_broom_remove_folder(folder);
        free(folder);
    }
    return s;
}

struct sched_store *sched_store_create(const char *file, char **why)
{
    if (!file)
        return create_temporary(why);
    int fd;
    char *beside = sched_broom_create(file, &fd);
    if (!beside) {
        *why = sched_strdup(strerror(errno));
        return NULL;
    }
    close(fd);
    struct sched_store *s = create(beside, why);
    if (s)
        s->file = sched_strdup(file);
    return s;
}

struct sched_store *sched_store_create_at(const char *file, char **why)
{
    unlink(file);
    int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        *why = sched_strdup(strerror(errno));
        return NULL;
    }
    close(fd);
    return create(sched_strdup(file), why);
}

const char *sched_store_file(const struct sched_store *s) { return s->beside; }

static void end_statements(struct sched_store *s)
{
    for (int i = 0; i < SCHED_TABLES; i++) {
        sqlite3_finalize(s->insert[i]);
        s->insert[i] = NULL;
    }
    release_kept(s);
}

static void close_database(struct sched_store *s)
{
    end_statements(s);
    if (s->db && sqlite3_close(s->db) != SQLITE_OK)
        fail(s);
    s->db = NULL;
}

static int write_at(sqlite3_file *file, sqlite3_int64 at, const uint8_t *data, unsigned bytes)
{
    int status = file->pMethods->xWrite(file, data, (int)bytes, at), error = 0;
    if (status == SQLITE_OK || status == SQLITE_FULL)
        return status == SQLITE_OK ? 0 : -ENOSPC;
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error > 0 ? -error : -EIO;
}

static int write_page(void *file, uint32_t number, const uint8_t *page, unsigned bytes)
{
    return write_at(file, ((sqlite3_int64)number - 1) * bytes, page, bytes);
}

/* SQLite sees by the counter that somebody else has written to the file. */
static int write_header(sqlite3_file *file, uint32_t pages)
{
    enum { CHANGES = 24, PAGES = 28, CHANGES_OF_PAGES = 92, HEADER = 100 };
    uint8_t header[HEADER];
    if (file->pMethods->xRead(file, header, HEADER, 0) != SQLITE_OK)
        return -EIO;
    for (int i = CHANGES + 3; i >= CHANGES && ++header[i] == 0; i--)
        ;
    for (int i = 0; i < 4; i++)
        header[PAGES + i] = (uint8_t)(pages >> (24 - 8 * i));
    memcpy(header + CHANGES_OF_PAGES, header + CHANGES, 4);
    return write_at(file, 0, header, HEADER);
}

/* As another process would that has the file for itself: outside of all transactions. */
static void put_pages(struct sched_store *s)
{
    sqlite3_file *file = NULL;
    static const char root[] = "SELECT rootpage FROM sqlite_schema WHERE name = ? AND rootpage > ?";
    uint32_t next = (uint32_t)sched_store_ask(s, "PRAGMA page_count", NULL, 0, 0) + 1;
    sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    for (int i = 0; i < SCHED_TABLES && !s->error; i++) {
        if (!s->pages[i])
            continue;
        int64_t page = sched_store_find(s, root, sched_trace_tables[i], 0);
        int error = s->error ? 0
                             : sched_pages_put(s->pages[i], (struct sched_pages_out){write_page, file},
                                               (uint32_t)page, &next);
        if (error)
            fail_with(s, -error);
    }
    int error = s->error ? 0 : write_header(file, next - 1);
    if (error)
        fail_with(s, -error);
}

bool sched_store_finish(struct sched_store *s, char **why)
{
    execute(s, "COMMIT");
    put_pages(s);
    execute(s, "BEGIN; INSERT INTO call SELECT * FROM " LATE);
    execute(s, sched_trace_views);
    execute(s, "COMMIT");
    if (s->nameless)
        end_statements(s); /* closed, it would be gone */
    else
        close_database(s);
    if (!s->error && s->file && !sched_broom_place(s->beside, s->file))
        fail_with(s, errno);
    if (s->error) {
        *why = sched_strdup(s->error);
        return false;
    }
    free(s->beside);
    s->beside = NULL;
    return true;
}

struct sqlite3 *sched_store_read(struct sched_store *s, char **why)
{
    if (s->file && !s->db)
        open_database(s, s->file, SQLITE_OPEN_READONLY);
    execute(s, "PRAGMA query_only = 1");
    if (!s->error)
        return s->db;
    *why = sched_strdup(s->error);
    return NULL;
}

void sched_store_destroy(struct sched_store *s)
{
    if (!s)
        return;
    close_database(s);
    if (s->beside && !s->nameless)
        sched_broom_remove(s->beside);
    if (s->folder)
        sched_broom_remove_folder(s->folder);
    for (int i = 0; i < SCHED_TABLES; i++)
        sched_pages_destroy(s->pages[i]);
    free(s->beside);
    free(s->folder);
    free(s->file);
    free(s->error);
    free(s);
}
