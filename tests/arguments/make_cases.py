#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C program with one wrong call for each way in which an argument of an MPI function may be wrong.

What may be wrong is read from the table of functions (include/functions/): each check of each argument
of each function has wrong values here, and a call with good values for all other arguments. One call is one
line. The program makes them all, in one run with --on-error=continue; run_cases.py compares what isp says of
each line with the list that is written beside the program: `line rule argument function check`. Where a call
with good values only can be made at any time, the program makes it as well: nothing may be said of it.
"""
import argparse
import json
import os
import re
import sys

sys.dont_write_bytecode = True

GARBAGE = "0x7fffff"

# By check: [(wrong value of the argument, rule, {name of another argument: value})]
COMM = [
    ("MPI_COMM_NULL", "invalid-communicator", {}),
    ("freed_comm", "invalid-communicator", {}),
    (GARBAGE, "invalid-communicator", {}),
]
WORLD, SELF = "MPI_COMM_WORLD", "MPI_COMM_SELF"
WIN = [
    ("MPI_WIN_NULL", "invalid-argument", {}),
    ("freed_win", "invalid-argument", {}),
    (GARBAGE, "invalid-argument", {}),
]
GROUP = [
    ("MPI_GROUP_NULL", "invalid-argument", {}),
    ("freed_group", "invalid-argument", {}),
    (GARBAGE, "invalid-argument", {}),
]
TYPE_ANY = [
    ("MPI_DATATYPE_NULL", "invalid-datatype", {}),
    ("freed_type", "invalid-datatype", {}),
    (GARBAGE, "invalid-datatype", {}),
]
INFO = [("freed_info", "invalid-argument", {}), (GARBAGE, "invalid-argument", {})]
REQUEST = [
    ("freed_request", "invalid-request", {}),
    ("done_request", "invalid-request", {}),
    (GARBAGE, "invalid-request", {}),
]
GIVEN = REQUEST + [("MPI_REQUEST_NULL", "invalid-request", {})]
KEYVAL = [("MPI_KEYVAL_INVALID", "invalid-argument", {}), (GARBAGE, "invalid-argument", {})]
RANK = [("-5", "invalid-rank", {}), ("1000", "invalid-rank", {})]
ARGUMENT = "invalid-argument"
NEGATIVE = [("-1", ARGUMENT, {})]

WRONG = {
    "COMM": COMM,
    "COMM_INTRA": COMM + [("inter", "invalid-communicator", {})],
    "COMM_INTER": COMM + [(WORLD, "invalid-communicator", {})],
    "COMM_CART": COMM + [(WORLD, "invalid-communicator", {}), ("graph", "invalid-communicator", {})],
    "COMM_GRAPH": COMM + [(WORLD, "invalid-communicator", {}), ("cart", "invalid-communicator", {})],
    "COMM_DIST": COMM + [(WORLD, "invalid-communicator", {}), ("cart", "invalid-communicator", {})],
    "COMM_TOPOLOGY": COMM + [(WORLD, "invalid-communicator", {})],
    "COMM_LEADER": COMM,
    "COMM_FREE": COMM + [(WORLD, "invalid-communicator", {}), (SELF, "invalid-communicator", {})],
    "GROUP": GROUP,
    "GROUP_FREE": GROUP,
    "SUBGROUP": GROUP + [("world_group", ARGUMENT, {"comm": SELF})],
    "SUBGROUP_WINDOW": GROUP + [("world_group", ARGUMENT, {"win": "self_win"})],
    "TYPE": TYPE_ANY + [("uncommitted", "invalid-datatype", {})],
    "TYPE_ANY": TYPE_ANY,
    "TYPE_FREE": TYPE_ANY + [("MPI_INT", "invalid-datatype", {}), ("MPI_DOUBLE_INT", "invalid-datatype", {})],
    "OP": [("MPI_OP_NULL", "invalid-op", {}), ("freed_op", "invalid-op", {}), (GARBAGE, "invalid-op", {})],
    "OP_ANY": [
        ("MPI_OP_NULL", "invalid-op", {}),
        ("freed_op", "invalid-op", {}),
        (GARBAGE, "invalid-op", {}),
    ],
    "OP_FREE": [
        ("MPI_OP_NULL", "invalid-op", {}),
        ("freed_op", "invalid-op", {}),
        ("MPI_SUM", "invalid-op", {}),
    ],
    "INFO": INFO + [("MPI_INFO_NULL", ARGUMENT, {})],
    "INFO_OR_NULL": INFO,
    "INFO_OWN": INFO + [("MPI_INFO_NULL", ARGUMENT, {}), ("MPI_INFO_ENV", ARGUMENT, {})],
    "INFO_FREE": INFO + [("MPI_INFO_NULL", ARGUMENT, {}), ("MPI_INFO_ENV", ARGUMENT, {})],
    "ERRHANDLER": [
        ("MPI_ERRHANDLER_NULL", ARGUMENT, {}),
        ("freed_errhandler", ARGUMENT, {}),
        (GARBAGE, ARGUMENT, {}),
    ],
    "ERRHANDLER_FREE": [("MPI_ERRHANDLER_NULL", ARGUMENT, {}), ("freed_errhandler", ARGUMENT, {})],
    "WIN": WIN,
    "FILE": [("MPI_FILE_NULL", ARGUMENT, {}), ("(MPI_File)room", ARGUMENT, {})],
    "FILE_OR_NULL": [("(MPI_File)room", ARGUMENT, {})],
    "SESSION": [("MPI_SESSION_NULL", ARGUMENT, {})],
    "KEYVAL": KEYVAL,
    "KEYVAL_OWN": KEYVAL + [("MPI_TAG_UB", ARGUMENT, {})],
    "KEYVAL_FREE": KEYVAL + [("MPI_TAG_UB", ARGUMENT, {})],
    "REQUEST": REQUEST,
    "REQUEST_GIVEN": GIVEN,
    "REQUEST_START": GIVEN + [("active_request", "invalid-request", {})],
    "REQUEST_PARTITIONED": REQUEST + [("active_request", "invalid-request", {})],
    "REQUEST_ARRIVED": REQUEST + [("active_request", "invalid-request", {})],
    "REQUEST_GENERAL": GIVEN + [("active_request", "invalid-request", {})],
    "MESSAGE": [("MPI_MESSAGE_NULL", ARGUMENT, {}), (GARBAGE, ARGUMENT, {})],
    "PEER": RANK + [("MPI_ANY_SOURCE", "invalid-rank", {})],
    "SOURCE": RANK,
    "TARGET": RANK,
    "MEMBER": RANK + [("-1", "invalid-rank", {})],
    "LEADER": RANK,
    "RANK_WINDOW": RANK,
    "RANK_GROUP": RANK,
    "RANK_DISTINCT": RANK,
    "RANK_SIZE": RANK,
    "RANGES": [("0, 0, 0", ARGUMENT, {}), ("0, 1000, 1", "invalid-rank", {}), ("1, 0, 1", ARGUMENT, {})],
    "ROOT": RANK + [("MPI_ROOT", "invalid-root", {}), ("MPI_PROC_NULL", "invalid-root", {})],
    "TAG": [("-5", "invalid-tag", {}), ("MPI_ANY_TAG", "invalid-tag", {}), ("0x7fffffff", "invalid-tag", {})],
    "TAG_ANY": [("-5", "invalid-tag", {}), ("0x7fffffff", "invalid-tag", {})],
    "TAG_LEADER": [("-5", "invalid-tag", {})],
    "COUNT": [("-1", "invalid-count", {})],
    "NONNEGATIVE": NEGATIVE,
    "POSITIVE": NEGATIVE + [("0", ARGUMENT, {})],
    "OFFSET": NEGATIVE,
    "SIZE": NEGATIVE,
    "UNIT": NEGATIVE + [("0", ARGUMENT, {})],
    "COLOR": [("-3", ARGUMENT, {})],
    "SPLIT_TYPE": [("77", ARGUMENT, {})],
    "DISTRIBUTION": [("5", ARGUMENT, {})],
    "DISTRIBUTION_ARGUMENT": [("-7", ARGUMENT, {})],
    "ORDER": [("5", ARGUMENT, {})],
    "TYPE_CLASS": [("99", ARGUMENT, {})],
    "SUBSIZE": [("0", ARGUMENT, {}), ("1000", ARGUMENT, {})],
    "START": NEGATIVE + [("1000", ARGUMENT, {})],
    "DIMENSIONS": [("0", ARGUMENT, {}), ("-1", ARGUMENT, {})],
    "GRID": NEGATIVE + [("1000", ARGUMENT, {})],
    "COORDINATE": NEGATIVE + [("1000", ARGUMENT, {})],
    "DIRECTION": NEGATIVE + [("1000", ARGUMENT, {})],
    "FACTORS": NEGATIVE + [("7", ARGUMENT, {})],
    "NODES": NEGATIVE + [("1000", ARGUMENT, {})],
    "DEGREES": NEGATIVE,
    "EDGE": NEGATIVE + [("1000", ARGUMENT, {})],
    "PARTITION": NEGATIVE + [("1000", ARGUMENT, {})],
    "ASSERT": [("0x100000", ARGUMENT, {})],
    "LOCK_TYPE": [("3", ARGUMENT, {})],
    "AMODE": [
        ("0", ARGUMENT, {}),
        ("MPI_MODE_RDONLY | MPI_MODE_RDWR", ARGUMENT, {}),
        ("MPI_MODE_RDONLY | MPI_MODE_CREATE", ARGUMENT, {}),
        ("MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL", ARGUMENT, {}),
        ("MPI_MODE_RDWR | 0x10000", ARGUMENT, {}),
    ],
    "WHENCE": [("3", ARGUMENT, {})],
    "SEEK": NEGATIVE,
    "DISPLACEMENT": NEGATIVE,
    "NTH": NEGATIVE + [("1000", ARGUMENT, {})],
    "ERROR_CLASS": [("-1", ARGUMENT, {}), ("0x7fffffff", ARGUMENT, {})],
    "ADDED_CODE": [("-1", ARGUMENT, {}), ("MPI_ERR_OTHER", ARGUMENT, {})],
    "OUT": [("NULL", ARGUMENT, {})],
    "STATUS": [("NULL", ARGUMENT, {})],
    "STATUS_IN": [("NULL", ARGUMENT, {}), ("MPI_STATUS_IGNORE", ARGUMENT, {})],
    "STRING": [("NULL", ARGUMENT, {})],
    "KEY": [("NULL", ARGUMENT, {}), ('""', ARGUMENT, {}), ("long_key", ARGUMENT, {})],
    "VALUE": [("NULL", ARGUMENT, {}), ("long_value", ARGUMENT, {})],
    "FUNCTION": [("NULL", ARGUMENT, {})],
    "BUFFER": [("NULL", "invalid-buffer", {}), ("MPI_IN_PLACE", "invalid-buffer", {})],
    "MEMORY": [("NULL", "invalid-buffer", {}), ("MPI_IN_PLACE", "invalid-buffer", {})],
    "ANY": [],
}
WRONG["ROOT"] = [(v, "invalid-root", more) for v, _, more in WRONG["ROOT"]]
# An operation that does not fit the type.
UNFIT = [
    ("MPI_SUM", "MPI_BYTE"),
    ("MPI_MAX", "MPI_DOUBLE_COMPLEX"),
    ("MPI_BAND", "MPI_DOUBLE"),
    ("MPI_MAXLOC", "MPI_INT"),
    ("MPI_SUM", "MPI_2INT"),
]

SETUP = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char room[40 * 4096], long_key[MPI_MAX_INFO_KEY + 2], long_value[MPI_MAX_INFO_VAL + 2], attached[1 << 16];
static int rank, size;
static MPI_Comm inter, cart, graph, dist, freed_comm, half;
static MPI_Group world_group, group, freed_group;
static MPI_Datatype uncommitted, freed_type, derived;
static MPI_Op freed_op, own_op;
static MPI_Info info, freed_info;
static MPI_Errhandler freed_errhandler;
static MPI_Win win, self_win, freed_win;
static MPI_File file;
static MPI_Request freed_request, done_request, active_request, persistent_request, partitioned_request, general_request;
static MPI_Session session;
static MPI_Status status, statuses[64];
static int keyval_comm, keyval_type, keyval_win, wrong_calls, silent_calls, good;
static char *words[64];

static void function() {}
static int grequest() { return MPI_SUCCESS; }

static void on_good(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;
    MPI_Error_string(*code, text, &n);
    fprintf(stderr, "good call at line %d: %s\n", good, text);
}

static void set_up(void)
{
    int two[2] = {2, 1}, no[2] = {0, 0}, index[2] = {1, 2}, edges[2] = {1, 0};
    MPI_Errhandler handler;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_errhandler(on_good, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 1, &inter);
    MPI_Cart_create(MPI_COMM_WORLD, 2, two, no, 0, &cart);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    int other = 1 - rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    freed_comm = copy;
    MPI_Comm_free(&copy);
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Group_incl(world_group, 2, (int[]){0, 1}, &group);
    MPI_Group g;
    MPI_Group_incl(world_group, 1, (int[]){0}, &g);
    freed_group = g;
    MPI_Group_free(&g);
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    MPI_Type_contiguous(3, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    MPI_Datatype t;
    MPI_Type_contiguous(4, MPI_INT, &t);
    freed_type = t;
    MPI_Type_free(&t);
    MPI_Op o;
    MPI_Op_create((MPI_User_function *)function, 1, &own_op);
    MPI_Op_create((MPI_User_function *)function, 1, &o);
    freed_op = o;
    MPI_Op_free(&o);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info i;
    MPI_Info_create(&i);
    freed_info = i;
    MPI_Info_free(&i);
    MPI_Errhandler e;
    MPI_Comm_create_errhandler(on_good, &e);
    freed_errhandler = e;
    MPI_Errhandler_free(&e);
    MPI_Win w;
    static char memory[4096], own_memory[4096], more[64];
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(own_memory, sizeof own_memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &self_win);
    MPI_Win_create(more, sizeof more, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    freed_win = w;
    MPI_Win_free(&w);
    MPI_File_open(MPI_COMM_WORLD, getenv("CASES_FILE"), MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 4096);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval_comm, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval_type, NULL);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval_win, NULL);
    memset(long_key, 'k', sizeof long_key - 1);
    memset(long_value, 'v', sizeof long_value - 1);
    MPI_Send_init(room, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &persistent_request);
    MPI_Psend_init(room, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &partitioned_request);
    MPI_Grequest_start((MPI_Grequest_query_function *)grequest, (MPI_Grequest_free_function *)grequest, (MPI_Grequest_cancel_function *)grequest, NULL, &general_request);
    MPI_Irecv(room, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &active_request);
    MPI_Request a;
    MPI_Irecv(room, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &a);
    done_request = a;
    MPI_Wait(&a, MPI_STATUS_IGNORE);
    MPI_Request r; /* the last, or its number would be used again */
    MPI_Send_init(room, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    freed_request = r;
    MPI_Request_free(&r);
    for (int i = 0; i < 64; i++)
        words[i] = "word";
    status = *(MPI_Status[1]){{0}};
}

static void forget(MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}
"""

MAIN = r"""
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    set_up();
    wrong_part();
    good_part();
    fprintf(stderr, "%d wrong calls were answered by MPI_SUCCESS\n", silent_calls);
    MPI_Grequest_complete(general_request);
    MPI_Finalize();
    return 0;
}
"""

# Good values by kind, for arguments of which nothing is asked.
PLAIN = {
    "comm": WORLD,
    "group": "group",
    "datatype": "MPI_INT",
    "op": "MPI_SUM",
    "info": "MPI_INFO_NULL",
    "errhandler": "MPI_ERRORS_RETURN",
    "win": "win",
    "file": "file",
    "rank": "0",
    "root": "0",
    "tag": "0",
    "flag": "0",
    "int": "1",
    "count": "1",
    "displ": "0",
    "aint": "64",
    "offset": "0",
    "message": "MPI_MESSAGE_NO_PROC",
    "session": "session",
    "opaque": "0",
    "request": "MPI_REQUEST_NULL",
    "keyval": "keyval_comm",
    "tool": "0",
    "status": "&status",
}
GOOD = {
    "COMM_INTER": "inter",
    "COMM_CART": "cart",
    "COMM_GRAPH": "graph",
    "COMM_DIST": "dist",
    "COMM_TOPOLOGY": "cart",
    "COMM_FREE": "half",
    "COMM_INTRA": WORLD,
    "INFO": "info",
    "INFO_OWN": "info",
    "INFO_FREE": "info",
    "REQUEST_START": "persistent_request",
    "REQUEST_PARTITIONED": "partitioned_request",
    "REQUEST_ARRIVED": "partitioned_request",
    "REQUEST_GENERAL": "general_request",
    "REQUEST_GIVEN": "persistent_request",
    "OP_FREE": "own_op",
    "TYPE_FREE": "derived",
    "PEER": "MPI_PROC_NULL",
    "TARGET": "rank",
    "SOURCE": "MPI_PROC_NULL",
    "UNIT": "1",
    "COLOR": "0",
    "SPLIT_TYPE": "MPI_COMM_TYPE_SHARED",
    "DISTRIBUTION": "MPI_DISTRIBUTE_BLOCK",
    "DISTRIBUTION_ARGUMENT": "MPI_DISTRIBUTE_DFLT_DARG",
    "ORDER": "MPI_ORDER_C",
    "TYPE_CLASS": "MPI_TYPECLASS_INTEGER",
    "DIMENSIONS": "2",
    "DIRECTION": "0",
    "NODES": "2",
    "PARTITION": "0",
    "ASSERT": "0",
    "LOCK_TYPE": "MPI_LOCK_SHARED",
    "AMODE": "MPI_MODE_RDWR | MPI_MODE_CREATE",
    "WHENCE": "MPI_SEEK_SET",
    "NTH": "0",
    "ERROR_CLASS": "MPI_ERR_OTHER",
    "ADDED_CODE": "0",
    "KEY": '"key"',
    "VALUE": '"value"',
    "STRING": '"text"',
    "STATUS_IN": "&status",
    "STATUS": "&status",
    "FUNCTION": "(void *)function",
    "START": "0",
    "SUBSIZE": "1",
    "EDGE": "0",
    "DEGREES": "1",
    "COORDINATE": "0",
    "RANK_SIZE": "0",
}
# By function and argument: where the ordinary good values do not fit together.
SPECIAL = {
    ("MPI_Type_match_size", "size"): "4",
    ("MPI_Dims_create", "nnodes"): "2",
    ("MPI_Dims_create", "ndims"): "1",
    ("MPI_Intercomm_create", "remote_leader"): "1 - rank",
    ("MPI_Intercomm_create", "local_comm"): SELF,
    ("MPI_Intercomm_create", "local_leader"): "0",
    ("MPI_Info_get", "valuelen"): "10",
    ("MPI_Graph_create", "edges"): "(int[64]){1, 0}",
    ("MPI_Graph_create", "indx"): "(int[64]){1, 2}",
    ("MPI_Graph_map", "edges"): "(int[64]){1, 0}",
    ("MPI_Graph_map", "indx"): "(int[64]){1, 2}",
    ("MPI_Type_get_attr", "type_keyval"): "keyval_type",
    ("MPI_Type_set_attr", "type_keyval"): "keyval_type",
    ("MPI_Type_delete_attr", "type_keyval"): "keyval_type",
    ("MPI_Win_get_attr", "win_keyval"): "keyval_win",
    ("MPI_Win_set_attr", "win_keyval"): "keyval_win",
    ("MPI_Win_delete_attr", "win_keyval"): "keyval_win",
    ("MPI_Type_create_f90_integer", "r"): "4",
    ("MPI_Type_create_f90_real", "p"): "6",
    ("MPI_Type_create_f90_real", "r"): "30",
    ("MPI_Pack_external", "datarep"): '"external32"',
    ("MPI_Unpack_external", "datarep"): '"external32"',
    ("MPI_Pack_external_size", "datarep"): '"external32"',
    ("MPI_File_set_view", "datarep"): '"native"',
    ("MPI_Reduce_scatter_block", "op"): "MPI_SUM",
    ("MPI_Cart_sub", "remain_dims"): "(int[64]){1, 0}",
    ("MPI_Pack", "outsize"): "64",
    ("MPI_Pack_external", "outsize"): "64",
    ("MPI_Unpack", "insize"): "64",
    ("MPI_Unpack_external", "insize"): "64",
    ("MPI_Comm_split_type", "split_type"): "MPI_COMM_TYPE_SHARED",
    ("MPI_Group_incl", "n"): "1",
    ("MPI_Cart_create", "ndims"): "1",
    ("MPI_File_open", "filename"): 'getenv("CASES_FILE")',
    ("MPI_Buffer_attach", "buffer"): "attached",
    ("MPI_Buffer_attach", "size"): "sizeof attached",
    ("MPI_Comm_set_info", "info"): "info",
    ("MPI_Graph_get", "maxindex"): "2",
    ("MPI_Graph_get", "maxedges"): "2",
    ("MPI_Info_get_string", "buflen"): "&(int){10}",
    ("MPI_Comm_create", "group"): "world_group",
    ("MPI_Comm_create_group", "group"): "world_group",
    ("MPI_Dist_graph_create_adjacent", "sources"): "(int[64]){1 - rank}",
    ("MPI_Comm_create_from_group", "group"): "world_group",
    ("MPI_Compare_and_swap", "target_rank"): "rank",
    ("MPI_Win_shared_query", "rank"): "0",
}
# Calls with good values that cannot be made here: they block, end something that is needed, or need a state
# of their own.
NOT_GOOD = re.compile(
    r"MPIX|.*[Ff]ree|.*_errhandler|MPI_(Errhandler|Abort|Finalize|Init|Session|Buffer|Cancel|Start|M|Imrecv|"
    r"P(arrived|ready|send|recv)|Comm_disconnect|Intercomm_create"
    r"|Grequest|Win_(start|post|complete|wait|test|fence|lock|unlock|shared_query|free|allocate|create|"
    r"attach|detach|set_|get_|sync|call)|File_(open|close|delete|set_view|.*_(shared|ordered|begin|end|all)|"
    r"c2f|f2c"
    r"|call|set_atomicity|set_info|sync|preallocate)|Register|Comm_(create_from|join|connect|accept|spawn)|"
    r"Close_port|Open_port|Lookup|Publish|Unpublish|Group_from_s|Add_error|.*Bsend|Status_f|Status_c|Ibsend|"
    r"Alloc_mem"
    r"|Type_create_darray|Type_get_contents|Attr_|Keyval|Comm_get_parent|Info_create_env|Test(all|any|some)|"
    r"Wait(any|some)|Error|Pcontrol|Comm_call|Info_delete|Rput|Rget|Raccumulate|Get_elements|Get_count|"
    r"Status_set|Test_cancelled|Dims_create|Unpack|Request_get)"
)


class Maker:
    """The text of the program, and the list of what is wrong in it."""

    def __init__(self, checks):
        self.checks, self.lines, self.wrong, self.good = checks, SETUP.split("\n"), [], []
        self.tried, self.untried = set(), []

    def value(self, row, prototype, i, by_at):
        """A good value for an argument."""
        a, p, check = row.arguments[i], prototype.parameters[i], by_at.get(i)
        name = re.sub("_c$", "", row.name)
        if (name, a.name) in SPECIAL:
            return SPECIAL[name, a.name]
        if a.name == "position":
            return f"&({p.base}){{0}}"
        value = GOOD.get(check.name if check else None, PLAIN.get(a.kind, "0"))
        if a.kind == "comm" and any(b.kind == "root" for b in row.arguments):
            value = SELF  # where all arguments mean something
        if a.array and a.direction in ("in", "inout") and p.indirect and a.kind != "string":
            return (
                f"({p.base}[64])"
                + ("[3]" * 0)
                + ("{0, 0, 1}" if a.name == "ranges" else f"{{[0 ... 63] = {value}}}")
                if a.name != "ranges"
                else "(int[64][3]){{0, 0, 1}}"
            )
        if a.kind == "string" and a.array:
            return "words"
        if check is not None and check.indirect:
            return f"&({p.base}){{{value}}}"
        if a.kind == "status":
            return "(void *)statuses" if a.array else "&status"
        if a.kind == "string" and a.direction == "in":
            return value if value.startswith(('"', "getenv")) else '"text"'
        if p.indirect and a.kind in ("function",):
            return "(void *)function"
        if p.indirect:
            return f"(void *)(room + {4096 * (i + 1)})"
        return value

    def values(self, row, prototype, by_at):
        return [self.value(row, prototype, i, by_at) for i in range(len(prototype.parameters))]

    def emit(self, row, check, wrong, rule, changed):
        texts = self.base[:]
        names = {a.name: i for i, a in enumerate(row.arguments)}
        for name, value in changed.items():
            if name in names:
                texts[names[name]] = value
        texts[check.at] = wrong
        # rank 0 gets nothing in MPI_Exscan
        alone = (
            "if (rank == 1) " if check.name == "BUFFER" and wrong == "NULL" and "xscan" in row.name else ""
        )
        self.lines.append(f'    {alone}answer({row.name}({", ".join(texts)}));')
        self.wrong.append(
            {
                "line": len(self.lines),
                "rule": rule,
                "argument": check.argument.name,
                "function": row.name,
                "check": check.name,
                "value": wrong,
            }
        )
        self.tried.add((row.name, check.at, check.name))

    def array_of(self, row, check, p, bad):
        """An array whose first entry is wrong."""
        good = GOOD.get(check.name, PLAIN.get(check.argument.kind, "0"))
        if check.name == "RANGES":
            return f"(int[64][3]){{{{{bad}}}}}"
        return f"({p.base}[64]){{{bad}, [1 ... 63] = {good}}}"

    def wrong_of(self, row, check, prototype):
        p = prototype.parameters[check.at]
        if check.array:
            if check.of != "degrees":
                self.emit(row, check, "NULL", ARGUMENT, {})
            if check.name in ("OUT", "STATUS", "ANY"):
                return
        for bad, rule, changed in WRONG[check.name]:
            if check.name == "BUFFER" and bad == "MPI_IN_PLACE" and self.in_place(row, check):
                continue
            if check.name == "BUFFER" and bad == "NULL" and row.win_origin and check.at == 0:
                changed = {"op": "MPI_SUM"}
            if check.name == "RANK_DISTINCT" and False:
                continue
            if check.name == "START" and bad == "1000":
                pass
            if check.name in ("MEMBER", "PEER", "SOURCE") and check.array and check.of == "degrees":
                changed = {"degrees": "(int[64]){1}"}
            if bad in ("freed_request", "done_request") and check.name in (
                "REQUEST",
                "REQUEST_GIVEN",
                "REQUEST_START",
            ):
                rule = "request-reuse"
            value = (
                self.array_of(row, check, p, bad)
                if check.array
                else f"&({p.base}){{{bad}}}"
                if check.indirect
                else bad
            )
            self.emit(row, check, value, rule, changed)
        if check.indirect:
            self.emit(row, check, "NULL", ARGUMENT, {})
        if check.name == "OP":
            types = [a.name for i, a in enumerate(row.arguments) if i == check.type]
            for op, unfit in UNFIT:
                self.emit(row, check, op, "invalid-op", {types[0]: unfit})
            if any(a.kind == "win" for a in row.arguments):
                self.emit(row, check, "own_op", "invalid-op", {})
            else:
                self.emit(row, check, "MPI_REPLACE", "invalid-op", {})
                self.emit(row, check, "MPI_SUM", "invalid-op", {types[0]: "derived"})

    @staticmethod
    def in_place(row, check):
        """Where rank 0 or 1, one of which is the root, may pass MPI_IN_PLACE: the wrong use is rank 1's or
        0's alone, and not tried."""
        collective = row.klass in ("collective", "persistent", "nonblocking") and "eighbor" not in row.name
        if not collective:
            return False
        if check.argument.name == "sendbuf":
            return row.flow != "from_root"
        return check.argument.name == "recvbuf" and row.flow == "from_root"

    def function(self, row, prototype):
        found = self.checks.checks(row)
        by_at = {c.at: c for c in found}
        row.win_origin = any(a.kind == "win" for a in row.arguments) and any(
            a.kind == "op" for a in row.arguments
        )
        self.base = self.values(row, prototype, by_at)
        self.lines.append(f"static void wrong_{row.name}(void)")
        self.lines.append("{")
        for check in found:
            self.wrong_of(row, check, prototype)
            if (row.name, check.at, check.name) not in self.tried:
                self.untried.append((row.name, check.argument.name, check.name))
        self.lines.append("}")
        self.lines.append("")
        self.calls.append(row.name)

    def good_call(self, row, prototype):
        if NOT_GOOD.match(row.name):
            return
        waits = [i for i, a in enumerate(row.arguments) if a.kind == "request" and a.direction == "out"]
        self.lines.append(
            f'    good = {len(self.lines) + 1}; if (getenv("CASES_TRACE")) fprintf(stderr, "{row.name}\\n"); '
            f'{row.name}({", ".join(self.base)});'
            + (" MPI_Win_flush_all(win);" if any(a.name == "target_rank" for a in row.arguments) else "")
            + (
                f" forget((MPI_Request *)(room + {4096 * (waits[0] + 1)}));"
                if waits and "_init" not in row.name
                else ""
            )
        )
        self.good.append({"line": len(self.lines), "function": row.name})

    def program(self, rows, prototypes):
        self.lines += [
            "static void answer(int rc)",
            "{",
            "    wrong_calls++;",
            "    silent_calls += rc == MPI_SUCCESS;",
            "}",
            "",
        ]
        self.calls = []
        usable = [
            r
            for r in rows.values()
            if r.name in prototypes
            and self.checks.checks(r)
            and prototypes[r.name].result == "int"
            and not prototypes[r.name].variadic
        ]
        for row in usable:
            self.function(row, prototypes[row.name])
        self.lines += (
            ["static void wrong_part(void)", "{"] + [f"    wrong_{n}();" for n in self.calls] + ["}", ""]
        )
        self.lines += ["static void good_part(void)", "{", "    MPI_Win_lock_all(0, win);"]
        for row in usable:
            self.base = self.values(row, prototypes[row.name], {c.at: c for c in self.checks.checks(row)})
            self.good_call(row, prototypes[row.name])
        self.lines += ["    MPI_Win_unlock_all(win);", "}", ""] + MAIN.split("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--generate", required=True, help="generate.py")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--output", required=True)
    parser.add_argument("--list", required=True)
    parser.add_argument("tables", nargs="+")
    options = parser.parse_args()
    sys.path.insert(0, os.path.dirname(os.path.abspath(options.generate)))
    import checks
    import generate

    options.header = []
    rows, prototypes = generate.read_table(options.tables), generate.read_prototypes(options)
    maker = Maker(checks)
    maker.program(rows, prototypes)
    with open(options.output, "w", encoding="utf-8") as f:
        f.write("\n".join(maker.lines))
    with open(options.list, "w", encoding="utf-8") as f:
        json.dump({"wrong": maker.wrong, "good": maker.good, "untried": maker.untried}, f, indent=0)
    print(
        f"{len(maker.wrong)} wrong calls, {len(maker.good)} good ones, {len(maker.untried)} checks not tried"
    )
    for u in maker.untried:
        print("not tried:", *u)


if __name__ == "__main__":
    main()
