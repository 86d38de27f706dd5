/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A SAT solver, behind the few functions that are needed of one. A literal is a variable's number, from 1, or
 * its negative. Private to predict/.
 */
#ifndef PREDICT_SOLVER_H
#define PREDICT_SOLVER_H

#include <stdbool.h>

#include "memory.h"

struct predict_solver;

/* The literals that are always true and false. */
enum { PREDICT_TRUE = 1, PREDICT_FALSE = -1 };

struct predict_solver *predict_solver_create(void);
void predict_solver_destroy(struct predict_solver *solver);

int predict_solver_variable(struct predict_solver *solver);
/* One of them is true. */
void predict_solver_clause(struct predict_solver *solver, const int *literals, int n);
/* a implies b. */
void predict_solver_implies(struct predict_solver *solver, int a, int b);
void predict_solver_at_most_one(struct predict_solver *solver, const int *literals, int n);
/* A literal that is true if and only if all (any) of them are. */
int predict_solver_all(struct predict_solver *solver, const int *literals, int n);
int predict_solver_any(struct predict_solver *solver, const int *literals, int n);

enum predict_solved { PREDICT_SATISFIED, PREDICT_CONTRADICTION, PREDICT_GIVEN_UP };

/* With these literals true, this time. Gives up after so many conflicts. Clauses may be added afterwards. */
enum predict_solved predict_solver_solve(struct predict_solver *solver, const int *assumed, int n,
                                         int conflicts);
/* After PREDICT_SATISFIED, until a clause is added. */
bool predict_solver_value(struct predict_solver *solver, int literal);

#endif
