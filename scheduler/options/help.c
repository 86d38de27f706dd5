/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of options come from their rows (run/options.def), at most 80 columns wide. */
#include "help.h"

#include <stdio.h>
#include <stdlib.h>

#include "settings.h"

enum { GROUPS = 9 };

static const char head[] = "Usage: isp [options] [--] program [args]\n"
                           "       isp replay -n N --choices NAME [options] [--] program [args]\n"
                           "Runs an MPI program in every interleaving that MPI allows; reports its errors.\n";

static const char tail[] = "Environment: ISP_N, ISP_BUFFERING, ISP_TIMEOUT ...; the command line wins.\n"
                           "Exit codes: 0 no finding and all explored; 1 findings; 2 usage;\n"
                           "            3 incomplete or unsupported; 5 isp itself failed. More: man isp\n";

static void print_line(const struct sched_setting *s)
{
    char left[64];
    snprintf(left, sizeof left, "%s %s", s->option, s->value ? s->value : "");
    if (s->help.text[0] == '-')
        printf("  %s\n", s->help.text);
    else
        printf("  %-20s %s\n", left, s->help.text);
}

bool sched_help_print(struct sched_options *options, const char *text)
{
    fputs(head, stdout);
    for (int group = 1; group <= GROUPS; group++)
        for (int i = 0; i < sched_n_settings; i++)
            if (sched_settings[i].help.text && sched_settings[i].help.group == group)
                print_line(&sched_settings[i]);
    fputs(tail, stdout);
    exit(ISP_EXIT_CLEAN);
}
