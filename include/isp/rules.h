/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings that this version reports. This is the only list of them: the program, the documents and the
 * tests take it from here (rules.py reads it for what is not C).
 */
#ifndef ISP_RULES_H
#define ISP_RULES_H

/* What isp looks for, in kinds: each is a test case of --junit, and this is its name. */
#define ISP_RULE_GROUPS(X)                           \
    X(NOTES, NULL)                                   \
    X(DEADLOCKS, "no deadlocks")                     \
    X(COLLECTIVES, "collectives match")              \
    X(MESSAGES, "messages are received")             \
    X(TYPES, "types match")                          \
    X(REQUESTS, "requests are completed")            \
    X(BUFFERS, "buffers in use are left alone")      \
    X(ARGUMENTS, "arguments are valid")              \
    X(RMA, "one-sided accesses are ordered")         \
    X(FILES, "files are used as opened")             \
    X(LEAKS, "handles are freed")                    \
    X(THREADS, "threads keep to their level")        \
    X(CRASHES, "no crashes")                         \
    X(LIFECYCLE, "MPI is initialized and finalized") \
    X(ERRORS, "no other MPI errors")                 \
    X(NONDETERMINISM, "runs can be repeated")        \
    X(EXPLORATION, "all interleavings are explored")

/*
 * A rule is
 *   its name in C, and its id: scripts, suppressions and SARIF use the id; it never changes,
 *   its severity, and the kind of error that it is,
 *   what is wrong, in half a sentence: for lists, in the program and in the documents,
 *   what a finding of a rank says if the rank gives no text of its own (NULL: it always gives one).
 * What else is to be said stands in docs/rules/ID.md.
 */
#define ISP_RULES(X)                                                                                         \
    X(DEADLOCK, "deadlock", ERROR, DEADLOCKS, "no rank can move, and not all have finalized", NULL)          \
    X(UNSAFE_BUFFERING, "unsafe-buffering", ERROR, DEADLOCKS,                                                \
      "deadlocks unless MPI buffers a standard send", NULL)                                                  \
    X(LIVELOCK, "livelock", ERROR, DEADLOCKS, "ranks poll for something that can never come", NULL)          \
    X(HANG, "hang", ERROR, DEADLOCKS, "a rank makes no MPI call for the time-out", NULL)                     \
    X(COLLECTIVE_MISMATCH, "collective-mismatch", ERROR, COLLECTIVES,                                        \
      "the ranks of a communicator disagree on the next collective", NULL)                                   \
    X(COLLECTIVE_ROOT_MISMATCH, "collective-root-mismatch", ERROR, COLLECTIVES,                              \
      "the same collective with different roots", NULL)                                                      \
    X(COLLECTIVE_OP_MISMATCH, "collective-op-mismatch", ERROR, COLLECTIVES,                                  \
      "the same reduction with different operations", NULL)                                                  \
    X(TYPE_MISMATCH, "type-mismatch", ERROR, TYPES,                                                          \
      "what is sent and what is received have different type signatures", NULL)                              \
    X(TRUNCATION, "truncation", ERROR, TYPES, "a message is longer than its receive allows", NULL)           \
    X(READY_SEND, "ready-send", ERROR, MESSAGES,                                                             \
      "nothing makes certain that the receive of a ready send is posted", NULL)                              \
    X(BSEND_BUFFER, "bsend-buffer", ERROR, BUFFERS,                                                          \
      "the attached buffer is too small, or in use when it is detached or changed", NULL)                    \
    X(INVALID_COMMUNICATOR, "invalid-communicator", ERROR, ARGUMENTS,                                        \
      "a communicator that is null, freed, or of the wrong kind", NULL)                                      \
    X(INVALID_RANK, "invalid-rank", ERROR, ARGUMENTS, "a rank that the communicator does not have", NULL)    \
    X(INVALID_TAG, "invalid-tag", ERROR, ARGUMENTS, "a tag below 0 or above MPI_TAG_UB", NULL)               \
    X(INVALID_COUNT, "invalid-count", ERROR, ARGUMENTS, "a negative count, size or displacement", NULL)      \
    X(INVALID_DATATYPE, "invalid-datatype", ERROR, ARGUMENTS,                                                \
      "a datatype that is null, freed, or not committed", NULL)                                              \
    X(INVALID_OP, "invalid-op", ERROR, ARGUMENTS, "an operation that is null, freed, or unfit for the type", \
      NULL)                                                                                                  \
    X(INVALID_ROOT, "invalid-root", ERROR, ARGUMENTS, "a root that is no rank of the group", NULL)           \
    X(INVALID_BUFFER, "invalid-buffer", ERROR, ARGUMENTS,                                                    \
      "a null buffer with data, or MPI_IN_PLACE where it is not allowed", NULL)                              \
    X(INVALID_REQUEST, "invalid-request", ERROR, ARGUMENTS, "a request that is none, or of the wrong kind",  \
      NULL)                                                                                                  \
    X(INVALID_ARGUMENT, "invalid-argument", ERROR, ARGUMENTS,                                                \
      "any other argument that the standard forbids", NULL)                                                  \
    X(LOST_MESSAGE, "lost-message", ERROR, MESSAGES, "a message that is sent and never received", NULL)      \
    X(MISSING_WAIT, "missing-wait", ERROR, REQUESTS, "a nonblocking operation that is never completed",      \
      NULL)                                                                                                  \
    X(REQUEST_REUSE, "request-reuse", ERROR, REQUESTS,                                                       \
      "an active request is overwritten, started again, or used after its end", NULL)                        \
    X(MISSING_START, "missing-start", WARNING, REQUESTS,                                                     \
      "completion is asked of a persistent request that was never started", NULL)                            \
    X(BUFFER_OVERLAP, "buffer-overlap", ERROR, BUFFERS,                                                      \
      "two pending operations share memory, and one of them writes it", NULL)                                \
    X(SEND_BUFFER_MODIFIED, "send-buffer-modified", ERROR, BUFFERS,                                          \
      "the buffer of a pending send is written", NULL)                                                       \
    X(RECEIVE_BUFFER_ACCESSED, "receive-buffer-accessed", ERROR, BUFFERS,                                    \
      "the buffer of a pending receive is read or written", NULL)                                            \
    X(RMA_EPOCH, "rma-epoch", ERROR, RMA,                                                                    \
      "an access outside of an epoch, or synchronization of the wrong kind", NULL)                           \
    X(RMA_CONFLICT, "rma-conflict", ERROR, RMA,                                                              \
      "two accesses to the same window memory that nothing orders", NULL)                                    \
    X(IO_MISUSE, "io-misuse", ERROR, FILES,                                                                  \
      "a file is used against its mode, its view, or what is under way on it", NULL)                         \
    X(LEAK_COMMUNICATOR, "leak-communicator", WARNING, LEAKS, "a communicator that is never freed",          \
      "communicator is never freed (MPI_Comm_free)")                                                         \
    X(LEAK_GROUP, "leak-group", WARNING, LEAKS, "a group that is never freed",                               \
      "group is never freed (MPI_Group_free)")                                                               \
    X(LEAK_DATATYPE, "leak-datatype", WARNING, LEAKS, "a datatype that is never freed",                      \
      "datatype is never freed (MPI_Type_free)")                                                             \
    X(LEAK_OP, "leak-op", WARNING, LEAKS, "a reduction operation that is never freed",                       \
      "reduction operation is never freed (MPI_Op_free)")                                                    \
    X(LEAK_REQUEST, "leak-request", WARNING, LEAKS, "a persistent request that is never freed",              \
      "persistent request is never freed (MPI_Request_free)")                                                \
    X(LEAK_ERRHANDLER, "leak-errhandler", WARNING, LEAKS, "an error handler that is never freed",            \
      "error handler is never freed (MPI_Errhandler_free)")                                                  \
    X(LEAK_INFO, "leak-info", WARNING, LEAKS, "an info object that is never freed",                          \
      "info object is never freed (MPI_Info_free)")                                                          \
    X(LEAK_KEYVAL, "leak-keyval", WARNING, LEAKS, "an attribute key that is never freed",                    \
      "attribute key is never freed")                                                                        \
    X(LEAK_MESSAGE, "leak-message", WARNING, LEAKS, "the message of a matched probe that is never received", \
      "message of a matched probe is never received")                                                        \
    X(LEAK_WINDOW, "leak-window", WARNING, LEAKS, "a window that is never freed",                            \
      "window is never freed (MPI_Win_free)")                                                                \
    X(LEAK_FILE, "leak-file", WARNING, LEAKS, "a file that is never closed",                                 \
      "file is never closed (MPI_File_close)")                                                               \
    X(THREAD_LEVEL, "thread-level", ERROR, THREADS, "a thread calls MPI that the granted level forbids",     \
      NULL)                                                                                                  \
    X(CRASH, "crash", ERROR, CRASHES, "the program died of a signal", NULL)                                  \
    X(ABORT, "abort", ERROR, CRASHES, "MPI_Abort was called", NULL)                                          \
    X(ASSERTION, "assertion", ERROR, CRASHES, "an assert() failed", NULL)                                    \
    X(EXIT_CODE, "exit-code", ERROR, CRASHES, "the program ended with another code than 0", NULL)            \
    X(CALL_BEFORE_INIT, "call-before-init", ERROR, LIFECYCLE, "MPI was called before MPI_Init",              \
      "called before MPI_Init")                                                                              \
    X(CALL_AFTER_FINALIZE, "call-after-finalize", ERROR, LIFECYCLE, "MPI was called after MPI_Finalize",     \
      "called after MPI_Finalize")                                                                           \
    X(NO_FINALIZE, "no-finalize", ERROR, LIFECYCLE, "a rank ended without MPI_Finalize", NULL)               \
    X(MPI_ERROR, "mpi-error", ERROR, ERRORS, "MPI returned an error that no other rule explains", NULL)      \
    X(NONDETERMINISM, "nondeterminism", ERROR, NONDETERMINISM,                                               \
      "something else than messages decides what the program does", NULL)                                    \
    X(WILDCARD, "wildcard", NOTE, NOTES, "more than one message could have been received here", NULL)        \
    X(IRRELEVANT_BARRIER, "irrelevant-barrier", NOTE, NOTES,                                                 \
      "a barrier whose removal would change no possible match", NULL)                                        \
    X(UNSUPPORTED, "unsupported", ERROR, EXPLORATION, "a call that isp cannot model",                        \
      "isp cannot model this call")

enum isp_rule_group {
#define ISP_RULE_GROUP_ENUM(name, test_case) ISP_RULE_GROUP_##name,
    ISP_RULE_GROUPS(ISP_RULE_GROUP_ENUM)
#undef ISP_RULE_GROUP_ENUM
        ISP_RULE_GROUP_COUNT,
};

enum isp_rule {
#define ISP_RULE_ENUM(name, id, severity, group, brief, told) ISP_RULE_##name,
    ISP_RULES(ISP_RULE_ENUM)
#undef ISP_RULE_ENUM
        ISP_RULE_COUNT,
};

enum isp_severity { ISP_SEVERITY_ERROR, ISP_SEVERITY_WARNING, ISP_SEVERITY_NOTE };

#endif
