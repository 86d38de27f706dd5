/* SPDX-License-Identifier: BSD-3-Clause */
/* isp dap: the command line, and where the client is. One process is one session. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/event_log.h"
#include "base/now.h"
#include "base/say.h"
#include "dap.h"
#include "isp/verdict.h"
#include "launch/launch.h"
#include "port.h"

/* How long somebody who has connected may take until the token is there. */
static const double TOKEN_S = 10;

static void print_help(void)
{
    puts("Usage: isp dap [--port N]\n"
         "The Debug Adapter Protocol, for editors: isp debug as one session, ranks as threads.\n"
         "  --port N  listens on 127.0.0.1, port N (0: any that is free), and prints it with a token, which\n"
         "            `launch` or `attach` must have; else it speaks on standard input and output");
}

/* port: -1: none. */
static bool parse(int argc, char **argv, int *port)
{
    char *end = NULL;
    const char *number = argc == 3 && strcmp(argv[1], "--port") == 0        ? argv[2]
                         : argc == 2 && strncmp(argv[1], "--port=", 7) == 0 ? argv[1] + 7
                                                                            : NULL;
    *port = -1;
    if (argc == 1)
        return true;
    long value = number ? strtol(number, &end, 10) : -1;
    if (!number || !*number || *end || value < 0 || value > 65535) {
        sched_say("dap: --port N, 0 to 65535, or nothing: see isp dap --help");
        return false;
    }
    *port = (int)value;
    return true;
}

/* Standard input and output are the protocol's, or nobody's: ranks and gdb must not have them. What isp
 * prints, as its console does, goes to a file. */
static bool take_streams(int *in, int *out, int *shown)
{
    *in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    *shown = memfd_create("isp-output", MFD_CLOEXEC);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool ok = *in >= 0 && *out >= 0 && *shown >= 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
              dup2(*shown, STDOUT_FILENO) >= 0;
    if (!ok)
        sched_say("dap: standard input and output: %s", strerror(errno));
    if (nothing >= 0)
        close(nothing);
    return ok;
}

/* True: there was a session, or what the client sends makes no sense; else somebody else may come. */
static bool serve(int in, int out, int shown, const char *token, int *code)
{
    struct sched_dap dap = {.shown = shown, .token = token, .first_line = 1};
    sched_dap_talk_init(&dap.talk, in, out);
    dap.talk.until_s = token ? sched_now_s() + TOKEN_S : 0;
    sched_dap_converse(&dap);
    sched_dap_end_session(&dap);
    bool was_ours = !dap.token;
    if (dap.talk.broken)
        *code = ISP_EXIT_USAGE;
    sched_dap_talk_finish(&dap.talk);
    free(dap.problem);
    return was_ours;
}

static int serve_port(int port, int shown)
{
    char token[SCHED_DAP_TOKEN_ROOM];
    int listener = sched_dap_listen(port, token), code = ISP_EXIT_CLEAN;
    bool served = false;
    if (listener < 0)
        return ISP_EXIT_USAGE;
    while (!served) {
        int fd = sched_dap_accept(listener);
        if (fd < 0) {
            sched_say("dap: %s", strerror(errno));
            code = ISP_EXIT_TOOL;
            break;
        }
        code = ISP_EXIT_CLEAN;
        served = serve(fd, fd, shown, token, &code);
        close(fd);
    }
    close(listener);
    return code;
}

int sched_dap_command(int argc, char **argv)
{
    int port, in, out, shown, code = ISP_EXIT_CLEAN;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return ISP_EXIT_CLEAN;
    }
    if (!parse(argc, argv, &port))
        return ISP_EXIT_USAGE;
    if (!take_streams(&in, &out, &shown))
        return ISP_EXIT_TOOL;
    sched_launch_remember();
    sched_event_log_begin();
    signal(SIGPIPE, SIG_IGN);
    if (port >= 0)
        code = serve_port(port, shown);
    else
        serve(in, out, shown, NULL, &code);
    return code;
}
