/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a variable of --ignore is, as isp has read it in the debugging information of a module: for the
 * ranks, which leave it out of their states (profiler/outside/ignored.h). */
#ifndef ISP_IGNORED_H
#define ISP_IGNORED_H

#include "isp/wire.h"

enum isp_ignored_kind {
    ISP_IGNORED_ADDRESS,  /* at this address of the module */
    ISP_IGNORED_THREAD,   /* ... of the module's variables of a thread */
    ISP_IGNORED_FRAME,    /* so far from the end of a frame (DW_OP_call_frame_cfa) */
    ISP_IGNORED_POINTER,  /* ... from where its frame pointer leads */
    ISP_IGNORED_STACK,    /* ... from where its stack ends when it calls */
    ISP_IGNORED_REGISTER, /* in this register, by its number in DWARF, of the frame that calls MPI */
    ISP_IGNORED_KINDS,
};

struct isp_ignored {
    const char *module; /* its path; not terminated */
    uint32_t module_length;
    enum isp_ignored_kind kind;
    uint64_t low, high; /* of a local variable: while the function stands in these addresses of the module */
    int64_t at;
    uint64_t bytes;
};

static inline void isp_put_ignored(struct isp_buf *b, const struct isp_ignored *v)
{
    isp_put_u32(b, v->module_length);
    isp_put_bytes(b, v->module, v->module_length);
    isp_put_u8(b, (uint8_t)v->kind);
    isp_put_u64(b, v->low);
    isp_put_u64(b, v->high);
    isp_put_u64(b, (uint64_t)v->at);
    isp_put_u64(b, v->bytes);
}

/* The module points into the frame. */
static inline void isp_get_ignored(struct isp_reader *r, struct isp_ignored *v)
{
    v->module = isp_get_str(r, &v->module_length);
    uint8_t kind = isp_get_u8(r);
    v->kind = (enum isp_ignored_kind)kind;
    v->low = isp_get_u64(r);
    v->high = isp_get_u64(r);
    v->at = (int64_t)isp_get_u64(r);
    v->bytes = isp_get_u64(r);
    bool in_register = kind == ISP_IGNORED_REGISTER;
    r->ok = r->ok && kind < ISP_IGNORED_KINDS && (!in_register || (v->at >= 0 && v->at < 64));
}

#endif
