/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a suppression file, line by line:
 *
 *     isp-suppressions 1
 *     {
 *         why this is here
 *         rule: leak-*
 *         call:MPI_Comm_dup  fun:H5*
 *         ...
 *         file:src/io.c:120
 *     }
 *
 * The patterns of a line belong to one frame. A pattern reaches to the next key, so it may contain blanks.
 * Whatever is not understood is refused: a block that is silently ignored, or that covers more than it says,
 * helps nobody.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "suppressions.h"

struct reading {
    struct sched_suppressions *all;
    const char *file;
    int line;
    bool begun;                      /* the head was there */
    struct sched_suppression *block; /* that is open, or NULL */
    char *fault;
};

__attribute__((format(printf, 2, 3))) static bool fault(struct reading *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *what = sched_format_list(format, args);
    va_end(args);
    r->fault = sched_format("%s:%d: %s", r->file, r->line, what);
    free(what);
    return false;
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text;
}

static bool read_head(struct reading *r, const char *line)
{
    int version, end = 0;
    r->begun = true;
    if (sscanf(line, SCHED_SUPPRESSIONS_HEAD " %d%n", &version, &end) != 1 || line[end])
        return fault(r, "the first line of a suppression file must be \"%s %d\"", SCHED_SUPPRESSIONS_HEAD,
                     SCHED_SUPPRESSIONS_VERSION);
    if (version != SCHED_SUPPRESSIONS_VERSION)
        return fault(r, "this is version %d of suppression files, and this isp knows version %d only",
                     version, SCHED_SUPPRESSIONS_VERSION);
    return true;
}

static bool open_block(struct reading *r, const char *line)
{
    if (strcmp(line, "{") != 0)
        return fault(r, "\"%s\" is outside of a block: begin one with a line \"{\"", line);
    struct sched_suppressions *all = r->all;
    all->blocks = sched_grow(all->blocks, all->n_blocks + 1, sizeof *all->blocks);
    r->block = &all->blocks[all->n_blocks++];
    *r->block = (struct sched_suppression){.file = r->file, .line = r->line};
    return true;
}

static bool close_block(struct reading *r)
{
    struct sched_suppression *b = r->block;
    r->block = NULL;
    if (!b->rule)
        return fault(r, "the block that ends here names no rule: add a line such as \"rule: leak-*\"");
    if (!b->name)
        b->name = sched_strdup(b->rule);
    return true;
}

/* ---- frames ---- */

static const char *const frame_keys[] = {"call:", "fun:", "file:", "obj:"};
enum { N_FRAME_KEYS = sizeof frame_keys / sizeof *frame_keys };

/* Which key the text begins with, or -1. */
static int frame_key(const char *text)
{
    for (int i = 0; i < N_FRAME_KEYS; i++)
        if (strncmp(text, frame_keys[i], strlen(frame_keys[i])) == 0)
            return i;
    return -1;
}

/* The end of the pattern that begins here: the next key after a blank, or the end. */
static char *pattern_end(char *text)
{
    for (char *p = text; *p; p++)
        if (isblank((unsigned char)*p) && frame_key(p + strspn(p, " \t")) >= 0)
            return p;
    return text + strlen(text);
}

/* "src/io.c:120": the line goes away from the pattern. */
static int take_line(char *pattern)
{
    char *colon = strrchr(pattern, ':'), *end;
    if (!colon || !isdigit((unsigned char)colon[1]))
        return 0;
    long line = strtol(colon + 1, &end, 10);
    if (*end || line > INT_MAX)
        return 0;
    *colon = '\0';
    return (int)line;
}

static bool read_frame(struct reading *r, char *line)
{
    struct sched_suppression *b = r->block;
    b->frames = sched_grow(b->frames, b->n_frames + 1, sizeof *b->frames);
    struct sched_frame_pattern *frame = &b->frames[b->n_frames++];
    *frame = (struct sched_frame_pattern){.any_number = strcmp(line, "...") == 0};
    char **const patterns[] = {&frame->call, &frame->function, &frame->file, &frame->object};
    for (char *rest = line; *rest && !frame->any_number;) {
        int key = frame_key(rest);
        char *pattern = rest + strlen(frame_keys[key]), *end = pattern_end(pattern);
        rest = *end ? end + 1 + strspn(end + 1, " \t") : end;
        *end = '\0';
        pattern = trim(pattern);
        if (!*pattern)
            return fault(r, "%s needs a pattern; * stands for anything", frame_keys[key]);
        if (*patterns[key])
            return fault(r, "a second %s for the same frame: each frame has a line of its own",
                         frame_keys[key]);
        *patterns[key] = sched_strdup(pattern);
    }
    if (frame->file)
        frame->line = take_line(frame->file);
    return true;
}

/* ---- the other lines of a block ---- */

static bool is_rule(const char *pattern)
{
    for (int i = 0; i < ISP_RULE_COUNT; i++)
        if (fnmatch(pattern, sched_rule_id((enum isp_rule)i), 0) == 0)
            return true;
    return false;
}

static bool read_field(struct reading *r, char **field, const char *key, char *value)
{
    value = trim(value);
    if (*field)
        return fault(r, "a second %s in this block: write a block for each", key);
    if (!*value)
        return fault(r, "%s needs a pattern; * stands for anything", key);
    if (field == &r->block->rule && !is_rule(value))
        return fault(r, "there is no rule \"%s\": man isp lists them all", value);
    *field = sched_strdup(value);
    return true;
}

static bool read_in_block(struct reading *r, char *line)
{
    struct sched_suppression *b = r->block;
    if (strcmp(line, "}") == 0)
        return close_block(r);
    if (strncmp(line, "rule:", 5) == 0)
        return read_field(r, &b->rule, "rule:", line + 5);
    if (strncmp(line, "text:", 5) == 0)
        return read_field(r, &b->text, "text:", line + 5);
    if (strcmp(line, "...") == 0 || frame_key(line) >= 0)
        return read_frame(r, line);
    if (strcmp(line, "{") == 0)
        return fault(r, "the block of line %d is not closed: end it with a line \"}\"", b->line);
    if (b->name || b->rule || b->text || b->n_frames)
        return fault(r,
                     "\"%s\" is nothing that a block can have: rule:, text:, a frame (call:, fun:, file:, "
                     "obj:), or ...",
                     line);
    b->name = sched_strdup(line);
    return true;
}

static bool read_line(struct reading *r, char *text)
{
    char *line = trim(text);
    if (!*line || *line == '#')
        return true;
    if (!r->begun)
        return read_head(r, line);
    return r->block ? read_in_block(r, line) : open_block(r, line);
}

char *sched_suppressions_read(struct sched_suppressions *all, const char *file)
{
    FILE *in = fopen(file, "re");
    if (!in)
        return sched_format("%s: %s", file, strerror(errno));
    all->files = sched_grow(all->files, all->n_files + 1, sizeof *all->files);
    all->files[all->n_files++] = sched_strdup(file);
    struct reading r = {.all = all, .file = all->files[all->n_files - 1]};
    char *text = NULL;
    size_t room = 0;
    bool ok = true;
    errno = 0;
    while (ok && getline(&text, &room, in) >= 0) {
        r.line++;
        ok = read_line(&r, text);
    }
    if (ok && ferror(in))
        r.fault = sched_format("%s: %s", file, strerror(errno));
    else if (ok && r.block)
        fault(&r, "the block of line %d is not closed: end it with a line \"}\"", r.block->line);
    else if (ok && !r.begun)
        r.line += !r.line, read_head(&r, "");
    free(text);
    fclose(in);
    return r.fault;
}
