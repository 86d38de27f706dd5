/* SPDX-License-Identifier: BSD-3-Clause */
/* isp's own signs on a terminal, or in a log, that has no UTF-8. */
#ifndef SCHED_ASCII_H
#define SCHED_ASCII_H

#include <stdbool.h>

/* As LC_ALL, LC_CTYPE or LANG say, whether or not that locale is installed. */
bool sched_ascii_is_wanted(void);
/* In place: arrows become "->". Names of the program's own stay as they are. */
void sched_ascii_arrows(char *text);

#endif
