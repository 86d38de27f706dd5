/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The socket between this rank and the scheduler, and the frames on it. It is opened when it is
 * first needed: at the end of MPI_Init, or earlier when a rank has something to tell before that.
 *
 * Frames that go out are collected in one buffer; prof_link_flush writes it. A frame is only built
 * between prof_link_begin and prof_link_end, which keep other threads off the buffer. A socket that the
 * scheduler has closed ends this process: there is nobody left to run for.
 */
#ifndef PROF_UPLINK_H
#define PROF_UPLINK_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/functions.h"
#include "isp/wire.h"

/* Takes the memory for it, so that a signal handler can open it. */
void prof_link_prepare(void);
/* Connects and says HELLO unless that was done. False: this process has no scheduler, or no rank. */
bool prof_link_open(int rank, int size);
bool prof_link_is_open(void);
/* From WELCOME; all zero before the link is open. */
const struct isp_settings *prof_settings(void);
/* ... what is behind the settings there, for a rank that goes ahead. */
struct isp_reader prof_link_forced(void);
/* This process forgets the link without a word (a child that was forked off a rank). */
void prof_link_drop(void);

/* Opens a frame (any open CALLS frame is closed first) and returns the buffer to put its payload in. */
struct isp_buf *prof_link_begin(uint8_t type);
void prof_link_end(void);
/* The same for one record: the CALLS frame stays open for the next one of its thread. `site` is the call's
 * address, for which a SITE frame is sent first if it is new. Writes the buffer out if it is long. */
void prof_link_call(struct isp_call *call, const void *site);
/* How many records there were. */
uint64_t prof_link_calls(void);
void prof_link_flush(void);

/* Writes what there is room for, and keeps the rest. wakes: isp is to see it soon; else it does now and
 * then. */
void prof_link_offer(bool wakes);

/* Puts QUIET behind what was recorded. fn, chosen: of a call as waiters.h has it, or 0. */
void prof_link_quiet(uint64_t releases, bool certain, enum isp_fn fn, const void *chosen);
/* The rank has accessed windows for a while, last with this call; whether it waits for what others may write
 * there. */
void prof_link_polls(enum isp_fn fn, const void *site, bool waits);

/* The rank holds at this event (engine/hold.h), a call of this function. */
void prof_link_held(uint64_t event, enum isp_fn fn, const void *site);

/* Tells that all that was asked for so far is done. */
void prof_link_acted(void);
/* Tells that the run does what no checkpoint of it can undo. */
void prof_link_spoilt(const char *why);
/* From here on this process does what a checkpoint must not have before it, nor behind it: runs are launched,
 * this one too if it was not. Not while MPI does it. */
void prof_link_unkept(const char *why);
/* Why, or NULL: it has not been told. */
const char *prof_link_is_unkept(void);
/* A frame has come, or part of one. */
bool prof_link_has_input(void);
/* Forgets what was read: another process has taken it. */
void prof_link_forget_input(void);

/* Waits until a frame is there, for at most timeout_ns. False: there is none yet. One thread at a time. */
bool prof_link_wait(int64_t timeout_ns);
/* Waits for the next frame; its payload is valid until the next call. Ends the process on DIE and on EOF. */
uint8_t prof_link_receive(struct isp_reader *payload);
/* Waits until the scheduler ends this process, while another thread may be reading the frames. */
_Noreturn void prof_link_await_end(void);
/* Ends this process if the scheduler has asked for it or is gone; else returns at once. */
void prof_link_check_end(void);

#define ISP_LINK_BROKEN_STATUS 70 /* EX_SOFTWARE */
/* Something that the scheduler sent cannot be: this library or the scheduler is wrong. */
_Noreturn void prof_link_broken(void);

/* For a signal handler: writes the buffer (unless some thread is in the middle of it) and then `frame`. */
void prof_link_write_last(const struct isp_buf *frame);

/* This rank is about to die, and the scheduler knows: waits until it agrees. When one rank dies the
 * launcher ends the others, who may have more to show about other message orders. They may still read and
 * write this rank's windows, if `progress` (MPI may be called). Else it may be called in signal handlers
 * too. */
void prof_link_hold(bool progress);

#endif
