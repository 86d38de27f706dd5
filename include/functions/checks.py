# SPDX-License-Identifier: BSD-3-Clause
"""What the standard asks of an argument: the check that its kind, and its @mark in the table, stand for.

generate.py writes the result, for each function, as the description that profiler/arguments/arguments.c reads
before MPI sees the call; the tests read it to make one wrong call for each check of each function.
"""
import re

# Kinds of handles: check of one that goes in, of one that is freed; None: not checked.
HANDLES = {
    "comm": ("COMM", "COMM_FREE"),
    "group": ("GROUP", "GROUP_FREE"),
    "datatype": ("TYPE", "TYPE_FREE"),
    "op": ("OP", "OP_FREE"),
    "info": ("INFO_OR_NULL", "INFO_FREE"),
    "errhandler": ("ERRHANDLER", "ERRHANDLER_FREE"),
    "win": ("WIN", "WIN"),
    "file": ("FILE", "FILE"),
    "session": ("SESSION", "SESSION"),
    "keyval": ("KEYVAL", "KEYVAL_FREE"),
    "request": ("REQUEST", "REQUEST"),
    "message": ("MESSAGE", "MESSAGE"),
}

# (kind, mark): check. A mark that is not here is an error in the table.
MARKED = {
    ("comm", "intra"): "COMM_INTRA",
    ("comm", "inter"): "COMM_INTER",
    ("comm", "cart"): "COMM_CART",
    ("comm", "graph"): "COMM_GRAPH",
    ("comm", "dist"): "COMM_DIST",
    ("comm", "topology"): "COMM_TOPOLOGY",
    ("comm", "leader"): "COMM_LEADER",
    ("group", "subgroup"): "SUBGROUP",
    ("group", "window"): "SUBGROUP_WINDOW",
    ("datatype", "any"): "TYPE_ANY",
    ("op", "any"): "OP_ANY",
    ("info", "given"): "INFO",
    ("info", "own"): "INFO_OWN",
    ("keyval", "own"): "KEYVAL_OWN",
    ("request", "given"): "REQUEST_GIVEN",
    ("request", "start"): "REQUEST_START",
    ("request", "partitioned"): "REQUEST_PARTITIONED",
    ("request", "arrived"): "REQUEST_ARRIVED",
    ("request", "general"): "REQUEST_GENERAL",
    ("rank", "any"): "SOURCE",
    ("rank", "member"): "MEMBER",
    ("rank", "leader"): "LEADER",
    ("rank", "window"): "RANK_WINDOW",
    ("rank", "group"): "RANK_GROUP",
    ("rank", "distinct"): "RANK_DISTINCT",
    ("rank", "size"): "RANK_SIZE",
    ("tag", "any"): "TAG_ANY",
    ("tag", "leader"): "TAG_LEADER",
    ("buffer", "bytes"): "MEMORY",
    ("file", "or-null"): "FILE_OR_NULL",
    ("function", "given"): "FUNCTION",
    ("string", "key"): "KEY",
    ("string", "value"): "VALUE",
    ("offset", "seek"): "SEEK",
    ("offset", "displacement"): "DISPLACEMENT",
    ("offset", "nonnegative"): "OFFSET",
    ("aint", "size"): "SIZE",
    ("displ", "unit"): "UNIT",
    ("aint", "nonnegative"): "SIZE",
    ("count", "positive"): "POSITIVE",
    ("count", "subsize"): "SUBSIZE",
    ("count", "start"): "START",
}
# Marks of integers.
INTEGERS = {
    "nonnegative": "NONNEGATIVE",
    "positive": "POSITIVE",
    "color": "COLOR",
    "split-type": "SPLIT_TYPE",
    "ranges": "RANGES",
    "distribution": "DISTRIBUTION",
    "distribution-argument": "DISTRIBUTION_ARGUMENT",
    "order": "ORDER",
    "type-class": "TYPE_CLASS",
    "dimensions": "DIMENSIONS",
    "grid": "GRID",
    "coordinate": "COORDINATE",
    "direction": "DIRECTION",
    "factors": "FACTORS",
    "nodes": "NODES",
    "degrees": "DEGREES",
    "edge": "EDGE",
    "partition": "PARTITION",
    "assert": "ASSERT",
    "lock-type": "LOCK_TYPE",
    "amode": "AMODE",
    "whence": "WHENCE",
    "nth": "NTH",
    "error-class": "ERROR_CLASS",
    "added-code": "ADDED_CODE",
}
# Lengths of arrays that no argument gives: see profiler/arguments/arguments.h.
LENGTHS = ("peers", "members", "sources", "destinations", "dims", "edges", "degrees", "triples")

# Checks that need one more argument: its name.
PARTNERS = {
    "PARTITION": "request",
    "SEEK": "whence",
    "SUBSIZE": "array_of_sizes",
    "START": "array_of_subsizes",
    "RANK_SIZE": "size",
    "DISTRIBUTION_ARGUMENT": "array_of_distribs",
    "LEADER": "peer_comm",
    "COMM_LEADER": "peer_comm",
    "TAG_LEADER": "peer_comm",
    "DEGREES": "nnodes",
    "EDGE": "nnodes",
    "FACTORS": "nnodes",
    "NTH": "info",
}

# Types that only describe data: they need not be committed.
DESCRIBED = re.compile(
    r"MPI_(Type_|Pack_size|Pack_external_size|Get_count|Get_elements|Status_set|File_get_type)"
)
COLLECTIVES = ("collective", "persistent", "nonblocking")


def is_checked(row):
    """Whether arguments of the function are looked at at all."""
    return (
        row.klass != "unmodelled"
        and not row.nowrap
        and not row.name.startswith("MPI_T_")
        and row.name not in ("MPI_Abort", "MPI_Init", "MPI_Init_thread", "MPI_File_c2f", "MPI_File_f2c")
    )


class Check:
    """The check of one argument: `of` and `type` are other arguments that it needs, by number, or a length's
    name."""

    def __init__(self, name, at, argument):
        self.name, self.at, self.argument = name, at, argument
        self.of = self.type = None
        self.array = argument.array
        self.side = None  # 'SEND', 'RECV': significant where this rank sends, receives
        self.indirect = False  # the value is a pointer to the handle
        self.phase = 1  # the order: what others need comes first

    @property
    def enum(self):
        return "PROF_CHECK_" + self.name


def is_neighbour(row):
    return "eighbor_" in row.name


def base_check(row, a):
    """The check's name by kind, direction and mark; None: any value is right."""
    if a.mark == "unchecked":
        return None
    if a.kind == "string" and a.array:
        return None
    if a.mark is not None:
        name = MARKED.get((a.kind, a.mark)) or (INTEGERS.get(a.mark) if a.kind == "int" else None)
        if name is None:
            raise ValueError(f"{row.name}: argument {a.name}: unknown mark @{a.mark}")
        return name
    if a.kind in HANDLES and a.direction in ("in", "inout", "free"):
        name = HANDLES[a.kind][a.direction == "free"]
        if a.kind == "datatype" and DESCRIBED.match(row.name) and name == "TYPE":
            return "TYPE_ANY"
        if a.kind == "op" and row.name == "MPI_Op_commutative":
            return "OP_ANY"
        if a.kind == "comm" and is_neighbour(row):
            return "COMM_TOPOLOGY"
        if a.kind == "comm" and re.search("[Ee]?x?[Ss]can", row.name):
            return "COMM_INTRA"
        return name
    if a.direction in ("out", "new", "inout") and a.kind not in ("buffer", "tool", "opaque"):
        return "STATUS" if a.kind == "status" and a.direction == "out" else "OUT"
    if a.kind == "rank":
        by_window = any(b.kind == "win" for b in row.arguments)
        by_comm = any(b.kind == "comm" and b.direction == "in" for b in row.arguments)
        return "TARGET" if by_window else "PEER" if by_comm else None
    return {
        "root": "ROOT",
        "tag": "TAG",
        "count": "COUNT",
        "buffer": "BUFFER",
        "string": "STRING",
        "status": "STATUS_IN",
    }.get(a.kind)


def length(row, a, names):
    """How long an array is: the number of an argument, or a name of LENGTHS."""
    if a.name == "ranges":
        return names[a.length]
    if a.length:
        return (
            names[a.length]
            if a.length in names and a.length not in ("edges", "degrees", "dims")
            else a.length
        )
    if row.klass not in COLLECTIVES:
        raise ValueError(f"{row.name}: the length of {a.name} is not known")
    if is_neighbour(row):
        return "destinations" if a.name.startswith("s") else "sources"
    return "members" if "educe_scatter" in row.name else "peers"


def next_of(row, at, kinds):
    for i in range(at + 1, len(row.arguments)):
        if row.arguments[i].kind in kinds:
            return i
    return None


def side_of(row, a):
    """Which half of a collective an argument describes."""
    reduces = any(b.kind == "op" for b in row.arguments)
    if (
        row.klass not in COLLECTIVES
        or a.kind not in ("buffer", "count", "displ", "datatype")
        or not any(b.kind == "comm" for b in row.arguments)
    ):
        return None
    if a.kind == "buffer" or not reduces:
        return {"s": "SEND", "r": "RECV"}.get(
            a.name[0],
            "RECV"
            if a.name == "displs" and row.flow != "from_root"
            else "SEND"
            if a.name == "displs"
            else None,
        )
    return None


def partners(row, check, names):
    """Fills in what the check needs beside its own value."""
    a, at = check.argument, check.at
    if check.array:
        check.of = length(row, a, names)
    if check.name in ("BUFFER", "MEMORY"):
        check.of = next_of(row, at, ("count", "aint"))
        check.type = next_of(row, at, ("datatype",)) if check.name == "BUFFER" else None
        check.phase = 2
        if row.name == "MPI_Compare_and_swap" or row.name == "MPI_Fetch_and_op":
            check.of = None
        if row.name in ("MPI_Free_mem", "MPI_Win_detach") or re.search("_all_end|_ordered_end", row.name):
            return False
    elif check.name == "OP":
        check.type = [i for i, b in enumerate(row.arguments) if b.kind == "datatype" and i < at][-1]
    elif check.name in ("RANK_GROUP", "RANK_DISTINCT", "RANGES"):
        check.type = max(
            i for i, b in enumerate(row.arguments) if b.kind == "group" and b.direction == "in" and i < at
        )
    elif check.name in PARTNERS:
        check.type = names[PARTNERS[check.name]]
    elif check.name == "TYPE" and a.array:
        counts = [i for i, b in enumerate(row.arguments) if b.kind == "count" and b.array and i < at]
        check.type = counts[-1] if counts else None
    if check.name in (
        "COMM",
        "COMM_INTRA",
        "COMM_INTER",
        "COMM_CART",
        "COMM_GRAPH",
        "COMM_DIST",
        "COMM_TOPOLOGY",
        "COMM_FREE",
        "WIN",
        "FILE",
        "GROUP",
        "INFO",
        "REQUEST_PARTITIONED",
        "REQUEST_ARRIVED",
    ):
        check.phase = 0
    if check.name in (
        "OP",
        "SUBGROUP",
        "EDGE",
        "START",
        "SUBSIZE",
        "SEEK",
        "LEADER",
        "COMM_LEADER",
        "TAG_LEADER",
    ):
        check.phase = 2
    return True


def checks(row):
    """The checks of a function's arguments, in the order in which they are made."""
    if not is_checked(row):
        return []
    names = {a.name: i for i, a in enumerate(row.arguments)}
    found = []
    for i, a in enumerate(row.arguments):
        name = base_check(row, a)
        if name is None and not (a.array and a.kind in ("displ", "int", "rank", "string")):
            continue
        check = Check(name or "ANY", i, a)
        check.indirect = a.kind in HANDLES and a.direction in ("inout", "free") and not a.array
        check.side = side_of(row, a)
        if partners(row, check, names):
            found.append(check)
    return sorted(found, key=lambda c: c.phase)
