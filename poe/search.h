/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search over decisions, depth first or by random walks: an explicit stack of
 * choice points, pure like the rest of poe. One entry per decision of the present run.
 *
 * Use, for each run: at each POE_CHOICE ask poe_search_next which alternative to
 * take; report races with poe_search_race as they show; when the run is over call
 * poe_search_backtrack: true means run again.
 *
 * Bounds only leave runs out: a run that is made is the same with and without them.
 */
#ifndef POE_SEARCH_H
#define POE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct poe_search;

/*
 * Bounded mixing (DAMPI; Vo's dissertation 2011, chapter 5): let f be the first decision of a run that is not
 * the first alternative. Of those after it only the next `mix` choice points may take another one than their
 * first as well; with 0, none. Only choice points with several alternatives are counted; one with a single
 * alternative may be put off (*later*) if not more than `mix` - 1 of the others are between f and it.
 *
 * Random walks: each decision is drawn from the alternatives that some walk may still take, so that no run is
 * made twice and the search ends when all are made. The draws depend on the seed and the number of the walk.
 */
struct poe_search_bounds {
    bool mixed;
    unsigned mix;
    bool random;
    uint64_t seed;
};

/* bounds: NULL for none. */
struct poe_search *poe_search_create(const struct poe_search_bounds *bounds);
void poe_search_destroy(struct poe_search *search);

/* The alternative for decision `number` of this run, which has `n` alternatives and this
 * signature; `in_loop`: only its first alternative is ever taken. Negative if the run has diverged from the
 * ones before it: the same decisions led to another choice point (the program is nondeterministic outside
 * MPI). */
int poe_search_next(struct poe_search *search, unsigned number, unsigned n, uint64_t signature, bool in_loop);

/* The same where the run has shown already which alternative it takes (n: *later*): a new decision takes that
 * one first. */
int poe_search_follow(struct poe_search *search, unsigned number, unsigned n, uint64_t signature,
                      bool in_loop, unsigned shown);

/* The present run is to be made anew: its decisions behind those that it repeats are forgotten. */
void poe_search_restart(struct poe_search *search);

/* Decision `number` needs its *later* alternative. */
void poe_search_race(struct poe_search *search, unsigned number);

/* The present run shows nothing that another one does not show: it is no interleaving. */
void poe_search_redundant(struct poe_search *search);

/* The present run has come to a state that is known (states.h): it stands for so many interleavings. */
void poe_search_stands_for(struct poe_search *search, double interleavings);

/* Moves to the next unexplored prefix; false if there is none. */
bool poe_search_backtrack(struct poe_search *search);

/* Choice points with alternatives left, for the progress line. */
size_t poe_search_frontier(const struct poe_search *search);
/* Whether alternatives of decision `number` are left for later runs, as far as is known now. */
bool poe_search_is_open(const struct poe_search *search, unsigned number);
/* What the present run takes there, or took. */
unsigned poe_search_taken(const struct poe_search *search, unsigned number);
/* Decisions that the present run repeats from the one before it, and then the one that it takes otherwise. */
unsigned poe_search_prefix(const struct poe_search *search);
/* Decisions of the present run so far. */
unsigned poe_search_depth(const struct poe_search *search);
/* Decisions of the present run that some run has shown before: those of the prefix, and of random walks
 * perhaps more. */
unsigned poe_search_known(const struct poe_search *search);

/* Choice points whose other alternatives no run will take, so far. */
struct poe_left_out {
    uint64_t mixing; /* too far from the first decision that was taken otherwise */
    uint64_t loops;  /* in_loop */
};

struct poe_left_out poe_search_left_out(const struct poe_search *search);

/*
 * Interleavings in all, those that are left out included, as the runs so far let one expect: each alternative
 * that was not tried counts as much as the mean of those of the same choice point that were. (Knuth's
 * estimator, for random walks and, as in Kilby, Slaney, Thiebaux and Walsh 2006, for depth first.) Exact when
 * everything was explored.
 */
double poe_search_estimate(const struct poe_search *search);

/* All numbers of the estimate stop here (1100 choice points of two alternatives are enough): so their sums
 * are finite. */
#define POE_LEAVES_MOST 1e301
static inline double poe_leaves(double leaves) { return leaves < POE_LEAVES_MOST ? leaves : POE_LEAVES_MOST; }

/*
 * What multiplies the interleavings (poe/FACTORS.md). Of decision `number`, which poe_search_next was asked
 * for: `class`, a key of the caller's for all decisions that are made at one place in one way, from
 * POE_CLASS_FIRST on (0: none); not_yet: the alternative by which a poll says so, plus one, or 0.
 */
void poe_search_classify(struct poe_search *search, unsigned number, uint64_t class, unsigned not_yet);

/* How many interleavings of those that the bounds leave there would be, as expected: */
enum poe_share_key {
    POE_SHARE_ALL,      /* all of them */
    POE_SHARE_NO_POLLS, /* without `not yet`s of polls that could say something else */
    POE_SHARE_MIX_0,    /* with bounded mixing, K = 0, 1, 2 */
    POE_SHARE_MIX_1,
    POE_SHARE_MIX_2,
    POE_CLASS_FIRST = 16, /* ... if each decision of the class with this key took its first alternative */
};
enum { POE_CLASSES_MOST = 256 }; /* those that come up later are not measured */

struct poe_share {
    uint64_t key;
    double leaves;
};

/* A class that is not in the list is as `all`. Of what has left the search, or, `all`, also of what is
 * expected of the rest; empty of random walks. Returns the number; caller frees. */
uint32_t poe_search_shares(struct poe_search *search, bool all, struct poe_share **shares);
/* What is known of the done alternatives of a decision of the prefix, for somebody who goes on with it after
 * poe_search_begin. The keys are not those of poe_share_key. */
uint32_t poe_search_done(const struct poe_search *search, unsigned number, struct poe_share **shares);
void poe_search_set_done(struct poe_search *search, unsigned number, const struct poe_share *shares,
                         uint32_t n);

/*
 * Subtrees, for a search that is made in parts, by several processes or after an interruption. A part begins
 * with given decisions, of which the first `root` stay as they are; what remains of the others' alternatives
 * belongs to it. If a race shows that a decision needs *later* that is not its own to take, that is nobody's
 * part yet: poe_search_next_race tells it, each once.
 */
struct poe_step {
    uint64_t signature;
    double leaves;     /* for the estimate: below its alternatives that are done */
    unsigned n, taken; /* taken: its position among those that are tried, of which ... */
    unsigned shown;    /* ... this alternative is the first */
    unsigned first;    /* not 0: the alternatives before it, and *later*, belong to others */
    unsigned end;      /* not 0: so do those from it on, and *later* */
    bool raced, in_loop;
    unsigned allowed; /* how many of its alternatives the bounds leave */
};

/* Its positions, without a *later* that comes last. */
static inline unsigned poe_step_positions(const struct poe_step *step)
{
    return step->n + (step->shown == step->n);
}

/* Before the first run. */
void poe_search_begin(struct poe_search *search, const struct poe_step *steps, unsigned n, unsigned root);
unsigned poe_search_root(const struct poe_search *search);
/* What does not depend on the prefix any more: what was left out, and the leaves for the estimate. */
struct poe_left_out poe_search_passed(const struct poe_search *search, double *leaves);
/* Of the prefix. */
struct poe_step poe_search_step(const struct poe_search *search, unsigned number);
/* Of the decisions before this one not all alternatives are explored here, from the first one on. */
unsigned poe_search_shared(const struct poe_search *search);
/* Between two runs: gives all further alternatives of the first decision that has some to the caller, and
 * searches on below what it takes now. False: there are none. */
bool poe_search_split(struct poe_search *search, unsigned *number);

/* Alternatives of one decision that were given away. */
struct poe_given {
    unsigned number;    /* of the decision */
    unsigned from, end; /* end 0: to its last one; there may be none */
    bool later;
};

/* The same, but of the alternatives only the second half is given, if there are several, and *later*. */
bool poe_search_halve(struct poe_search *search, struct poe_given *given);
bool poe_search_next_race(struct poe_search *search, unsigned *number);

/* The name of the run: its decisions joined by dots, `k*r` for r times k in a row, zeros at the
 * end left out: "0.2.1", "0*11.1", "0". Caller frees. */
char *poe_search_name(const struct poe_search *search);
char *poe_choices_name(const unsigned *choices, unsigned n);

/* Parses such a name. Returns the number of decisions and sets *choices (caller frees), or -1
 * if it is not one. */
int poe_choices_parse(const char *name, unsigned **choices);

#endif
