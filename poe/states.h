/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States: choice points that are alike. Where the state of all ranks and of poe is one that another run has
 * come to, and all below that was explored, it need not be explored again: what comes below is the same.
 *
 * Only *later* needs care (poe/SEARCH.md): a decision above has this branch if something below races with
 * it. So it is kept with each state what shows up below it (shown.h), and which ranks' state it depends on;
 * where the state comes up again, that is held against the decisions above by the clocks of the present run.
 * This is what Yang, Chen, Gopalakrishnan and Kirby (SPIN 2008) call the summary of a state. Why nothing is
 * missed: STATES.md.
 *
 * Use, beside a depth-first poe_search: at each POE_CHOICE, and when a run is over, poe_states_note; at a
 * choice point that no run has come to by these decisions, poe_states_reach: if it is known, the run is
 * over, and what its races say goes to the search as ever. After poe_search_backtrack poe_states_close.
 */
#ifndef POE_STATES_H
#define POE_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct poe;
struct poe_states;

/* A hash of a state: two that are not alike are taken for one by 2^-128. */
struct poe_key {
    uint64_t low, high;
};

/* Of what poe knows at this choice point. What the ranks' programs know is for the caller to add. False: it
 * cannot be compared. */
bool poe_state_key(const struct poe *poe, struct poe_key *key);
/* The same, but for how often polls have failed: what tells two states of one situation apart is in the
 * programs. */
bool poe_situation_key(const struct poe *poe, struct poe_key *key);
/* The run has made a call after which there is none. */
bool poe_states_are_left(const struct poe *poe);

/* What the caller keeps with each state; each function may be NULL. */
struct poe_states_owner {
    /* All below a choice point is explored, or left to others. `open` is what poe_states_reach was given;
     * `keep`: the state is kept, with what is returned. */
    void *(*close)(void *context, void *open, bool keep);
    void (*drop)(void *kept);
    size_t (*bytes)(const void *kept); /* that it takes */
    void *context;
};

/* Up to so many ranks states are compared. */
#define POE_STATES_RANKS 256

/* most_bytes: for the states and what is kept with them; when it is reached, or the table cannot be made
 * larger for want of memory, no further ones are kept. */
struct poe_states *poe_states_create(int ranks, size_t most_bytes, const struct poe_states_owner *owner);
void poe_states_destroy(struct poe_states *states);

/* What has shown up in the run so far is noted with the choice points above. */
void poe_states_note(struct poe_states *states, struct poe *poe);

/*
 * The run is at a choice point whose number is that of the choice points that are open. key: NULL if it
 * cannot be compared. True: it is known, and *kept is what was kept of it; races are in poe_next_race.
 * False: it is open now. `whole`: all its alternatives will be explored here.
 */
bool poe_states_reach(struct poe_states *states, struct poe *poe, const struct poe_key *key, bool whole,
                      void *open, void **kept);
/* How many choice points are open. */
unsigned poe_states_depth(const struct poe_states *states);
/* The first `depth` of them are still open. */
void poe_states_close(struct poe_states *states, unsigned depth);
/* Of the first `n` that are open not all is explored here: they are not kept. */
void poe_states_spoil(struct poe_states *states, unsigned n);

/* Kept so far; and what they take. */
size_t poe_states_count(const struct poe_states *states);
size_t poe_states_bytes(const struct poe_states *states);
/* The bound is reached. */
bool poe_states_is_full(const struct poe_states *states);

#endif
