/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A message and its receive must have the same basic types in the same order (MPI-4.0, sections 3.3.1 and
 * 5.1.11); the message may be shorter, so its signature must be a prefix of the receive's. MPI_PACKED matches
 * all, MPI_BYTE only itself. A message that holds nothing has no type. What matches beyond equal names:
 * include/isp/datatypes.h.
 */
#include "types.h"

#include <inttypes.h>

#include "pair.h"

static bool is_basic(struct sched_items x) { return x.type < ISP_TYPE_TOLD; }

static bool same_prefix(const struct sched_run *run, struct sched_items a, struct sched_items b, uint64_t n)
{
    return isp_signature_equal(sched_signature_prefix(run->signatures, a.type, a.count, n),
                               sched_signature_prefix(run->signatures, b.type, b.count, n));
}

bool sched_items_match(const struct sched_run *run, struct sched_items a, struct sched_items b)
{
    if (a.type == b.type)
        return true;
    if (is_basic(a) && is_basic(b))
        return isp_basic_matches(a.type, b.type);
    if (a.type == ISP_BASIC_PACKED || b.type == ISP_BASIC_PACKED)
        return true;
    uint64_t n_a = sched_signature_of(run->signatures, a.type, a.count).length;
    uint64_t n_b = sched_signature_of(run->signatures, b.type, b.count).length;
    return same_prefix(run, a, b, n_a < n_b ? n_a : n_b);
}

static bool is_unknown(const struct sched_run *run, struct sched_items x)
{
    return x.type == ISP_BASIC_NONE || x.type == ISP_BASIC_PACKED ||
           sched_signature_of(run->signatures, x.type, 1).length == 0;
}

bool sched_items_equal(const struct sched_run *run, struct sched_items a, struct sched_items b)
{
    if ((a.type == b.type && a.count == b.count) || is_unknown(run, a) || is_unknown(run, b))
        return true;
    uint64_t n = sched_signature_of(run->signatures, a.type, a.count).length;
    return n == sched_signature_of(run->signatures, b.type, b.count).length &&
           (n == 0 || sched_items_match(run, a, b));
}

/* The first element that differs; at least one does. */
static uint64_t first_difference(const struct sched_run *run, struct sched_items a, struct sched_items b)
{
    if (is_basic(a) && is_basic(b))
        return 0;
    uint64_t n_a = sched_signature_of(run->signatures, a.type, a.count).length;
    uint64_t n_b = sched_signature_of(run->signatures, b.type, b.count).length;
    uint64_t same = 0, differs = n_a < n_b ? n_a : n_b;
    while (differs - same > 1) {
        uint64_t middle = same + (differs - same) / 2;
        if (same_prefix(run, a, b, middle))
            same = middle;
        else
            differs = middle;
    }
    return same;
}

void sched_items_tell_difference(struct sched_draft *d, const struct sched_run *run, struct sched_items a,
                                 struct sched_items b, const char *a_is, const char *b_is)
{
    if ((is_basic(a) && is_basic(b)) || is_unknown(run, a) || is_unknown(run, b))
        return;
    const struct sched_signatures *s = run->signatures;
    uint64_t i = first_difference(run, a, b), n_a = sched_signature_of(s, a.type, a.count).length,
             n_b = sched_signature_of(s, b.type, b.count).length;
    if (sched_items_match(run, a, b) || i >= n_a || i >= n_b) /* one ends where the other goes on */
        sched_draft_line(d, "%" PRIu64 " elements are %s, and %" PRIu64 " %s", n_a, a_is, n_b, b_is);
    else
        sched_draft_line(d, "the first difference is in element %" PRIu64 " (from 0): %s is %s, and %s %s", i,
                         isp_basic_facts(sched_signature_at(s, a.type, a.count, i)).name, a_is,
                         isp_basic_facts(sched_signature_at(s, b.type, b.count, i)).name, b_is);
}

static struct sched_items items_of(const struct poe_transition *t)
{
    return (struct sched_items){t->call.type, t->call.count};
}

bool sched_types_match(const struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive)
{
    return send->call.bytes == 0 || receive->call.bytes == 0 ||
           sched_items_match(run, items_of(send), items_of(receive));
}

void sched_check_types(struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive)
{
    if (sched_types_match(run, send, receive))
        return;
    struct sched_items out = items_of(send), in = items_of(receive);
    struct sched_draft *d = sched_pair_draft(run, ISP_RULE_TYPE_MISMATCH, receive, send);
    const char *sent = sched_draft_own(d, sched_signature_words(run->signatures, out.type, out.count));
    const char *received = sched_draft_own(d, sched_signature_words(run->signatures, in.type, in.count));
    sched_draft_message(d, "rank %d sends %s at %s, rank %d receives %s at %s", send->rank, sent,
                        sched_draft_place(d, send->call.site), receive->rank, received,
                        sched_draft_place(d, receive->call.site));
    sched_items_tell_difference(d, run, out, in, "sent", "received");
    sched_draft_end(d);
}
