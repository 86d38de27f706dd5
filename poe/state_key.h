/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells states apart only if something below depends on it (poe_state_key has the rest: states.h). */
#ifndef POE_STATE_KEY_H
#define POE_STATE_KEY_H

#include "state.h"

enum poe_question {
    POE_PATIENCE,  /* how many decisions were not first alternatives: polls ask (poll.c) */
    POE_READINESS, /* who knows of which pending receive: ready sends ask (ready_send.c) */
    POE_QUESTIONS
};

uint64_t poe_state_answer(const struct poe *poe, enum poe_question question);

#endif
