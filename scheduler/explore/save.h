/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of --save and --resume: what was asked for (program, options), and the state of the exploration
 * (pool.h). It is replaced as a whole, so that there is a good one at any moment, whatever dies; its first
 * line has a checksum of the rest.
 */
#ifndef SCHED_SAVE_H
#define SCHED_SAVE_H

#include <jansson.h>
#include <stdbool.h>

#include "run/options.h"

struct sched_save;

struct sched_save *sched_save_create(const struct sched_options *options);
void sched_save_destroy(struct sched_save *save);
/* Whether it is time to write; false for NULL. Writing takes at most a fiftieth of all time. */
bool sched_save_is_due(const struct sched_save *save);
/* Takes the state over. That it cannot be written is said once. */
void sched_save_write(struct sched_save *save, json_t *state);
/* What was to be written last could not be; false for NULL. */
bool sched_save_has_failed(const struct sched_save *save);

/* Reads a file. NULL: *why says in a line what is wrong with it (caller frees). */
json_t *sched_saved_read(const char *file, char **why);
const json_t *sched_saved_state(const json_t *saved);
/* The text of an option when it was saved; NULL: it was not given. */
const char *sched_saved_option(const json_t *saved, const char *option);
/* The words of the program, NULL-terminated; caller frees the array. NULL: there are none. */
char **sched_saved_command(const json_t *saved);
/* The program is still the same. */
bool sched_saved_is_program(const json_t *saved, const char *program);

#endif
