/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line and the ISP_ settings of the environment; names of interleavings (--choices) by themselves
 * as well, since what is parsed must give the same name again. Input: words, each ended by a zero byte; those
 * at the beginning that look like ISP_X=value go to the environment.
 */
#include <setjmp.h>
#include <unistd.h>

#include "fuzz.h"

#include "base/alloc.h"
#include "options/parse.h"
#include "poe/search.h"
#include "explore/save.h"
#include "findings/suppressions.h"

extern char **environ;

enum { MOST_WORDS = 64 };

/* isp refuses by exit(). What it had allocated until then is lost. */
static jmp_buf refused;
static bool parsing;

_Noreturn void __real_exit(int code);
_Noreturn void __wrap_exit(int code);
_Noreturn void __wrap_exit(int code)
{
    if (!parsing)
        __real_exit(code);
    FUZZ_CHECK(code == ISP_EXIT_USAGE || code == ISP_EXIT_CLEAN);
    parsing = false;
    longjmp(refused, 1);
}

/* Nothing of this machine is looked at: each file is there, and an MPI program. */
char *__wrap_sched_program_find(const char *name);
char *__wrap_sched_program_find(const char *name)
{
    return strcmp(name, "missing") == 0 ? NULL : sched_strdup("/nowhere/app");
}
char *__wrap_sched_program_refuse(const char *name, const char *path);
char *__wrap_sched_program_refuse(const char *name, const char *path) { return NULL; }
json_t *__wrap_sched_saved_read(const char *file, char **why);
json_t *__wrap_sched_saved_read(const char *file, char **why)
{
    *why = sched_strdup("there are no files here");
    return NULL;
}
char *__wrap_sched_suppressions_read(struct sched_suppressions *all, const char *file);
char *__wrap_sched_suppressions_read(struct sched_suppressions *all, const char *file) { return NULL; }

static void forget(struct sched_options *o)
{
    free(o->choices);
    sched_suppressions_destroy(o->suppressions);
    free((char *)o->program);
    for (struct sched_given *g = o->given, *next; g; g = next) {
        next = g->next;
        free(g);
    }
    for (char **loop = o->loops; loop && *loop; loop++)
        free(*loop);
    free(o->loops);
}

static void look_at_choices(const char *name)
{
    unsigned *choices = NULL, *again = NULL;
    int n = poe_choices_parse(name, &choices);
    if (n >= 0) {
        char *same = poe_choices_name(choices, (unsigned)n);
        int m = poe_choices_parse(same, &again);
        FUZZ_CHECK(m >= 0 && m <= (n > 0 ? n : 1));
        for (int i = 0; i < n; i++)
            FUZZ_CHECK(choices[i] == (i < m ? again[i] : 0));
        free(same);
    }
    free(choices);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *words[MOST_WORDS + 2] = {"isp"},
         *variables[MOST_WORDS + 2] = {"PATH=/bin"};
    int n = 1, n_variables = 1;
    for (char *word = text; word < text + size && n < MOST_WORDS && n_variables < MOST_WORDS;
         word += strlen(word) + 1)
        if (n == 1 && strncmp(word, "ISP_", 4) == 0 && strchr(word, '='))
            variables[n_variables++] = word;
        else
            words[n++] = word;
    for (int i = 1; i < n; i++)
        look_at_choices(words[i]);

    char **usual = environ;
    static struct sched_options options; /* not on the stack that longjmp leaves */
    environ = variables;
    parsing = true;
    if (setjmp(refused) == 0) {
        sched_options_parse(&options, n, words);
        parsing = false;
        FUZZ_CHECK(options.ranks > 0 && options.command && options.program);
        forget(&options);
    }
    environ = usual;
    free(text);
    return 0;
}
