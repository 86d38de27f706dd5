/* SPDX-License-Identifier: BSD-3-Clause */
/* See arguments.h. */
#include "arguments.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "options/parse.h"

enum { WORDS_MOST = 10000, TAKEN = 42 };

bool sched_dap_is_token(const char *given, const char *token)
{
    size_t n = strlen(token), m = strlen(given);
    volatile unsigned char differs = n != m;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned char)(token[i] ^ (i < m ? given[i] : 0));
    return !differs;
}

/* ---- environment and folder ---- */

/* {"NAME": "value", "OTHER": null}: that is taken away. */
static bool take_environment(struct sched_dap *dap, const json_t *arguments)
{
    json_t *wanted = json_object_get(arguments, "env"), *value;
    const char *name;
    if (!wanted || json_is_null(wanted))
        return true;
    if (!json_is_object(wanted))
        return sched_dap_fail(dap, "env: an object of texts");
    json_object_foreach (wanted, name, value) {
        if (!*name || strchr(name, '=') || !(json_is_string(value) || json_is_null(value)))
            return sched_dap_fail(dap, "env: names without =, and texts");
        if (json_is_string(value) ? setenv(name, json_string_value(value), 1) : unsetenv(name))
            return sched_dap_fail(dap, "env: %s", strerror(errno));
    }
    return true;
}

/* ---- words ---- */

struct words {
    char **all;
    int n;
};

static void add(struct words *w, const char *word)
{
    SCHED_GROW(w->all, (size_t)w->n);
    w->all[w->n++] = sched_strdup(word);
}

/* A list of texts, or nothing. */
static bool add_list(struct sched_dap *dap, struct words *w, const json_t *arguments, const char *name)
{
    const json_t *list = json_object_get(arguments, name);
    size_t i;
    json_t *word;
    if (list && !json_is_null(list) && (!json_is_array(list) || json_array_size(list) > WORDS_MOST))
        return sched_dap_fail(dap, "%s: a list of texts", name);
    json_array_foreach (list, i, word) {
        if (!json_is_string(word))
            return sched_dap_fail(dap, "%s: a list of texts", name);
        add(w, json_string_value(word));
    }
    return true;
}

/* "0,2,1", or a list of numbers. */
static bool add_choices(struct sched_dap *dap, struct words *w, const json_t *choices)
{
    char *text = sched_format("--choices=%s", json_is_string(choices)    ? json_string_value(choices)
                                              : json_array_size(choices) ? ""
                                                                         : "0");
    size_t i;
    json_t *one;
    bool ok = !choices || json_is_null(choices) || json_is_string(choices) || json_is_array(choices);
    json_array_foreach (choices, i, one) {
        char *longer = sched_format("%s%s%lld", text, i ? "," : "", (long long)json_integer_value(one));
        ok = ok && json_is_integer(one);
        free(text);
        text = longer;
    }
    add(w, text);
    free(text);
    return ok || sched_dap_fail(dap, "choices: a text as \"0,2,1\", or a list of numbers");
}

static bool add_words(struct sched_dap *dap, struct words *w, const json_t *arguments)
{
    const char *program = sched_dap_string(arguments, "program");
    const json_t *n = json_object_get(arguments, "n");
    json_int_t ranks = n ? json_integer_value(n) : 2;
    if (!program || !*program)
        return sched_dap_fail(dap, "program: the path of an MPI program; or result: a file of isp --json");
    if ((n && !json_is_integer(n)) || ranks < 1 || ranks > SCHED_RANKS_MAX)
        return sched_dap_fail(dap, "n: how many ranks, 1 to %d", SCHED_RANKS_MAX);
    char *count = sched_format("%d", (int)ranks);
    add(w, "-n");
    add(w, count);
    free(count);
    if (!add_choices(dap, w, json_object_get(arguments, "choices")) ||
        !add_list(dap, w, arguments, "options"))
        return false;
    add(w, "--");
    add(w, program);
    return add_list(dap, w, arguments, "args");
}

bool sched_dap_take_launch(struct sched_dap *dap, const json_t *arguments)
{
    struct words w = {0};
    const char *folder = sched_dap_string(arguments, "cwd");
    bool ok = add_words(dap, &w, arguments) && take_environment(dap, arguments);
    if (ok)
        sched_subject_words(&dap->subject, w.n, w.all);
    for (int i = 0; i < w.n; i++)
        free(w.all[i]);
    free(w.all);
    if (!ok)
        return false;
    dap->subject.folder = folder && *folder ? sched_strdup(folder) : NULL;
    dap->stop_on_entry = json_is_true(json_object_get(arguments, "stopOnEntry"));
    dap->plain_run = json_is_true(json_object_get(arguments, "noDebug"));
    dap->step_all = json_is_true(json_object_get(arguments, "stepAll"));
    return true;
}

bool sched_dap_take_result(struct sched_dap *dap, const json_t *arguments)
{
    const char *file = sched_dap_string(arguments, "result");
    const json_t *finding = json_object_get(arguments, "finding");
    json_int_t k = json_integer_value(finding);
    char *why = NULL;
    if (!file || !*file)
        return sched_dap_fail(dap, "result: a file that isp --json or --trace has written");
    if ((finding && !json_is_integer(finding)) || k < 0 || k > INT32_MAX)
        return sched_dap_fail(dap, "finding: which one of the result, from 1");
    dap->step_all = json_is_true(json_object_get(arguments, "stepAll"));
    if (sched_subject_result(&dap->subject, file, (long)k, &why))
        return true;
    sched_dap_fail(dap, "%s", why);
    free(why);
    sched_subject_finish(&dap->subject);
    dap->subject = (struct sched_subject){0};
    return false;
}

/* ---- whether isp would take them ---- */

static void ask(const struct sched_subject *subject, int out)
{
    struct sched_options options;
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    sched_options_parse(&options, subject->n, subject->words);
    _exit(TAKEN);
}

/* Its first line, without "isp: ". */
static char *read_line(int fd)
{
    char text[4096];
    FILE *in = fdopen(fd, "r");
    bool any = in && fgets(text, sizeof text, in);
    if (in)
        fclose(in);
    if (!any)
        return sched_strdup("isp replay does not take these words");
    text[strcspn(text, "\n")] = '\0';
    return sched_strdup(strncmp(text, "isp: ", 5) == 0 ? text + 5 : text);
}

bool sched_dap_check_options(struct sched_dap *dap)
{
    const char *folder = dap->subject.folder;
    int ends[2], status = 0;
    if (folder && chdir(folder) != 0)
        return sched_dap_fail(dap, "%s cannot be entered: %s", folder, strerror(errno));
    if (pipe2(ends, O_CLOEXEC) != 0)
        return sched_dap_fail(dap, "a pipe: %s", strerror(errno));
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        ask(&dap->subject, ends[1]);
    close(ends[1]);
    char *line = read_line(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    bool ok = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == TAKEN;
    if (!ok)
        sched_dap_fail(dap, "%s", line);
    free(line);
    return ok;
}
