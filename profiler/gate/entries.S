/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program reaches under the names of MPI. entries.inc has a line for each function that has a
 * wrapper:
 *
 *   MPI_X           is weak in an archive: a program that defines it itself, around PMPI_X, has its own. Goes
 *                   to what the program would have reached without isp, if that is a tool's function
 *                   (entries.c), and else to the wrapper.
 *   PMPI_X          goes to the wrapper. So isp is what MPICH is to a tool: the tool's PMPI_X.
 *   isp_real_MPI_X  is MPICH's own PMPI_X. The profiler's objects mean it when they say PMPI_X
 *                   (real_names.h).
 *
 * The section isp_entries is the table of all of them (entries/entries.h): the linker says where it begins and ends, so
 * that what is below does not name what is here.
 *
 * All of them jump: the wrapper finds the return address of its caller. The first call of all finds out
 * where the functions are (prof_entries_bind); that may be in a constructor of the program's, before any of
 * ours has run.
 *
 * ISP_STATIC: for programs in which MPICH is linked as an archive; isp-cc gives its PMPI_X the names
 * isp_real_MPI_X.
 */
#ifdef ISP_STATIC

    .macro wrapped name
    .text
    .weak \name
    .globl P\name
    .type \name, @function
    .type P\name, @function
    .balign 16
P\name:
    movb $1, prof_bindings_loaded(%rip)
\name:
    jmp isp_\name
    .size \name, . - \name
    .size P\name, . - P\name
    .endm

    .hidden prof_bindings_loaded

#else

    .hidden prof_bindings_loaded
    .hidden prof_entries_bind

    .macro slot symbol, place, first
    .type \symbol, @function
    .balign 16
\symbol:
    jmp *\place(%rip)
    .size \symbol, . - \symbol
\first:
    call bind
    jmp *\place(%rip)
    .endm

    .macro wrapped name
    .section .rodata
.Lname_\name:
    .asciz "\name"
    .section isp_entries, "aw"
    .quad .Lname_\name
    .quad .Lcalled_\name
    .quad isp_\name
.Lentry_\name:
    .quad .Lfirst_entry_\name
.Lreal_\name:
    .quad .Lfirst_real_\name
    .text
    .weak \name
    .globl P\name
    .hidden isp_real_\name
    .globl isp_real_\name
    slot \name, .Lentry_\name, .Lfirst_entry_\name
    slot isp_real_\name, .Lreal_\name, .Lfirst_real_\name
    .type P\name, @function
P\name:
.Lcalled_\name:
    movb $1, prof_bindings_loaded(%rip)
    jmp isp_\name
    .size P\name, . - P\name
    .hidden isp_\name
    .endm

    .section isp_entries, "aw"
    .balign 8

/* Keeps all that may hold an argument: of a variadic function, too. */
    .text
    .type bind, @function
bind:
    push %rbp
    mov %rsp, %rbp
    push %rax
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    sub $128, %rsp
    and $-16, %rsp
    movaps %xmm0, (%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    call prof_entries_bind
    movaps (%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
    lea -56(%rbp), %rsp
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rax
    pop %rbp
    ret
    .size bind, . - bind

#endif

#include "entries.inc"

    .section .note.GNU-stack, "", @progbits
