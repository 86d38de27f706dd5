/* SPDX-License-Identifier: BSD-3-Clause */
#include "op_words.h"

#include <stddef.h>
#include <string.h>

#include "isp/call.h"

static const char *const words[] = {
    [ISP_OP_SEND] = "send",         [ISP_OP_RECV] = "receive",          [ISP_OP_PROBE] = "probe",
    [ISP_OP_COMPLETE] = "complete", [ISP_OP_COLLECTIVE] = "collective", [ISP_OP_CANCEL] = "cancel",
    [ISP_OP_FREE] = "free",         [ISP_OP_FINALIZE] = "finalize",     [ISP_OP_JOIN] = "join",
    [ISP_OP_READY] = "ready",       [ISP_OP_DETACH] = "detach",         [ISP_OP_LOCK] = "lock",
    [ISP_OP_UNLOCK] = "unlock"};

enum { WORDS = sizeof words / sizeof *words };

const char *sched_op_word(uint8_t op) { return op < WORDS ? words[op] : NULL; }

uint8_t sched_op_of_word(const char *word)
{
    for (uint8_t op = 0; word && op < WORDS; op++)
        if (words[op] && strcmp(words[op], word) == 0)
            return op;
    return 0;
}

static int32_t small(int64_t number, int32_t none)
{
    return number < INT32_MIN || number > INT32_MAX ? none : (int32_t)number;
}

struct poe_ancestor_call sched_ancestor_call(const char *op, const char *mode,
                                             const struct sched_kind_numbers *n)
{
    uint8_t known = sched_op_of_word(op);
    bool taken_out = known == ISP_OP_RECV && mode && strcmp(mode, "matched") == 0;
    return (struct poe_ancestor_call){.op = known,
                                      .mode = taken_out ? ISP_RECV_MESSAGE : 0,
                                      .flags = (uint32_t)n->flags,
                                      .comm = small(n->comm, ISP_NO_COMM),
                                      .peer = small(n->peer, ISP_NO_RANK),
                                      .tag = small(n->tag, 0),
                                      .thread = (uint32_t)n->thread};
}
