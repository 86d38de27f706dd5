/* SPDX-License-Identifier: BSD-3-Clause */
/* See solver.h. CaDiCaL (Biere, Fazekas, Fleury, Heisinger 2020), by its interface in C. */
#include "solver.h"

#include <stdlib.h>

#include <ccadical.h>

struct predict_solver {
    CCaDiCaL *cadical;
    int variables;
};

enum { FEW = 5 }; /* literals of which each pair gets a clause */

struct predict_solver *predict_solver_create(void)
{
    struct predict_solver *solver = predict_new(1, sizeof *solver);
    solver->cadical = ccadical_init();
    ccadical_set_option(solver->cadical, "quiet", 1);
    ccadical_add(solver->cadical, predict_solver_variable(solver)); /* PREDICT_TRUE */
    ccadical_add(solver->cadical, 0);
    return solver;
}

void predict_solver_destroy(struct predict_solver *solver)
{
    if (!solver)
        return;
    ccadical_release(solver->cadical);
    free(solver);
}

int predict_solver_variable(struct predict_solver *solver) { return ++solver->variables; }

void predict_solver_clause(struct predict_solver *solver, const int *literals, int n)
{
    for (int i = 0; i < n; i++)
        if (literals[i] == PREDICT_TRUE)
            return;
    for (int i = 0; i < n; i++)
        if (literals[i] != PREDICT_FALSE)
            ccadical_add(solver->cadical, literals[i]);
    ccadical_add(solver->cadical, 0);
}

void predict_solver_implies(struct predict_solver *solver, int a, int b)
{
    predict_solver_clause(solver, (int[]){-a, b}, 2);
}

/* Of few by pairs; of many by a chain: `before` says that one of those so far is true. */
void predict_solver_at_most_one(struct predict_solver *solver, const int *literals, int n)
{
    for (int i = 0; n <= FEW && i < n; i++)
        for (int k = i + 1; k < n; k++)
            predict_solver_clause(solver, (int[]){-literals[i], -literals[k]}, 2);
    for (int i = 0, before = PREDICT_FALSE; n > FEW && i < n; i++) {
        predict_solver_clause(solver, (int[]){-before, -literals[i]}, 2);
        int now = predict_solver_variable(solver);
        predict_solver_implies(solver, before, now);
        predict_solver_implies(solver, literals[i], now);
        before = now;
    }
}

int predict_solver_all(struct predict_solver *solver, const int *literals, int n)
{
    if (n == 0)
        return PREDICT_TRUE;
    if (n == 1)
        return literals[0];
    int all = predict_solver_variable(solver), *back = predict_new((size_t)n + 1, sizeof *back);
    for (int i = 0; i < n; i++) {
        predict_solver_implies(solver, all, literals[i]);
        back[i] = -literals[i];
    }
    back[n] = all;
    predict_solver_clause(solver, back, n + 1);
    free(back);
    return all;
}

int predict_solver_any(struct predict_solver *solver, const int *literals, int n)
{
    int *none = predict_new((size_t)n, sizeof *none);
    for (int i = 0; i < n; i++)
        none[i] = -literals[i];
    int any = -predict_solver_all(solver, none, n);
    free(none);
    return any;
}

enum predict_solved predict_solver_solve(struct predict_solver *solver, const int *assumed, int n,
                                         int conflicts)
{
    for (int i = 0; i < n; i++)
        ccadical_assume(solver->cadical, assumed[i]);
    ccadical_limit(solver->cadical, "conflicts", conflicts);
    switch (ccadical_solve(solver->cadical)) {
    case 10: return PREDICT_SATISFIED;
    case 20: return PREDICT_CONTRADICTION;
    default: return PREDICT_GIVEN_UP;
    }
}

bool predict_solver_value(struct predict_solver *solver, int literal)
{
    int value = ccadical_val(solver->cadical, abs(literal)); /* the literal, as it is true; 0: any */
    return (value > 0) == (literal > 0);
}
