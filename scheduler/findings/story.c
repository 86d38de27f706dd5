/* SPDX-License-Identifier: BSD-3-Clause */
/* See story.h. */
#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/options.h"
#include "words/columns.h"
#include "words/words.h"

enum { MAX_ROWS = 24, SHOWN_WHEN_CUT = 16 };

struct row {
    int *ranks;
    size_t n;
    int thread; /* or -1 */
    char *who, *call, *place, *what;
};

struct sched_story {
    const struct sched_run *run;
    struct row *rows;
    size_t n_rows;
    char *lines;
};

struct sched_story *sched_story_create(const struct sched_run *run)
{
    struct sched_story *story = sched_must(calloc(1, sizeof *story));
    story->run = run;
    return story;
}

static struct row *find_row(struct sched_story *story, const struct row *like)
{
    for (size_t i = 0; i < story->n_rows; i++) {
        struct row *r = &story->rows[i];
        if (r->thread == like->thread && strcmp(r->call, like->call) == 0 &&
            strcmp(r->place, like->place) == 0 && strcmp(r->what, like->what) == 0)
            return r;
    }
    return NULL;
}

static void row_finish(struct row *row)
{
    free(row->ranks);
    free(row->who);
    free(row->call);
    free(row->place);
    free(row->what);
}

void sched_story_row(struct sched_story *story, int rank, int thread, const struct isp_call *call, char *what)
{
    struct row row = {.thread = thread,
                      .call = call ? sched_words_call(story->run, call) : sched_format(" "),
                      .place = call ? sched_words_place(story->run, call->site) : sched_format(" "),
                      .what = what ? what : sched_format(" ")};
    struct row *same = find_row(story, &row);
    if (same) {
        row_finish(&row);
    } else {
        story->rows = sched_must(realloc(story->rows, (story->n_rows + 1) * sizeof row));
        same = &story->rows[story->n_rows++];
        *same = row;
    }
    if (same->n && same->ranks[same->n - 1] == rank)
        return;
    same->ranks = sched_must(realloc(same->ranks, (same->n + 1) * sizeof *same->ranks));
    same->ranks[same->n++] = rank;
}

void sched_story_add(struct sched_story *story, const char *lines)
{
    sched_words_add(&story->lines, "%s", lines);
}

/* What several ranks do: "wait for ...". */
static char *plural(const char *what)
{
    static const char *const words[][2] = {{"waits for ", "wait for "},
                                           {"polls for ", "poll for "},
                                           {"has finished", "have finished"},
                                           {"is outside", "are outside"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(what, words[i][0], strlen(words[i][0])) == 0)
            return sched_format("%s%s", words[i][1], what + strlen(words[i][0]));
    return sched_strdup(what);
}

static int width(const char *text, int widest, int limit)
{
    int n = sched_columns(text);
    return n > widest && n <= limit ? n : widest;
}

static char *write_row(const struct row *r, int who, int call, int place)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&line, &size));
    sched_columns_pad(out, r->who, who);
    fputs("  ", out);
    sched_columns_pad(out, r->call, call);
    fputs("  ", out);
    sched_columns_pad(out, r->place, place);
    fprintf(out, "  %s", r->what);
    fclose(out);
    return sched_must(line);
}

/* "... and 3984 more rows, of 3984 ranks" */
static void write_rest(const struct sched_story *story, size_t shown, FILE *out)
{
    size_t n = 0, rows = story->n_rows - shown;
    bool *seen = sched_alloc((size_t)story->run->options->ranks, sizeof *seen);
    for (size_t i = shown; i < story->n_rows; i++)
        for (size_t k = 0; k < story->rows[i].n; k++) {
            n += !seen[story->rows[i].ranks[k]];
            seen[story->rows[i].ranks[k]] = true;
        }
    fprintf(out, "... and %zu more row%s, of %zu rank%s\n", rows, rows == 1 ? "" : "s", n, n == 1 ? "" : "s");
    free(seen);
}

static void write_rows(const struct sched_story *story, FILE *out)
{
    int who = 0, call = 0, place = 0;
    for (size_t i = 0; i < story->n_rows; i++) {
        struct row *r = &story->rows[i];
        r->who = sched_words_ranks(r->ranks, r->n);
        if (r->n > 1) {
            char *what = r->what;
            r->what = plural(what);
            free(what);
        }
        if (r->thread >= 0)
            sched_words_add(&r->who, " thread %d", r->thread);
        who = width(r->who, who, 24);
        call = width(r->call, call, 44);
        place = width(r->place, place, 40);
    }
    size_t shown = story->n_rows > MAX_ROWS ? SHOWN_WHEN_CUT : story->n_rows;
    for (size_t i = 0; i < shown; i++) {
        const struct row *r = &story->rows[i];
        char *line = write_row(r, who, call, place);
        size_t n = strlen(line);
        while (n && line[n - 1] == ' ')
            line[--n] = '\0';
        fprintf(out, "%s\n", line);
        free(line);
    }
    if (shown < story->n_rows)
        write_rest(story, shown, out);
}

char *sched_story_end(struct sched_story *story)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    write_rows(story, out);
    fputs(story->lines ? story->lines : "", out);
    fclose(out);
    for (size_t i = 0; i < story->n_rows; i++)
        row_finish(&story->rows[i]);
    free(story->rows);
    free(story->lines);
    free(story);
    return sched_must(text);
}
