/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the program of states.c, with state of its own. */
void states_library_change(void);
int states_library_count(void);
