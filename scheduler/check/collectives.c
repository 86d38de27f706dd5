/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of one collective must agree: on which it is, on its root, on its reduction. A finding shows
 * every rank's version. Roots are world ranks here, as everywhere in a report. */
#include "collectives.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isp/functions.h"
#include "parts.h"
#include "types.h"
#include "words/words.h"

/* Predefined reductions have MPICH's handle values; 0 is none. Handles of user operations say nothing to
 * another rank: all that is compared is whether they commute (UINT32_MAX - 1) or not (UINT32_MAX). */
const char *sched_redop_name(uint32_t redop)
{
    if (redop >= UINT32_MAX - 1)
        return redop == UINT32_MAX ? "a user operation that does not commute"
                                   : "a user operation that commutes";
    static const char *const names[] = {NULL,       "MPI_MAX",    "MPI_MIN",    "MPI_SUM",     "MPI_PROD",
                                        "MPI_LAND", "MPI_BAND",   "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",
                                        "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP"};
    uint32_t which = redop - 0x58000000u;
    return redop == 0                                           ? "no operation"
           : which >= 1 && which < sizeof names / sizeof *names ? names[which]
                                                                : NULL;
}

static struct sched_items given(const struct isp_call *call)
{
    return (struct sched_items){call->type, call->count};
}

static struct sched_items taken(const struct isp_call *call)
{
    return (struct sched_items){call->taken_type, call->taken_count};
}

/* ", scattered as 2, 2, 4": the counts of MPI_Reduce_scatter. */
static void add_scattered(char **text, const struct isp_call *call)
{
    enum { SHOWN = 8 };
    unsigned shown = 0;
    for (uint32_t i = 0; i < call->n_taken && shown <= SHOWN; i++) {
        struct isp_share share = isp_call_share(call, i);
        for (uint32_t k = 0; k < share.n && shown <= SHOWN; k++, shown++)
            if (shown == SHOWN)
                sched_words_add(text, ", ...");
            else
                sched_words_add(text, "%s%" PRIu64, shown ? ", " : ", scattered as ", share.count);
    }
}

static char *type_words(const struct sched_run *run, const struct isp_call *call)
{
    char *out = sched_signature_words(run->signatures, call->type, call->count);
    char *in = sched_signature_words(run->signatures, call->taken_type, call->taken_count);
    char *text = call->type == ISP_BASIC_NONE         ? sched_format("%s taken", in)
                 : call->taken_type == ISP_BASIC_NONE ? sched_format("%s given", out)
                 : strcmp(out, in) == 0               ? sched_format("%s", out)
                                                      : sched_format("%s given and %s taken", out, in);
    add_scattered(&text, call);
    free(out);
    free(in);
    return text;
}

/* What members can disagree on. */
enum aspect { ASPECT_FUNCTION, ASPECT_ROOT, ASPECT_OPERATION, ASPECT_TYPES, ASPECT_PLACE, ASPECT_VALUE };

static const struct {
    enum isp_rule rule;
    const char *name;
} aspects[] = {
    [ASPECT_FUNCTION] = {ISP_RULE_COLLECTIVE_MISMATCH, ""},
    [ASPECT_ROOT] = {ISP_RULE_COLLECTIVE_ROOT_MISMATCH, "roots"},
    [ASPECT_OPERATION] = {ISP_RULE_COLLECTIVE_OP_MISMATCH, "operations"},
    [ASPECT_TYPES] = {ISP_RULE_TYPE_MISMATCH, "types"},
    [ASPECT_PLACE] = {ISP_RULE_COLLECTIVE_MISMATCH, "send buffers"},
    [ASPECT_VALUE] = {ISP_RULE_IO_MISUSE, "values"}, /* rule_of(), value_name() */
};

/* The argument that must be alike on all members (of files: MPI-4.0, chapter 14; of windows: section 12.5.5);
 * its value is in color (low) and key (high). */
static const char *value_name(enum isp_fn fn)
{
    switch (fn) {
    case ISP_FN_MPI_File_open: return "access modes";
    case ISP_FN_MPI_File_set_size:
    case ISP_FN_MPI_File_preallocate: return "sizes";
    case ISP_FN_MPI_File_seek_shared: return "offsets";
    case ISP_FN_MPI_File_set_atomicity: return "flags";
    case ISP_FN_MPI_Win_fence: return "assertions";
    default: return NULL;
    }
}

static int64_t common_value(const struct isp_call *call)
{
    return (int64_t)((uint64_t)(uint32_t)call->key << 32 | (uint32_t)call->color);
}

/* As MPICH numbers them. */
static char *mode_words(int64_t mode)
{
    static const char *const names[] = {"CREATE",      "RDONLY", "WRONLY", "RDWR",      "DELETE_ON_CLOSE",
                                        "UNIQUE_OPEN", "EXCL",   "APPEND", "SEQUENTIAL"};
    char *text = NULL;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (mode >> i & 1)
            sched_words_add(&text, "%s%s", text ? " | " : "MPI_MODE_", names[i]);
    return text ? text : sched_strdup("none");
}

/* As MPICH numbers them; of those that are not alike on all members. */
static char *assert_words(int64_t assert)
{
    enum { NOPRECEDE = 8192, NOSUCCEED = 16384 };
    return sched_format("%s%s%s",
                        assert &NOPRECEDE ? "MPI_MODE_NOPRECEDE"
                        : assert          ? ""
                                          : "none of them",
                        assert == (NOPRECEDE | NOSUCCEED) ? " | " : "",
                        assert &NOSUCCEED ? "MPI_MODE_NOSUCCEED" : "");
}

static char *common_value_words(const struct isp_call *call)
{
    switch (call->fn) {
    case ISP_FN_MPI_File_open: return mode_words(common_value(call));
    case ISP_FN_MPI_Win_fence: return assert_words(common_value(call));
    default: return sched_format("%" PRId64, common_value(call));
    }
}

static enum isp_rule rule_of(enum aspect aspect, const struct isp_call *call)
{
    return aspect == ASPECT_VALUE && call->fn == ISP_FN_MPI_Win_fence ? ISP_RULE_RMA_EPOCH
                                                                      : aspects[aspect].rule;
}

static char *value_words(const struct sched_run *run, const struct isp_call *call, enum aspect aspect)
{
    switch (aspect) {
    case ASPECT_ROOT: return call->root < 0 ? sched_format("no root") : sched_format("root %d", call->root);
    case ASPECT_OPERATION:
        return sched_redop_name(call->redop) ? sched_format("%s", sched_redop_name(call->redop))
                                             : sched_format("operation 0x%x", call->redop);
    case ASPECT_TYPES: return type_words(run, call);
    case ASPECT_VALUE: return common_value_words(call);
    case ASPECT_PLACE: return sched_strdup(call->flags & ISP_F_IN_PLACE ? "MPI_IN_PLACE" : "a buffer");
    default: return sched_format("%s", isp_fn_name(isp_fn_base((enum isp_fn)call->fn)));
    }
}

static bool same_shares(const struct isp_call *a, const struct isp_call *b)
{
    size_t n = (size_t)(isp_call_words(a) - a->n);
    return a->n_given == b->n_given && a->n_taken == b->n_taken &&
           (n == 0 || memcmp(a->list + a->n, b->list + b->n, n * sizeof *a->list) == 0);
}

static bool same_value(const struct isp_call *a, const struct isp_call *b, enum aspect aspect)
{
    switch (aspect) {
    case ASPECT_ROOT: return a->root == b->root;
    case ASPECT_OPERATION: return a->redop == b->redop;
    case ASPECT_TYPES:
        return a->type == b->type && a->count == b->count && a->taken_type == b->taken_type &&
               a->taken_count == b->taken_count && same_shares(a, b);
    case ASPECT_VALUE: return common_value(a) == common_value(b);
    case ASPECT_PLACE: return !((a->flags ^ b->flags) & ISP_F_IN_PLACE);
    default: return isp_fn_base((enum isp_fn)a->fn) == isp_fn_base((enum isp_fn)b->fn) && a->mode == b->mode;
    }
}

/* Whether no member before `i` has the same value. */
static bool is_new_value(const struct poe_fired *fired, unsigned i, enum aspect aspect)
{
    for (unsigned k = 0; k < i; k++)
        if (same_value(&fired->members[k]->call, &fired->members[i]->call, aspect))
            return false;
    return true;
}

/* Members come in the order of the communicator; ranks are told in ascending order. */
static int by_rank(const void *a, const void *b)
{
    const struct poe_transition *const *x = a, *const *y = b;
    return (*x)->rank - (*y)->rank;
}

static bool at_one_place(const struct poe_fired *fired)
{
    bool one = true;
    for (unsigned i = 1; i < fired->n_members; i++)
        one &= fired->members[i]->call.site == fired->members[0]->call.site;
    return one;
}

/* " (f.c:7)", " (f.c:7 and elsewhere)": where those with the value of this member call it. */
static char *places_of_value(const struct sched_run *run, const struct poe_fired *fired, unsigned member,
                             enum aspect aspect)
{
    const struct isp_call *call = &fired->members[member]->call;
    bool elsewhere = false;
    for (unsigned k = 0; k < fired->n_members; k++)
        elsewhere |=
            fired->members[k]->call.site != call->site && same_value(&fired->members[k]->call, call, aspect);
    char *place = sched_words_spot(run, call->site);
    char *text = sched_format(" (%s%s)", place, elsewhere ? " and elsewhere" : "");
    free(place);
    return text;
}

/* "root 0 on ranks 0, 2; root 1 on rank 1"; with their places, if these are not all one. */
static char *versions(const struct sched_run *run, const struct poe_fired *sorted, enum aspect aspect)
{
    enum { SHOWN = 4 };
    char *text = NULL;
    unsigned n_values = 0;
    bool one_place = at_one_place(sorted);
    int *ranks = sched_alloc(sorted->n_members, sizeof *ranks);
    for (unsigned i = 0; i < sorted->n_members; i++) {
        if (!is_new_value(sorted, i, aspect) || ++n_values > SHOWN)
            continue;
        size_t n = 0;
        for (unsigned k = 0; k < sorted->n_members; k++)
            if (same_value(&sorted->members[k]->call, &sorted->members[i]->call, aspect))
                ranks[n++] = sorted->members[k]->rank;
        char *value = value_words(run, &sorted->members[i]->call, aspect), *who = sched_words_ranks(ranks, n);
        char *places = one_place ? sched_strdup("") : places_of_value(run, sorted, i, aspect);
        sched_words_add(&text, "%s%s on %s%s", text ? "; " : "", value, who, places);
        free(places);
        free(value);
        free(who);
    }
    if (n_values > SHOWN)
        sched_words_add(&text, "; and %u more", n_values - SHOWN);
    free(ranks);
    return text;
}

static void tell(struct sched_draft *d, const struct sched_run *run, const struct poe_fired *sorted,
                 enum aspect aspect)
{
    const struct isp_call *call = &sorted->members[0]->call;
    enum isp_fn fn = (enum isp_fn)call->fn;
    const char *what = sched_draft_own(d, versions(run, sorted, aspect));
    const char *comm = sched_draft_own(d, sched_words_comm_made(run, call));
    if (aspect == ASPECT_FUNCTION)
        sched_draft_message(d, "ranks call different collectives on %s: %s", comm, what);
    else
        sched_draft_message(d, "ranks call %s on %s with different %s: %s", isp_fn_name(fn), comm,
                            aspect == ASPECT_VALUE ? value_name(fn) : aspects[aspect].name, what);
}

/* The first site is that of the first rank whose value is rarest: it is the one that went elsewhere. */
static unsigned odd_one(const struct poe_fired *sorted, enum aspect aspect)
{
    unsigned best = 0, fewest = sorted->n_members + 1;
    for (unsigned i = 0; i < sorted->n_members; i++) {
        unsigned n = 0;
        if (!is_new_value(sorted, i, aspect))
            continue;
        for (unsigned k = 0; k < sorted->n_members; k++)
            n += same_value(&sorted->members[k]->call, &sorted->members[i]->call, aspect);
        if (n < fewest)
            best = i, fewest = n;
    }
    return best;
}

static void report(struct sched_run *run, const struct poe_fired *fired, enum aspect aspect)
{
    unsigned n = fired->n_members;
    const struct poe_transition **members = sched_copy(fired->members, n * sizeof *members);
    qsort(members, n, sizeof *members, by_rank);
    struct poe_fired sorted = {.members = members, .n_members = n};
    unsigned odd = odd_one(&sorted, aspect);
    struct sched_draft *d = sched_draft_create(run, rule_of(aspect, &members[0]->call));
    tell(d, run, &sorted, aspect);
    sched_draft_at(d, members[odd]);
    for (unsigned i = 0; i < n; i++) {
        const struct poe_transition *t = members[i];
        if (i != odd)
            sched_draft_at(d, t);
        sched_draft_row(d, t->rank, &t->call,
                        aspect == ASPECT_FUNCTION ? NULL : value_words(run, &t->call, aspect));
    }
    sched_draft_end(d);
    free(members);
}

void sched_check_mismatch(struct sched_run *run, const struct poe_fired *fired)
{
    if (fired->n_members)
        report(run, fired, ASPECT_FUNCTION);
}

/* In an intercommunicator a member of the root's own side does not say who it is; and when one is created,
 * each side has a leader of its own. */
static bool same_root(const struct poe_fired *fired, const struct isp_call *call)
{
    for (unsigned i = 0; i < fired->n_members; i++) {
        const struct isp_call *other = &fired->members[i]->call;
        if (other->comm == call->comm && other->root >= 0 && call->root >= 0)
            return other->root == call->root;
    }
    return true;
}

/* Between whom data flows: the root and each member; or, if there is no root, all of them. */
struct flow {
    const struct sched_run *run;
    bool types, sizes; /* ... differ, on some way */
};

static void follow(struct flow *f, struct sched_items out, struct sched_items in)
{
    if (sched_items_equal(f->run, out, in))
        return;
    f->types = true;
    f->sizes |= sched_signature_bytes(f->run->signatures, out.type, out.count) !=
                sched_signature_bytes(f->run->signatures, in.type, in.count);
}

static const struct isp_call *find_root(const struct poe_fired *fired)
{
    for (unsigned i = 0; i < fired->n_members; i++)
        if (fired->members[i]->rank == fired->members[i]->call.root)
            return &fired->members[i]->call;
    return NULL;
}

/* What each member gives must be what the others take (MPI-4.0, sections 6.4 to 6.11): here where that is the
 * same for all. */
static struct flow follow_all(const struct sched_run *run, const struct poe_fired *fired)
{
    struct flow f = {.run = run};
    const struct isp_call *root = find_root(fired), *first = &fired->members[0]->call;
    struct sched_items one = {ISP_BASIC_NONE, 0};
    for (unsigned i = 0; i < fired->n_members; i++) {
        const struct isp_call *call = &fired->members[i]->call;
        if (root) {
            follow(&f, given(call), taken(root));
            follow(&f, given(root), taken(call));
        } else if (call->root < 0) { /* all of them are alike */
            one = one.type == ISP_BASIC_NONE ? given(call) : one;
            one = one.type == ISP_BASIC_NONE ? taken(call) : one;
            follow(&f, given(call), one);
            follow(&f, one, taken(call));
        }
    }
    if (first->redop && !sched_parts_scatter_alike(run, fired))
        f.types = f.sizes = true;
    return f;
}

/* Members may give another thing to each, or the two sides of an intercommunicator other things. */
static bool has_parts(const struct sched_run *run, const struct poe_fired *fired)
{
    const struct isp_call *call = &fired->members[0]->call;
    if (call->redop || call->mode != ISP_MAKE_NOTHING)
        return false;
    bool parts =
        call->flow == ISP_FLOW_LIST || (!find_root(fired) && poe_comm_first_side(run->poe, call->comm));
    for (unsigned i = 0; i < fired->n_members; i++)
        parts |= fired->members[i]->call.n_given || fired->members[i]->call.n_taken;
    return parts;
}

/* False if sizes differ. */
static bool check_types(struct sched_run *run, const struct poe_fired *fired)
{
    if (!has_parts(run, fired)) {
        struct flow types = follow_all(run, fired);
        if (types.types)
            report(run, fired, ASPECT_TYPES);
        return !types.sizes;
    }
    struct sched_misfits misfits = sched_parts_compare(run, fired);
    if (misfits.n)
        sched_parts_report(run, &misfits);
    free(misfits.list);
    return !misfits.sizes;
}

/* Where MPI_IN_PLACE is for all members or for none (MPI-4.0, sections 6.7, 6.8, 6.9.6 and 6.10.1): not in
 * MPI_Reduce_scatter, which says how it scatters, nor in the scans. */
static bool same_place(const struct poe_fired *fired)
{
    const struct isp_call *first = &fired->members[0]->call;
    bool same = true;
    for (unsigned i = 1; i < fired->n_members; i++)
        same &= same_value(first, &fired->members[i]->call, ASPECT_PLACE);
    bool some = first->flow == ISP_FLOW_ALL || (first->flow == ISP_FLOW_SOURCES && first->root < 0);
    return same || !some || (first->redop && first->n_taken);
}

bool sched_check_collective(struct sched_run *run, const struct poe_fired *fired)
{
    bool roots = false, operations = false, values = false;
    for (unsigned i = 1; i < fired->n_members; i++) {
        const struct isp_call *first = &fired->members[0]->call, *call = &fired->members[i]->call;
        roots |= !same_root(fired, call);
        operations |= call->redop != first->redop;
        values |= value_name((enum isp_fn)first->fn) && common_value(call) != common_value(first);
    }
    if (roots)
        report(run, fired, ASPECT_ROOT);
    if (operations)
        report(run, fired, ASPECT_OPERATION);
    if (roots)
        return false;
    if (values)
        report(run, fired, ASPECT_VALUE);
    if (same_place(fired))
        return check_types(run, fired);
    report(run, fired, ASPECT_PLACE);
    return fired->members[0]->call.redop != 0; /* where MPI exchanges in place, it does so in other steps */
}

static char *tell_absent(const struct sched_run *run, const struct poe_transition *t)
{
    int *ranks = sched_alloc((size_t)run->options->ranks, sizeof *ranks);
    unsigned n = poe_missing(run->poe, t, ranks);
    char *who = sched_words_ranks(ranks, n), *text = sched_format("left it; %s never called it", who);
    free(ranks);
    free(who);
    return text;
}

void sched_check_incomplete(struct sched_run *run, const struct sched_groups *collectives)
{
    for (size_t i = 0; i < collectives->n; i++) {
        const struct sched_group *g = &collectives->groups[i];
        struct sched_draft *d = sched_group_draft(run, g, ISP_RULE_COLLECTIVE_MISMATCH, tell_absent);
        sched_draft_message(d, "not every rank of %s calls this %s",
                            sched_draft_own(d, sched_words_comm(run, &g->members[0]->call)),
                            isp_fn_name((enum isp_fn)g->fn));
        sched_draft_end(d);
    }
}
