/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance.h"

struct poe_op *poe_instance_first(const struct poe_instance *i)
{
    for (int place = 0; place < i->comm->n; place++)
        if (i->ops[place])
            return i->ops[place];
    return NULL;
}
