/* SPDX-License-Identifier: BSD-3-Clause */
/* isp dap --port: it listens on the loopback interface only, and says on stderr where, and the token. */
#ifndef SCHED_DEBUG_DAP_PORT_H
#define SCHED_DEBUG_DAP_PORT_H

/* Room for a token of 128 bits in hexadecimal. */
enum { SCHED_DAP_TOKEN_ROOM = 33 };

/* 0: any port that is free. -1: it was said why not. */
int sched_dap_listen(int port, char token[SCHED_DAP_TOKEN_ROOM]);
/* The next connection; -1: errno. */
int sched_dap_accept(int listener);

#endif
