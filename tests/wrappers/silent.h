/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SILENT_H
#define SILENT_H

#ifdef __cplusplus
extern "C" {
#endif
void silent_put(const char *text, int peer);
void silent_get(char *text, int peer); /* 24 bytes */
double silent_norm(const double *x, int n);
#ifdef __cplusplus
}
#endif

#endif
