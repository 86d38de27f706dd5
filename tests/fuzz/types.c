/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type signatures on isp's side: what TYPE messages tell, and what is then asked of the types, with any
 * counts. Whatever can be read must have answers that fit together.
 */
#include "fuzz.h"

#include "isp/datatypes.h"
#include "check/signatures.h"

static uint64_t number(struct isp_reader *in)
{
    static const uint64_t edges[] = {UINT64_MAX,        UINT64_MAX - 1, (uint64_t)1 << 63,
                                     (uint64_t)1 << 32, 1000003,        0};
    uint8_t n = isp_get_u8(in);
    return n < 250 ? n : edges[n - 250];
}

/* u8 nodes, each: u8 parts, each: a number, u8 what (from 128 on: an earlier node). */
static uint32_t tell(struct sched_signatures *all, struct isp_reader *in)
{
    struct isp_buf b;
    isp_buf_init(&b);
    uint32_t nodes = isp_get_u8(in) % 8;
    isp_put_u32(&b, nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t parts = isp_get_u8(in) % 8;
        isp_put_u32(&b, parts);
        for (uint32_t k = 0; k < parts; k++) {
            uint64_t count = number(in);
            uint8_t what = isp_get_u8(in);
            isp_put_u64(&b, count);
            isp_put_u32(&b, what < 128 ? what : ISP_TYPE_TOLD + what - 128);
        }
    }
    uint8_t *exact = fuzz_copy(b.data, b.size);
    struct isp_reader r = isp_reader_of(exact, b.size);
    uint32_t type = sched_signatures_take(all, &r);
    FUZZ_CHECK(r.ok == (type != ISP_BASIC_NONE));
    free(exact);
    isp_buf_finish(&b);
    return type;
}

static void ask(const struct sched_signatures *all, uint32_t type, struct isp_reader *in)
{
    uint64_t count = number(in), n = number(in), i = number(in);
    struct isp_signature whole = sched_signature_of(all, type, count);
    sched_signature_bytes(all, type, count);
    char *words = sched_signature_words(all, type, count);
    FUZZ_CHECK(words && *words && strlen(words) < 65536);
    free(words);
    if (whole.length && whole.length != UINT64_MAX) {
        n %= whole.length + 1;
        struct isp_signature prefix = sched_signature_prefix(all, type, count, n);
        FUZZ_CHECK(prefix.length == n);
        uint32_t basic = sched_signature_at(all, type, count, i % whole.length);
        FUZZ_CHECK(basic > ISP_BASIC_NONE && basic < ISP_BASIC_END);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t types[16] = {ISP_BASIC_INT, ISP_BASIC_DOUBLE, ISP_TYPE_TOLD + 1000, ISP_BASIC_NONE, UINT32_MAX};
    unsigned n = 5;
    struct isp_reader in = isp_reader_of(data, size);
    struct sched_signatures *all = sched_signatures_create();
    while (in.ok && in.at < in.end) {
        uint8_t what = isp_get_u8(&in);
        if (what < 64 && n < 16) {
            types[n] = tell(all, &in);
            n += types[n] != ISP_BASIC_NONE;
        } else if (what < 80) { /* bytes as they come */
            uint8_t *rest = fuzz_copy(in.at, (size_t)(in.end - in.at));
            struct isp_reader r = isp_reader_of(rest, (size_t)(in.end - in.at));
            sched_signatures_take(all, &r);
            free(rest);
            break;
        } else {
            ask(all, types[what % n], &in);
        }
    }
    sched_signatures_destroy(all);
    return 0;
}
