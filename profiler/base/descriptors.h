/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of isp's own descriptors, out of the way of programs that count on small ones: each kind's from its
 * own up to the next. */
#ifndef PROF_DESCRIPTORS_H
#define PROF_DESCRIPTORS_H

enum prof_descriptors {
    PROF_DESCRIPTORS_CHANNEL = 400,    /* link/channel.c */
    PROF_DESCRIPTORS_REGISTERS = 420,  /* watch/watch_registers.c */
    PROF_DESCRIPTORS_OWN = 440,        /* rewind/own_descriptor.h */
    PROF_DESCRIPTORS_DUPLICATES = 504, /* rewind/duplicates.h */
    PROF_DESCRIPTORS_END = 568,
};

#endif
