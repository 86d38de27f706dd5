/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps that ranks have made before are not made again. What a rank does from one fence to the next follows
 * from its state, from what it is sent, and from the data of the messages that it gets; so it is kept by
 * these, and when it comes up again the rank need not run: what it told then is told again. Its process
 * stays behind meanwhile, and gets what it was to be sent when somebody needs it (STEPS.md).
 *
 * A world has steps if its ranks are asked for their states (states.h).
 */
#ifndef SCHED_WORLD_STEPS_H
#define SCHED_WORLD_STEPS_H

#include "inside.h"

struct sched_deed;
struct sched_steps;

struct sched_steps *sched_steps_create(int ranks);
void sched_steps_destroy(struct sched_steps *steps); /* or NULL */

/* Adds those of this world. */
void sched_steps_count(const struct sched_world *world, struct sched_steps_count *to);

/* ---- what ranks are sent ---- */

/* A match set has fired, and is about to be queued: whose data its ranks get. */
void sched_steps_note_fired(struct sched_world *world, const struct poe_fired *fired);
/* The rank is to be sent this: the actions and releases of a GO frame. Either it is sent, or its answer is
 * known, or it is sent later. False: the world has no steps, and nothing was done. */
bool sched_steps_send(struct sched_world *world, int rank, const struct isp_buf *body, bool released);
/* All that was to be sent was. Who waits for a rank that is behind must not wait for ever. */
void sched_steps_sent(struct sched_world *world);
/* Sends all processes what they have not been sent; their answers come later. False: it cannot be done, and
 * the run has ended. */
bool sched_steps_flush(struct sched_world *world);

/* ---- what they say ---- */

/* Tells again what is known of answers. */
void sched_steps_answer(struct sched_world *world);
/* There is something to be told. */
bool sched_steps_waits(const struct sched_world *world);
/* The process makes steps again that were told before: what it calls now was. */
bool sched_steps_are_owed(const struct sched_world *world, int rank);
/* Such a call, and the end of such a step. True: it has done all that it was sent. */
void sched_steps_hear_again(struct sched_world *world, int rank, const struct isp_call *call);
bool sched_steps_made_again(struct sched_world *world, int rank);
/* A call that is new, with numbers that all ranks share; and the end of its step. `alone`: the rank has one
 * thread. */
void sched_steps_hear_call(struct sched_world *world, int rank, const struct isp_call *call);
void sched_steps_hear_nobody(struct sched_world *world, int rank, const struct sched_deed *deed);
void sched_steps_made(struct sched_world *world, int rank, bool alone);
/* A frame has come. True: it says what was told before, and is not to be looked at. */
bool sched_steps_hears(struct sched_world *world, int rank, uint8_t type, struct isp_reader *in);
/* Each answer that a process still owes has come. False: some do not come. */
bool sched_steps_catch_up(struct sched_world *world, double patience_s);

/* ---- states ---- */

/* With ISP_CHECK_STATES=FILE in the environment: states that need not be asked for are to be asked for as
 * well. A line in the file says for each whether it is the same; tests run so. */
void sched_steps_doubt(struct sched_world *world);
/* All ranks have said what their states are. */
void sched_steps_take_states(struct sched_world *world);

/* ---- who keeps the world (checkpoint/) ---- */

/* Where the run is, in what was sent. */
size_t sched_steps_at(const struct sched_world *world);
/* All processes are there as well. */
bool sched_steps_are_even(const struct sched_world *world);
/* The world goes back to where it was there; `sent`: so much the processes have got. */
void sched_steps_go_back(struct sched_world *world, size_t at);
void sched_steps_stand(struct sched_world *world, size_t sent);
/* No step is left out any more: something was told that must not be, or there is no room. */
bool sched_steps_are_left(const struct sched_world *world);
/* All processes are where the run is, and nobody will go back to what was before. */
void sched_steps_begin(struct sched_world *world);

#endif
