/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Along messages: from an event to the other end of its message, to what came before it, and to the cause.
 * All are asked of the record; who wants to be there goes there (sched_session_go_to).
 *
 *   receive of a send      Aoyagi and Manabe's step forward along a message
 *   send of a receive      ... and backward
 *   cause                  the last receive of the sender before that send: what it sent is likely to follow
 *                          from that
 */
#ifndef SCHED_DEBUG_ALONG_H
#define SCHED_DEBUG_ALONG_H

#include "session.h"

/* The event that commands are about: the one that the focus stands at or in; where it is at a line, the last
 * one. */
struct sched_record_name sched_along_present(const struct sched_session *session);

/* Where the message of a send was received: of a nonblocking receive, the wait that completed it. Of a wait:
 * of the first send that it waits for. False: session->why. */
bool sched_along_receive(struct sched_session *session, struct sched_record_name of,
                         struct sched_record_name *to);
/* Where a nonblocking receive or collective was completed for the program; one that is blocking is its own
 * completion. False: it never was; *name stays as it is. */
bool sched_along_completion(const struct sched_record *record, struct sched_record_name *name);
/* Where the message of a receive, a probe, or of what a wait waits for, was sent. */
bool sched_along_send(struct sched_session *session, struct sched_record_name of,
                      struct sched_record_name *to);
/* The last event before this one of its rank by which it got a message, or data of a collective. */
bool sched_along_cause(struct sched_session *session, struct sched_record_name of,
                       struct sched_record_name *to);
/* The next (or previous) event of its rank that was in a match. */
bool sched_along_match(struct sched_session *session, struct sched_record_name of, bool forward,
                       struct sched_record_name *to);

#endif
