/* SPDX-License-Identifier: BSD-3-Clause */
#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool sched_place_variable(struct sched_sites *sites, const struct isp_place *p, int64_t more,
                          struct sched_variable *v)
{
    char *module = sched_must(strndup(p->module ? p->module : "", p->module_length));
    struct sched_frame_place frame = {p->offset, p->from_end + more, p->from_pointer + more,
                                      p->from_stack + more};
    uint64_t offset = p->offset + (uint64_t)more;
    *v = (struct sched_variable){0};
    bool found = (p->kind == ISP_PLACE_MODULE && sched_variable_static(sites, module, offset, v)) ||
                 (p->kind == ISP_PLACE_THREAD && sched_variable_thread(sites, module, offset, v)) ||
                 (p->kind == ISP_PLACE_REGISTER &&
                  sched_variable_register(sites, module, p->offset, (int)p->from_stack, v)) ||
                 (p->kind == ISP_PLACE_FRAME && sched_variable_local(sites, module, &frame, v));
    free(module);
    return found;
}

/* What a variable leads to is not the variable itself. */
bool sched_place_on_way(struct sched_sites *sites, const struct isp_way *w, unsigned at,
                        struct sched_variable *v)
{
    if (!sched_place_variable(sites, &w->pointer, 0, v))
        return false;
    free(v->option);
    v->option = NULL;
    uint32_t i = 0;
    while (i < w->n_steps && sched_variable_behind(v, w->steps[i] + (i + 1 == w->n_steps ? at : 0)))
        i++;
    if (i == w->n_steps)
        return true;
    sched_variable_finish(v);
    return false;
}
