/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each place of the finding once, with the ranks that are there if there are several; of a deadlock only
 * those of ranks that are stuck. A caret stands at the name of the MPI function, if that is in the line (a
 * macro or a C++ binding may hide it).
 *
 * Sources are read as the debug information names them. A file that is newer than the program is not what was
 * compiled: nothing is shown of it, since a wrong line is worse than none.
 */
#include "excerpt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "words/words.h"
#include "words/columns.h"
#include "base/escape.h"
#include "isp/functions.h"
#include "sites/names.h"
#include "sites/stack.h"
#include "source_file.h"

enum { MOST_PLACES = 4, TAB = 8, LONGEST = 110, LEAD = 12 };

struct place {
    const struct sched_location *at;
    char *call; /* what is called there, or NULL */
    int *ranks; /* ascending */
    size_t n;
    char *text; /* the line; NULL: it cannot be had */
};

/* ---- reading ---- */

/* A regular file that is not newer than the program, if there is one (not for Python); NULL: it is none. */
static FILE *open_source(const struct sched_location *at)
{
    struct stat source, program;
    FILE *file = sched_source_file_open(at->file);
    if (file && (sched_module_python(at->module) ||
                 (fstat(fileno(file), &source) == 0 && stat(at->module, &program) == 0 &&
                  source.st_mtime <= program.st_mtime)))
        return file;
    if (file)
        fclose(file);
    return NULL;
}

/* Its tabs as spaces. */
static char *without_tabs(const char *raw)
{
    char *text = sched_alloc(TAB * strlen(raw) + 1, 1);
    int column = 0, width;
    for (size_t n, to = 0; *raw; raw += n) {
        if (*raw == '\t') {
            do
                text[to++] = ' ';
            while (++column % TAB);
            n = 1;
            continue;
        }
        n = sched_columns_step(raw, &width);
        memcpy(text + to, raw, n);
        to += n;
        column += width;
    }
    return text;
}

/* A line as it can be shown, without its indentation. NULL: there is none, or it is empty. */
static char *read_line(const struct sched_location *at)
{
    char *raw = sched_source_file_line(at->file && at->line && at->module ? open_source(at) : NULL, at->line),
         *text = NULL;
    if (raw) {
        char *plain = without_tabs(raw), *begin = plain + strspn(plain, " ");
        text = *begin ? sched_escape(begin, "") : NULL;
        free(plain);
    }
    free(raw);
    return text;
}

/* ---- places ---- */

static bool is_stuck(const struct sched_finding *f, int rank)
{
    bool waits =
        f->rule == ISP_RULE_DEADLOCK || f->rule == ISP_RULE_UNSAFE_BUFFERING || f->rule == ISP_RULE_LIVELOCK;
    for (size_t i = 0; waits && i < f->n_ranks; i++)
        if (f->ranks[i] == rank)
            return true;
    return !waits || rank < 0;
}

static void place_add(struct place *p, int rank)
{
    size_t i = 0;
    while (i < p->n && p->ranks[i] < rank)
        i++;
    if (rank < 0 || (i < p->n && p->ranks[i] == rank))
        return;
    p->ranks = sched_grow(p->ranks, p->n + 1, sizeof *p->ranks);
    memmove(p->ranks + i + 1, p->ranks + i, (p->n - i) * sizeof *p->ranks);
    p->ranks[i] = rank;
    p->n++;
}

static bool same_line(const struct sched_location *a, const struct sched_location *b)
{
    return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* MPI's function, or the wrapper that the line calls: "send" of "mpi::Channel<int>::send<char>". Caller
 * frees. */
static char *name_of_call(const struct sched_result *result, const struct sched_site_ref *ref)
{
    size_t n, shown = sched_sites_shown(result->sites, ref->site);
    const struct sched_location *way = sched_sites_way(result->sites, ref->site, &n);
    if (shown == 0 && ref->fn && sched_module_python(way[0].module)) /* comm.send() */
        return sched_strdup(isp_fn_name((enum isp_fn)ref->fn) + strlen("MPI_"));
    if (shown == 0)
        return ref->fn ? sched_strdup(isp_fn_name((enum isp_fn)ref->fn)) : NULL;
    const char *name = way[shown - 1].function ? sched_name_plain(way[shown - 1].function) : "";
    return *name ? sched_must(strndup(name, strcspn(name, "<"))) : NULL;
}

static size_t find_places(const struct sched_result *result, const struct sched_finding *f,
                          struct place *places)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_sites; i++) {
        const struct sched_site_ref *ref = &f->sites[i];
        const struct sched_location *at = sched_sites_headline(result->sites, ref->site);
        if (!at->file || !at->line || (i && !is_stuck(f, ref->rank)))
            continue;
        size_t k = 0;
        while (k < n && !same_line(places[k].at, at))
            k++;
        if (k == n && n == MOST_PLACES)
            continue;
        if (k == n)
            places[n++] = (struct place){.at = at, .call = name_of_call(result, ref)};
        place_add(&places[k], ref->rank);
    }
    return n;
}

/* ---- showing ---- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The name of the function, as C or Fortran have it; NULL: it is not in the line. */
static const char *find_call(const char *text, const char *call)
{
    size_t n = call ? strlen(call) : 0;
    for (const char *at = text; n && (at = strcasestr(at, call)); at++)
        if (!is_name(at[n]) && (at == text || !is_name(at[-1])))
            return at;
    return NULL;
}

/* The byte where this column begins. */
static const char *column(const char *text, int columns)
{
    int width;
    for (size_t n; *text; text += n) {
        n = sched_columns_step(text, &width);
        if ((columns -= width) < 0)
            break;
    }
    return text;
}

static void put_place(const struct place *p, bool with_ranks, int digits, int room, FILE *out)
{
    const char *call = find_call(p->text, p->call), *from = p->text;
    char *before = call ? sched_format("%.*s", (int)(call - p->text), p->text) : NULL;
    int at = before ? sched_columns(before) : 0, name = call ? (int)strlen(p->call) : 0;
    free(before);
    if (at + name > room - 3) { /* show the call, not the line's beginning */
        int lead = room / 4 < LEAD ? room / 4 : LEAD;
        from = column(p->text, at - lead);
        at = lead + 3;
        name = name < room - at ? name : room - at;
    }
    const char *to = column(from, room - (from > p->text ? 3 : 0));
    if (*to)
        to = column(from, room - 3 - (from > p->text ? 3 : 0));
    fprintf(out, "  %*d | %s%.*s%s\n", digits, p->at->line, from > p->text ? "..." : "", (int)(to - from),
            from, *to ? "..." : "");
    if (!call)
        return;
    fprintf(out, "  %*s | %*s^", digits, "", at, "");
    for (int i = 1; i < name; i++)
        fputc('~', out);
    char *ranks = with_ranks && p->n ? sched_words_ranks(p->ranks, p->n) : NULL;
    fprintf(out, "%s%s\n", ranks ? " " : "", ranks ? ranks : "");
    free(ranks);
}

static int digits_of(const struct place *places, size_t n)
{
    int digits = 4;
    for (size_t i = 0; i < n; i++) {
        int needed = snprintf(NULL, 0, "%d", places[i].at->line);
        digits = needed > digits ? needed : digits;
    }
    return digits;
}

void sched_excerpt_put(const struct sched_result *result, const struct sched_finding *finding, int columns,
                       FILE *out)
{
    struct place places[MOST_PLACES];
    size_t n = find_places(result, finding, places);
    int digits = digits_of(places, n), room = (columns ? columns : LONGEST) - digits - 5;
    const char *file = n ? places[0].at->file : NULL; /* which the first line names */
    for (size_t i = 0; i < n; i++) {
        places[i].text = read_line(places[i].at);
        if (places[i].text && strcmp(file, places[i].at->file) != 0) {
            file = places[i].at->file;
            char *name = sched_escape(file, "");
            fprintf(out, "  in %s:\n", name);
            free(name);
        }
        if (places[i].text)
            put_place(&places[i], n > 1, digits, room, out);
        free(places[i].text);
        free(places[i].call);
        free(places[i].ranks);
    }
}
