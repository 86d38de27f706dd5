/* SPDX-License-Identifier: BSD-3-Clause */
/* dlsym and its kin as the program calls them: see dlsym.c and dlopen.c. What is not ours to answer is not
 * called but jumped to. */
    .macro front name, ask, real
    .text
    .globl \name
    .type \name, @function
\name:
    push %rdi
    push %rsi
    push %rdx
    .ifc \ask, prof_dlsym
    mov 24(%rsp), %rdx
    .endif
    call \ask
    pop %rdx
    pop %rsi
    pop %rdi
    test %rax, %rax
    jz 1f
    ret
1:  jmp *\real(%rip)
    .size \name, . - \name
    .endm

    .hidden prof_dlsym
    .hidden prof_real_dlsym
    .hidden prof_real_dlvsym

    .hidden prof_dlopen
    .hidden prof_dlmopen
    .hidden prof_real_dlopen
    .hidden prof_real_dlmopen

    front dlsym, prof_dlsym, prof_real_dlsym
    front dlvsym, prof_dlsym, prof_real_dlvsym
    front dlopen, prof_dlopen, prof_real_dlopen
    front dlmopen, prof_dlmopen, prof_real_dlmopen

    .section .note.GNU-stack, "", @progbits
