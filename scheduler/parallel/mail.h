/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON over a stream socket between isp and its workers: each message is its length, and then the text. */
#ifndef SCHED_MAIL_H
#define SCHED_MAIL_H

#include <jansson.h>
#include <stdbool.h>

#include "isp/wire.h"

/* Waits until all is sent; what cannot be sent is lost. Takes the message over. */
void sched_mail_send(int fd, json_t *message);

/* Reads what is there, into `in`; false at the end of the stream. */
bool sched_mail_receive(int fd, struct isp_buf *in);
/* The next whole message; NULL: none. */
json_t *sched_mail_next(struct isp_buf *in);

#endif
