/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings that this version reports: enum value, stable id, severity.
 * Scripts, suppressions and SARIF use the ids; they never change.
 */
#ifndef ISP_RULES_H
#define ISP_RULES_H

#define ISP_RULES(X)                                                     \
    X(DEADLOCK, "deadlock", ERROR)                                       \
    X(UNSAFE_BUFFERING, "unsafe-buffering", ERROR)                       \
    X(LIVELOCK, "livelock", ERROR)                                       \
    X(HANG, "hang", ERROR)                                               \
    X(COLLECTIVE_MISMATCH, "collective-mismatch", ERROR)                 \
    X(COLLECTIVE_ROOT_MISMATCH, "collective-root-mismatch", ERROR)       \
    X(COLLECTIVE_OP_MISMATCH, "collective-op-mismatch", ERROR)           \
    X(TYPE_MISMATCH, "type-mismatch", ERROR)                             \
    X(TRUNCATION, "truncation", ERROR)                                   \
    X(READY_SEND, "ready-send", ERROR)                                   \
    X(BSEND_BUFFER, "bsend-buffer", ERROR)                               \
    X(INVALID_COMMUNICATOR, "invalid-communicator", ERROR)               \
    X(INVALID_RANK, "invalid-rank", ERROR)                               \
    X(INVALID_TAG, "invalid-tag", ERROR)                                 \
    X(INVALID_COUNT, "invalid-count", ERROR)                             \
    X(INVALID_DATATYPE, "invalid-datatype", ERROR)                       \
    X(INVALID_OP, "invalid-op", ERROR)                                   \
    X(INVALID_ROOT, "invalid-root", ERROR)                               \
    X(INVALID_BUFFER, "invalid-buffer", ERROR)                           \
    X(INVALID_REQUEST, "invalid-request", ERROR)                         \
    X(INVALID_ARGUMENT, "invalid-argument", ERROR)                       \
    X(LOST_MESSAGE, "lost-message", ERROR)                               \
    X(MISSING_WAIT, "missing-wait", ERROR)                               \
    X(REQUEST_REUSE, "request-reuse", ERROR)                             \
    X(MISSING_START, "missing-start", WARNING)                           \
    X(BUFFER_OVERLAP, "buffer-overlap", ERROR)                           \
    X(SEND_BUFFER_MODIFIED, "send-buffer-modified", ERROR)               \
    X(RECEIVE_BUFFER_ACCESSED, "receive-buffer-accessed", ERROR)         \
    X(RMA_EPOCH, "rma-epoch", ERROR)                                     \
    X(RMA_CONFLICT, "rma-conflict", ERROR)                               \
    X(IO_MISUSE, "io-misuse", ERROR)                                     \
    X(LEAK_COMMUNICATOR, "leak-communicator", WARNING)                   \
    X(LEAK_GROUP, "leak-group", WARNING)                                 \
    X(LEAK_DATATYPE, "leak-datatype", WARNING)                           \
    X(LEAK_OP, "leak-op", WARNING)                                       \
    X(LEAK_REQUEST, "leak-request", WARNING)                             \
    X(LEAK_ERRHANDLER, "leak-errhandler", WARNING)                       \
    X(LEAK_INFO, "leak-info", WARNING)                                   \
    X(LEAK_KEYVAL, "leak-keyval", WARNING)                               \
    X(LEAK_MESSAGE, "leak-message", WARNING)                             \
    X(LEAK_WINDOW, "leak-window", WARNING)                               \
    X(LEAK_FILE, "leak-file", WARNING)                                   \
    X(THREAD_LEVEL, "thread-level", ERROR)                               \
    X(CRASH, "crash", ERROR)                                             \
    X(ABORT, "abort", ERROR)                                             \
    X(ASSERTION, "assertion", ERROR)                                     \
    X(EXIT_CODE, "exit-code", ERROR)                                     \
    X(CALL_BEFORE_INIT, "call-before-init", ERROR)                       \
    X(CALL_AFTER_FINALIZE, "call-after-finalize", ERROR)                 \
    X(NO_FINALIZE, "no-finalize", ERROR)                                 \
    X(MPI_ERROR, "mpi-error", ERROR)                                     \
    X(NONDETERMINISM, "nondeterminism", ERROR)                           \
    X(WILDCARD, "wildcard", NOTE)                                        \
    X(IRRELEVANT_BARRIER, "irrelevant-barrier", NOTE)                    \
    X(UNSUPPORTED, "unsupported", ERROR)

enum isp_rule {
#define ISP_RULE_ENUM(name, id, severity) ISP_RULE_##name,
    ISP_RULES(ISP_RULE_ENUM)
#undef ISP_RULE_ENUM
    ISP_RULE_COUNT,
};

enum isp_severity { ISP_SEVERITY_ERROR, ISP_SEVERITY_WARNING, ISP_SEVERITY_NOTE };

#endif
