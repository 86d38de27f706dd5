/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What code that was compiled with -fsanitize=thread calls for each load and store, in place of
 * ThreadSanitizer's own library: isp-cc -fisp-memory links it. All that is done here is to see whether the
 * address is near memory that isp watches; outside of isp nothing ever is. The names and their arguments are
 * the compilers' (gcc's gcc/sanitizer.def, LLVM's ThreadSanitizer pass).
 *
 * The atomic functions do what they are named for, in the strongest order.
 */
#include <stddef.h>
#include <stdint.h>

#include "../profiler/watch/watch_compiled.h"

#define EXPORT __attribute__((visibility("default")))
#define SITE __builtin_return_address(0)

static inline void touch(const volatile void *at, size_t bytes, bool store, const void *site)
{
    /* The end of the access may be inside though its beginning is below: bytes are few, except in ranges. */
    uintptr_t low = (uintptr_t)at, span = prof_watch_range.span;
    if (__builtin_expect(span != 0, 0) && low - (prof_watch_range.low - bytes) < span + bytes)
        prof_watch_touched(low, bytes, store, site);
}

__attribute__((constructor)) static void announce(void) { prof_watch_is_compiled = true; }

EXPORT void __tsan_init(void) { prof_watch_is_compiled = true; }
EXPORT void __tsan_func_entry(void *caller) { (void)caller; }
EXPORT void __tsan_func_exit(void) {}
EXPORT void __tsan_ignore_thread_begin(void) {}
EXPORT void __tsan_ignore_thread_end(void) {}
EXPORT void __tsan_acquire(void *at) { (void)at; }
EXPORT void __tsan_release(void *at) { (void)at; }

#define PLAIN(bytes)                                                                               \
    EXPORT void __tsan_read##bytes(void *at) { touch(at, bytes, false, SITE); }                    \
    EXPORT void __tsan_write##bytes(void *at) { touch(at, bytes, true, SITE); }                    \
    EXPORT void __tsan_unaligned_read##bytes(void *at) { touch(at, bytes, false, SITE); }          \
    EXPORT void __tsan_unaligned_write##bytes(void *at) { touch(at, bytes, true, SITE); }          \
    EXPORT void __tsan_volatile_read##bytes(void *at) { touch(at, bytes, false, SITE); }           \
    EXPORT void __tsan_volatile_write##bytes(void *at) { touch(at, bytes, true, SITE); }           \
    EXPORT void __tsan_unaligned_volatile_read##bytes(void *at) { touch(at, bytes, false, SITE); } \
    EXPORT void __tsan_unaligned_volatile_write##bytes(void *at) { touch(at, bytes, true, SITE); } \
    EXPORT void __tsan_read_write##bytes(void *at)                                                 \
    {                                                                                              \
        touch(at, bytes, false, SITE);                                                             \
        touch(at, bytes, true, SITE);                                                              \
    }                                                                                              \
    EXPORT void __tsan_unaligned_read_write##bytes(void *at)                                       \
    {                                                                                              \
        touch(at, bytes, false, SITE);                                                             \
        touch(at, bytes, true, SITE);                                                              \
    }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

EXPORT void __tsan_read_range(void *at, size_t bytes) { touch(at, bytes, false, SITE); }
EXPORT void __tsan_write_range(void *at, size_t bytes) { touch(at, bytes, true, SITE); }

EXPORT void __tsan_vptr_update(void **at, void *value)
{
    (void)value;
    touch(at, sizeof *at, true, SITE);
}

EXPORT void __tsan_vptr_read(void **at) { touch(at, sizeof *at, false, SITE); }

/* ---- atomics ---- */

#define UPDATE(bits, type, name, update)                                               \
    EXPORT type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
    {                                                                                  \
        (void)order;                                                                   \
        touch(at, sizeof *at, true, SITE);                                             \
        return update(at, value, __ATOMIC_SEQ_CST);                                    \
    }

#define COMPARE(bits, type, name, weak)                                                                     \
    EXPORT int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected, type value, \
                                                             int order, int failure)                        \
    {                                                                                                       \
        (void)order, (void)failure;                                                                         \
        touch(at, sizeof *at, true, SITE);                                                                  \
        return __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
    }

#define ATOMIC(bits, type)                                                                               \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *at, int order)                           \
    {                                                                                                    \
        (void)order;                                                                                     \
        touch(at, sizeof *at, false, SITE);                                                              \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                    \
    EXPORT void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                    \
    {                                                                                                    \
        (void)order;                                                                                     \
        touch(at, sizeof *at, true, SITE);                                                               \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                    \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, \
                                                           int order, int failure)                       \
    {                                                                                                    \
        (void)order, (void)failure;                                                                      \
        touch(at, sizeof *at, true, SITE);                                                               \
        __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
        return expected;                                                                                 \
    }                                                                                                    \
    COMPARE(bits, type, strong, 0)                                                                       \
    COMPARE(bits, type, weak, 1)                                                                         \
    UPDATE(bits, type, exchange, __atomic_exchange_n)                                                    \
    UPDATE(bits, type, fetch_add, __atomic_fetch_add)                                                    \
    UPDATE(bits, type, fetch_sub, __atomic_fetch_sub)                                                    \
    UPDATE(bits, type, fetch_and, __atomic_fetch_and)                                                    \
    UPDATE(bits, type, fetch_or, __atomic_fetch_or)                                                      \
    UPDATE(bits, type, fetch_xor, __atomic_fetch_xor)                                                    \
    UPDATE(bits, type, fetch_nand, __atomic_fetch_nand)

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

EXPORT void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORT void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- functions of libc that the compiler calls, or puts in place of loops: by the linker's --wrap ---- */

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memset(void *to, int value, size_t bytes);

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    touch(from, bytes, false, SITE);
    touch(to, bytes, true, SITE);
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    touch(from, bytes, false, SITE);
    touch(to, bytes, true, SITE);
    return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int value, size_t bytes)
{
    touch(to, bytes, true, SITE);
    return __real_memset(to, value, bytes);
}
