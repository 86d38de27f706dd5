/* SPDX-License-Identifier: BSD-3-Clause */
#include "save.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/broom.h"
#include "base/now.h"
#include "base/say.h"

#define MAGIC "isp-save 1 "
enum { HEADER = sizeof MAGIC - 1 + 16 + 1 };
static const double shortest_s = 0.25; /* between two */

struct sched_save {
    const struct sched_options *options;
    json_t *program; /* what identifies it */
    double next_s;
    bool told, failed; /* failed: what is in the file is not the last state, if anything is */
};

/* FNV-1a. */
static uint64_t checksum(uint64_t hash, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3u;
    return hash;
}

static const uint64_t seed = 0xcbf29ce484222325u;

static char *hash_of_file(const char *path)
{
    FILE *in = fopen(path, "re");
    char room[1 << 14];
    uint64_t hash = seed;
    for (size_t n; in && (n = fread(room, 1, sizeof room, in)) > 0;)
        hash = checksum(hash, room, n);
    if (in)
        fclose(in);
    return sched_format("%016" PRIx64, hash);
}

static json_t *take(char *owned)
{
    json_t *json = json_string(owned);
    free(owned);
    return json;
}

struct sched_save *sched_save_create(const struct sched_options *options)
{
    struct sched_save *s = sched_alloc(1, sizeof *s);
    s->options = options;
    s->program = take(hash_of_file(options->program));
    return s;
}

void sched_save_destroy(struct sched_save *save)
{
    if (save)
        json_decref(save->program);
    free(save);
}

bool sched_save_has_failed(const struct sched_save *save) { return save && save->failed; }

bool sched_save_is_due(const struct sched_save *save) { return save && sched_now_s() >= save->next_s; }

/* ---- writing ---- */

static json_t *about(const struct sched_save *s)
{
    json_t *given = json_object(), *command = json_array();
    for (const struct sched_given *g = s->options->given; g; g = g->next)
        json_object_set_new(given, g->option, json_string(g->text));
    for (char **word = s->options->command; *word; word++)
        json_array_append_new(command, json_string(*word));
    return json_pack("{s:s, s:o, s:o, s:O}", "isp", ISP_VERSION, "options", given, "command", command,
                     "program", s->program);
}

static bool replace(const char *file, const char *text)
{
    int fd;
    char *beside = sched_broom_create(file, &fd);
    if (!beside)
        return false;
    FILE *out = sched_must(fdopen(fd, "w"));
    bool ok = fprintf(out, MAGIC "%016" PRIx64 "\n%s", checksum(seed, text, strlen(text)), text) > 0;
    int error = ok ? 0 : errno;
    if (fclose(out) != 0 && !error)
        error = errno;
    if (!error && !sched_broom_place(beside, file))
        error = errno;
    if (error)
        sched_broom_remove(beside);
    free(beside);
    errno = error;
    return !error;
}

void sched_save_write(struct sched_save *save, json_t *state)
{
    double began_s = sched_now_s();
    json_t *all = about(save);
    json_object_set_new(all, "state", state);
    char *text = sched_must(json_dumps(all, JSON_COMPACT));
    save->failed = !replace(save->options->save, text);
    if (save->failed && !save->told) {
        sched_say("--save %s: %s", save->options->save, strerror(errno));
        save->told = true;
    }
    free(text);
    json_decref(all);
    double now_s = sched_now_s(), pause_s = 50 * (now_s - began_s);
    save->next_s = now_s + (pause_s > shortest_s ? pause_s : shortest_s);
}

/* ---- reading ---- */

static char *read_file(const char *file, size_t *size)
{
    FILE *in = fopen(file, "re");
    char *text = NULL;
    *size = 0;
    for (size_t n = 1; in && n > 0; *size += n) {
        text = sched_grow(text, *size + (1 << 16) + 1, 1);
        n = fread(text + *size, 1, 1 << 16, in);
    }
    if (text)
        text[*size] = '\0';
    if (in)
        fclose(in);
    return text;
}

static bool is_whole(const char *text, size_t size)
{
    uint64_t sum;
    return size > HEADER && strncmp(text, MAGIC, sizeof MAGIC - 1) == 0 &&
           sscanf(text + sizeof MAGIC - 1, "%16" SCNx64 "\n", &sum) == 1 &&
           sum == checksum(seed, text + HEADER, size - HEADER);
}

json_t *sched_saved_read(const char *file, char **why)
{
    size_t size;
    char *text = read_file(file, &size);
    json_t *saved = text && is_whole(text, size) ? json_loads(text + HEADER, 0, NULL) : NULL;
    const char *version = json_string_value(json_object_get(saved, "isp"));
    if (!text)
        *why = sched_strdup(strerror(errno));
    else if (strncmp(text, "isp-save ", 9) != 0)
        *why = sched_strdup("this is no file of isp --save");
    else if (strncmp(text, MAGIC, sizeof MAGIC - 1) != 0)
        *why = sched_strdup("another version of isp has saved this");
    else if (!version)
        *why = sched_strdup("the file is damaged");
    else if (strcmp(version, ISP_VERSION) != 0)
        *why = sched_format("isp %s has saved this, and this is isp " ISP_VERSION, version);
    else
        *why = NULL;
    free(text);
    if (!*why)
        return saved;
    json_decref(saved);
    return NULL;
}

const json_t *sched_saved_state(const json_t *saved) { return json_object_get(saved, "state"); }

const char *sched_saved_option(const json_t *saved, const char *option)
{
    return json_string_value(json_object_get(json_object_get(saved, "options"), option));
}

char **sched_saved_command(const json_t *saved)
{
    const json_t *words = json_object_get(saved, "command");
    size_t n = json_array_size(words);
    char **command = sched_alloc(n + 1, sizeof *command);
    for (size_t i = 0; i < n; i++)
        command[i] = (char *)json_string_value(json_array_get(words, i));
    if (n && command[0])
        return command;
    free(command);
    return NULL;
}

bool sched_saved_is_program(const json_t *saved, const char *program)
{
    char *hash = hash_of_file(program);
    const char *was = json_string_value(json_object_get(saved, "program"));
    bool same = was && strcmp(hash, was) == 0;
    free(hash);
    return same;
}
