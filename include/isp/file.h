/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program does to a file, as a rank tells it (ISP_MSG_FILE). The file is named by its inode, by its
 * name, or by both; by neither, it may be any file.
 */
#ifndef ISP_FILE_H
#define ISP_FILE_H

#include "isp/wire.h"

#define ISP_FILE_LOOKS 1u   /* what it does may depend on the file, or on whether there is one */
#define ISP_FILE_CHANGES 2u /* ... or its name, after it has looked */
#define ISP_FILE_REMOVES 4u /* ... that it is gone */
#define ISP_FILE_PERHAPS 8u /* ... that it looks says little: Fortran's library does so for every file, or MPI does */

struct isp_file {
    uint8_t what;           /* ISP_FILE_... */
    uint64_t device, inode; /* 0: not known */
    uint64_t name;          /* the hash of its folder, and of its name in there; 0: it has none */
    uint32_t length;        /* of `path`, which is borrowed, not terminated, and for people */
    const char *path;
};

static inline void isp_put_file(struct isp_buf *b, const struct isp_file *f)
{
    isp_put_u8(b, f->what);
    isp_put_u64(b, f->device);
    isp_put_u64(b, f->inode);
    isp_put_u64(b, f->name);
    isp_put_u32(b, f->length);
    isp_put_bytes(b, f->path, f->length);
}

/* False, with r->ok false: it is cut short. */
static inline bool isp_get_file(struct isp_reader *r, struct isp_file *f)
{
    *f = (struct isp_file){.what = isp_get_u8(r)};
    f->device = isp_get_u64(r);
    f->inode = isp_get_u64(r);
    f->name = isp_get_u64(r);
    f->path = isp_get_str(r, &f->length);
    return r->ok;
}

#endif
