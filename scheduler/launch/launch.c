/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a world is started. Settings for MPICH are made only for ranks on this host, by our own
 * launcher, and only where the user has not set them.
 *
 * The order of things: pipes and guard, private directory (the guard's, so that it goes even if isp is
 * killed), then the caller listens there, then mpiexec.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "apart.h"
#include "hydra.h"
#include "libraries.h"
#include "program.h"
#include "rank_pipes.h"
#include "guard.h"
#include "input.h"
#include "isp/wire.h"
#include "base/escape.h"
#include "base/alloc.h"
#include "base/say.h"
#include "base/tmpdir.h"
#include "run/merges.h"
#include "stream.h"

enum { URGE_MS = 100, KEPT = 1 << 16, ENVIRONMENT_MAX = 10 };

static struct {
    sigset_t mask, ignored;
} inherited;

void sched_launch_remember(void)
{
    sigprocmask(SIG_SETMASK, NULL, &inherited.mask);
    sigemptyset(&inherited.ignored);
    for (int s = 1; s < NSIG; s++) {
        struct sigaction action;
        if (sigaction(s, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigaddset(&inherited.ignored, s);
    }
    sched_input_remember();
}

/* ---- what the child gets ---- */

/* Beside an isp that was not installed, or where it was installed. */
/* MPICH's own launcher (Hydra), not one that the user has named. */
static bool is_hydra(const struct sched_options *o) { return strcmp(o->mpiexec, "mpiexec") == 0; }

static bool is_local(const struct sched_options *o)
{
    if (!is_hydra(o))
        return false;
    static const char *const loopback[] = {"127.", "localhost:", "[::1]:"};
    for (size_t i = 0; o->tcp && i < sizeof loopback / sizeof *loopback; i++)
        if (strncmp(o->tcp, loopback[i], strlen(loopback[i])) == 0)
            return true;
    return !o->tcp;
}

static char *before(const char *first, char *list)
{
    char *both = first ? sched_format("%s:%s", first, list) : sched_strdup(list);
    free(list);
    return both;
}

/* What is preloaded into ranks: libisp.so, behind what keeps MPI's memory apart (profiler/arena/), and what
 * has the interface of the program's MPI (adapters/). Caller frees. */
static char *rank_libraries(const struct sched_options *o, const char *library)
{
    char *arena = sched_run_keeps_apart(o) ? sched_library_beside(library, "libisp-arena.so") : NULL;
    char *front = sched_launch_front(o->other_mpi);
    char *list = before(arena, before(front, sched_strdup(library)));
    free(front);
    free(arena);
    return list;
}

/* What isp preloads first, then what the user does. Caller frees. */
static char *preload_list(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    return others && *others ? sched_format("%s:%s", library, others) : sched_strdup(library);
}

/* What keeps others from the launcher's port (profiler/launcher/launcher.c), beside libisp.so; NULL: it is
 * not there. Caller frees. */
static char *launcher_library(void)
{
    char *library = sched_launch_library(), *beside = sched_library_beside(library, "libisp-launcher.so");
    free(library);
    return beside;
}

/* NAME=VALUE strings to add to the launcher's environment. preload may be NULL. */
static void build_environment(const struct sched_options *o, const char *preload, char **environment)
{
    static const char *const settings[][2] = {
        {"MPIR_CVAR_NOLOCAL", "1"},
        {"UCX_TLS", "posix,self"},
        /* else it prints a stack of its own, of each crash, with frames of isp's */
        {"UCX_HANDLE_ERRORS", "none"},
        {"UCX_POSIX_FIFO_SIZE", "16"},
        {"UCX_POSIX_RX_BUFS_GROW", "16"},
        /* with it a window whose memory does not start at a multiple of 16 is misplaced */
        {"UCX_RCACHE_ENABLE", "n"},
        /* without that it needs not know of unmapped memory; and its hook is code over that of munmap() in
         * libisp, which then is not called */
        {"UCX_MEM_MMAP_HOOK_MODE", "none"}};
    size_t n = 0;
    char *own = is_local(o) && !getenv("HYDRA_HOST_FILE") ? launcher_library() : NULL,
         *first = own ? preload_list(own) : NULL;
    if (first || (preload && !is_hydra(o)))
        environment[n++] = sched_format("LD_PRELOAD=%s", first ? first : preload);
    free(own);
    free(first);
    if (is_local(o))
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
            if (!getenv(settings[i][0]))
                environment[n++] = sched_format("%s=%s", settings[i][0], settings[i][1]);
    /* else AddressSanitizer ends a program that isp's libraries are loaded before; the user's words are last
     * and hold */
    const char *asan = getenv("ASAN_OPTIONS");
    environment[n++] = sched_format("ASAN_OPTIONS=verify_asan_link_order=0:%s", asan ? asan : "");
    environment[n] = NULL;
}

/* The launcher's words, then -n N program arguments. preload may be NULL. NULL if the words cannot be read.
 * Hydra preloads the library into the ranks alone: in itself and its proxy it would cost the loading of
 * MPICH, some 10 ms; and what is preloaded into itself is not for the ranks. */
static char **build_argv(const struct sched_options *o, char *preload, char *count, char *pattern,
                         wordexp_t *words)
{
    if (wordexp(o->mpiexec, words, WRDE_NOCMD) != 0 || words->we_wordc == 0)
        return NULL;
    size_t n = words->we_wordc, arguments = 0;
    while (o->command[arguments])
        arguments++;
    char **argv = sched_alloc(n + arguments + 9, sizeof *argv), *others = getenv("LD_PRELOAD");
    memcpy(argv, words->we_wordv, n * sizeof *argv);
    if (is_hydra(o)) {
        argv[0] = (char *)sched_hydra_name();
        argv[n++] = "-genv";
        argv[n++] = "LD_PRELOAD";
        argv[n++] = preload ? preload : others ? others : (char *)"";
        if (pattern) {
            argv[n++] = "-prepend-pattern";
            argv[n++] = pattern;
        }
    }
    argv[n++] = "-n";
    argv[n++] = count;
    argv[n++] = (char *)o->program;
    for (size_t i = 1; i < arguments; i++)
        argv[n++] = o->command[i];
    return argv;
}

/* ---- the guard ---- */

static void hear(struct sched_launch *l, const char *message, ssize_t n)
{
    switch (message[0]) {
    case 'F':
        l->failed = true;
        free(l->error);
        l->error = sched_must(strndup(message + 1, (size_t)n - 1));
        break;
    case 'L': {
        char *text = sched_must(strndup(message + 1, (size_t)n - 1));
        sched_say("note: %s cannot be ended by isp, and is left", text);
        free(text);
        break;
    }
    case 'S':
        if (n == 1 + (ssize_t)sizeof l->status)
            memcpy(&l->status, message + 1, sizeof l->status);
        l->ended = !(l->killed && WIFSIGNALED(l->status)); /* that signal was ours */
        break;
    default: break;
    }
}

/* One message; false if there is none now. */
static bool receive(struct sched_launch *l)
{
    char message[SCHED_GUARD_MESSAGE_MAX];
    ssize_t n = recv(l->fd, message, sizeof message, 0);
    if (n > 0) {
        hear(l, message, n);
        return true;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    int status = 0;
    while (waitpid(l->guard, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status)) { /* killed by somebody: the work is ours */
        l->lost = true;
        sched_guard_stand_in(l->token, l->dir);
    }
    l->gone = true;
    return false;
}

static void on_guard(int fd, short what, void *context)
{
    struct sched_launch *l = context;
    while (!l->gone && receive(l))
        ;
    if (l->gone)
        event_del(l->event);
}

/* A name that nobody can know before. This process knows it from the beginning, so that it can clean up in
 * the place of a guard that is killed. */
static void name_folder(struct sched_launch *l)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char random[12];
    char name[sizeof random + 1] = "";
    if (getrandom(random, sizeof random, 0) == (ssize_t)sizeof random)
        for (size_t i = 0; i < sizeof random; i++)
            name[i] = letters[random[i] % 32];
    snprintf(l->dir, sizeof l->dir, "%s/isp-%s", sched_tmpdir(), name);
}

static pid_t start_guard(struct sched_launch *l, const struct sched_options *options, int out, int err,
                         char **error)
{
    wordexp_t words;
    bool own = sched_program_has_profiler(options->program);
    char *library = own ? NULL : sched_launch_library(),
         *ours = library ? rank_libraries(options, library) : NULL,
         *preload = ours ? preload_list(ours) : NULL;
    char *count = sched_format("%d", options->ranks);
    char *pattern = l->mark ? sched_format("%s%%r:", l->mark) : NULL;
    char **argv = library || own ? build_argv(options, preload, count, pattern, &words) : NULL;
    pid_t pid = -1;
    if (!library && !own) {
        *error = sched_format("libisp.so was not found beside isp or in %s: install isp again", ISP_LIBDIR);
    } else if (!argv) {
        *error = sched_format("--mpiexec %s: these words cannot be read", options->mpiexec);
    } else {
        char *environment[ENVIRONMENT_MAX];
        build_environment(options, preload, environment);
        int in;
        l->in = sched_input_create(l->base, &in);
        struct sched_guard_job job = {
            argv, environment, l->dir, in, out, err, inherited.mask, inherited.ignored, !is_hydra(options)};
        pid = sched_guard_start(&job, &l->fd);
        if (pid < 0)
            *error = sched_format("cannot start a process: %s", strerror(errno));
        close(in);
        for (char **e = environment; *e; e++)
            free(*e);
        free(argv);
        wordfree(&words);
    }
    free(count);
    free(pattern);
    free(preload);
    free(ours);
    free(library);
    return pid;
}

/* The name of the folder is one that no program prints. */
static void tell_apart(struct sched_launch *l, const struct sched_options *options,
                       const struct sched_printed *printed)
{
    l->mark = is_hydra(options) ? sched_format("%s:", strrchr(l->dir, '/') + 1) : NULL;
    l->ranks = options->ranks;
    l->printed = *printed;
    l->at = sched_alloc(2 * (size_t)l->ranks, sizeof *l->at);
    const char *mark = l->mark ? l->mark : "";
    sched_stream_tell(l->out, sched_apart_create(&l->printed, mark, l->ranks, false, l->at));
    sched_stream_tell(l->err, sched_apart_create(&l->printed, mark, l->ranks, true, l->at + l->ranks));
}

static void take_printed(void *context, int rank, bool error, const char *bytes, size_t n)
{
    struct sched_launch *l = context;
    uint64_t *at = &l->at[error ? l->ranks + rank : rank];
    sched_stream_note(error ? l->err : l->out, bytes, n);
    if (!l->skips)
        l->printed.print(l->printed.context, rank, error, *at, bytes, n);
    *at += n;
}

void sched_launch_catch_up(struct sched_launch *l, uint64_t *at)
{
    sched_rank_pipes_drain(l->pipes);
    if (at && l->at)
        memcpy(at, l->at, 2 * (size_t)l->ranks * sizeof *at);
}

void sched_launch_go_back(struct sched_launch *l, const uint64_t *at)
{
    l->skips = true;
    sched_rank_pipes_drain(l->pipes);
    l->skips = false;
    if (l->at)
        memcpy(l->at, at, 2 * (size_t)l->ranks * sizeof *at);
}

struct sched_launch *sched_launch_create(struct event_base *base, const struct sched_options *options,
                                         enum sched_output output, int keep,
                                         const struct sched_printed *printed, char **error)
{
    struct sched_launch *l = sched_alloc(1, sizeof *l);
    int out = 1, err = 2;
    l->base = base;
    l->fd = -1;
    *error = NULL;
    name_folder(l);
    bool show = output == SCHED_OUTPUT_SHOW, kept = output == SCHED_OUTPUT_KEEP;
    size_t most = kept ? KEPT : SIZE_MAX;
    l->out = sched_stream_create(base, show ? 1 : kept ? keep : -1, most, &out);
    l->err = l->out ? sched_stream_create(base, show ? 2 : kept ? keep : -1, most, &err) : NULL;
    if (kept && l->err)
        sched_launch_hush(l);
    if (output == SCHED_OUTPUT_APART && l->err)
        tell_apart(l, options, printed);
    if (!l->err)
        *error = sched_format("cannot make a pipe: %s", strerror(errno));
    else
        l->guard = start_guard(l, options, out, err, error);
    if (out != 1)
        close(out);
    if (err != 2)
        close(err);
    if (!*error) {
        receive(l); /* the directory, or why not */
        if (l->failed || (l->gone && !l->lost))
            *error = sched_strdup(l->error ? l->error : "the guard process died");
    }
    if (*error) {
        sched_launch_destroy(l);
        return NULL;
    }
    if (l->gone)
        return l;
    if (l->at)
        l->pipes =
            sched_rank_pipes_create(base, l->dir, l->ranks, (struct sched_rank_reader){take_printed, l});
    fcntl(l->fd, F_SETFL, O_NONBLOCK);
    l->event = sched_must(event_new(base, l->fd, EV_READ | EV_PERSIST, on_guard, l));
    event_add(l->event, NULL);
    return l;
}

void sched_launch_go(struct sched_launch *launch, const char *link, const char *token)
{
    char message[SCHED_GUARD_MESSAGE_MAX];
    int n = snprintf(message, sizeof message, "G%s%c%s", link, '\0', token);
    snprintf(launch->token, sizeof launch->token, "%s", token);
    if (send(launch->fd, message, (size_t)n, MSG_NOSIGNAL) < 0)
        sched_launch_kill(launch);
}

void sched_launch_hush(struct sched_launch *launch)
{
    sched_stream_hush(launch->out);
    sched_stream_hush(launch->err);
}

void sched_launch_urge(const struct sched_launch *launch)
{
    if (launch->guard > 0 && !launch->gone)
        kill(launch->guard, SIGCONT);
}

void sched_launch_kill(struct sched_launch *launch)
{
    launch->killed = true;
    shutdown(launch->fd, SHUT_WR);
    sched_launch_urge(launch);
}

const char *sched_launch_last_words(const struct sched_launch *launch)
{
    return sched_stream_words(launch->err);
}

/* Hydra's text for the signal of which a process of the program has died, or NULL. Caller frees. Its exit
 * code, and with it the text, is all processes' put together by `or`, and it kills the others itself: which
 * signal came first is not to be had. Where its words went elsewhere, two codes are believed. */
static char *signal_text(struct sched_launch *l)
{
    static const char before[] = "EXIT STRING: ";
    const char *text = strstr(sched_stream_words(l->out), before);
    int code = WEXITSTATUS(l->status);
    text = text ? text : strstr(sched_stream_words(l->err), before);
    if (!text)
        return !l->err && (code == SIGKILL || code == SIGTERM) ? sched_strdup(strsignal(code)) : NULL;
    text += sizeof before - 1;
    char *line = sched_format("%.*s", (int)strcspn(text, "\n"), text),
         *escaped = strstr(line, "(signal ") ? sched_escape(line, "") : NULL;
    free(line);
    return escaped;
}

/* MPI_Init, which is called with nothing that could be wrong, has failed: for lack of shared memory, say. The
 * rank ends inside of it. */
static bool has_init_failed(const char *words)
{
    const char *text = strstr(words, "Fatal error in "), *name = text ? strstr(text, "Init") : NULL;
    return name && name < text + strcspn(text, ":\n");
}

/* mpiexec has lost a proxy. A proxy says the same of another one, when a rank beside that was killed. */
/* mpiexec itself, and not the program, says this. */
static bool says(const char *words, const char *what)
{
    for (const char *line = words; (line = strstr(line, "[mpiexec@")); line += strcspn(line, "\n")) {
        const char *said = strstr(line, what);
        if (said && said < line + strcspn(line, "\n"))
            return true;
    }
    return false;
}

bool sched_launch_has_failed(const struct sched_launch *launch)
{
    return launch->ended && WIFEXITED(launch->status) && WEXITSTATUS(launch->status) != 0 &&
           says(sched_stream_words(launch->err), "process manager error");
}

char *sched_launch_victim(struct sched_launch *launch, bool early)
{
    static const char before[] = "before all ranks had reached MPI_Init ";
    const char *words = sched_stream_words(launch->err);
    if (says(words, "assert (!closed) failed"))
        return sched_format("%sthe launcher's proxy was gone", early ? before : "");
    if (!early || !launch->ended || !WIFEXITED(launch->status) || WEXITSTATUS(launch->status) == 0)
        return NULL;
    if (has_init_failed(words) || has_init_failed(sched_stream_words(launch->out)))
        return sched_strdup("MPI_Init has failed: MPI says above what it lacks");
    char *text = signal_text(launch),
         *victim =
             text ? sched_format("%sa process of the program died of a signal (mpiexec: %s)", before, text)
                  : NULL;
    free(text);
    return victim;
}

void sched_launch_destroy(struct sched_launch *launch)
{
    if (!launch)
        return;
    if (launch->fd >= 0 && !launch->gone) {
        sched_launch_kill(launch);
        struct pollfd heard = {.fd = launch->fd, .events = POLLIN};
        while (!launch->gone) {
            poll(&heard, 1, URGE_MS);
            sched_launch_urge(launch);
            receive(launch);
        }
    }
    if (launch->event)
        event_free(launch->event);
    if (launch->fd >= 0)
        close(launch->fd);
    sched_input_destroy(launch->in);
    sched_rank_pipes_destroy(launch->pipes);
    sched_stream_destroy(launch->out);
    sched_stream_destroy(launch->err);
    free(launch->error);
    free(launch->mark);
    free(launch->at);
    free(launch);
}
