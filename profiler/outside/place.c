/* SPDX-License-Identifier: BSD-3-Clause */
#include "place.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

#include "link/sites.h"

void prof_where_find(struct prof_where *w, const void *site)
{
    w->n = prof_caller_frames(site, w->frames, PROF_WHERE_FRAMES);
    w->stack = w->n ? w->frames[0].stack : 0;
    w->top = w->n ? w->frames[w->n - 1].stack : 0;
}

void prof_place_put_module(struct isp_place *p, const void *address)
{
    uintptr_t base, thread;
    p->module = prof_module_path(address);
    p->module_length = p->module ? (uint32_t)strlen(p->module) : 0;
    p->offset = (uintptr_t)address;
    if (p->module && prof_module_find(p->module, p->module_length, &base, &thread))
        p->offset -= base;
}

struct variable_of_thread {
    uintptr_t at, offset;
    const void *in; /* its module */
};

static int find_in_thread(struct dl_phdr_info *info, size_t size, void *context)
{
    struct variable_of_thread *v = context;
    bool has = size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data;
    uintptr_t start = has ? (uintptr_t)info->dlpi_tls_data : 0;
    for (int i = 0; i < info->dlpi_phnum && start; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS && v->at - start < info->dlpi_phdr[i].p_memsz) {
            v->offset = v->at - start;
            v->in = info->dlpi_phdr;
        }
    return v->in != NULL;
}

struct isp_place prof_place_of(const struct prof_where *w, uintptr_t at)
{
    struct isp_place p = {.kind = ISP_PLACE_MODULE};
    struct variable_of_thread v = {.at = at};
    prof_place_put_module(&p, (const void *)at);
    if (p.module)
        return p;
    for (unsigned i = 0; i < w->n; i++) {
        const struct prof_frame *f = &w->frames[i];
        if (at < f->stack || (f->end && at >= f->end))
            continue;
        p.kind = f->end ? ISP_PLACE_FRAME : ISP_PLACE_START;
        if (!f->end && at - f->stack > 1 << 23)
            break; /* it is beyond the stack */
        p.from_end = (int64_t)(at - f->end);
        p.from_pointer = (int64_t)(at - f->pointer);
        p.from_stack = (int64_t)(at - f->stack);
        prof_place_put_module(&p, (const void *)f->address);
        return p;
    }
    p = (struct isp_place){.kind = ISP_PLACE_UNKNOWN};
    dl_iterate_phdr(find_in_thread, &v);
    if (v.in) {
        prof_place_put_module(&p, v.in);
        p.kind = p.module ? ISP_PLACE_THREAD : ISP_PLACE_UNKNOWN;
        p.offset = v.offset;
    }
    return p;
}
