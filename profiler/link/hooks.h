/* SPDX-License-Identifier: BSD-3-Clause */
/* What the link asks of higher layers: process/hooks.c sets it before the process acts as a rank. */
#ifndef PROF_LINK_HOOKS_H
#define PROF_LINK_HOOKS_H

struct prof_link_hooks {
    /* The link is open from here on. */
    void (*opened)(void);
    /* The scheduler has told this process to end, or is gone (process/checkpoint.h). Does not return. */
    void (*leave)(int status);
    /* ... with the whole line of processes to which it belongs: leave comes next. */
    void (*over)(void);
};
extern struct prof_link_hooks prof_link_hooks;

static inline _Noreturn void prof_link_leave(int status)
{
    prof_link_hooks.leave(status);
    __builtin_unreachable();
}

#endif
