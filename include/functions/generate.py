#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Generates all that depends on the list of MPI functions.

The list is the table: the *.tbl files beside this script, one per chapter of
the standard. It gives every function's class and the kind of every argument.
The exact C prototypes are not repeated there; they are read from the installed
mpi.h through the C preprocessor, so that a wrapper can never disagree with the
header it is compiled against. A function that only a newer mpi.h has, so that
it has no row, is refused by name when a program calls it, as an unmodelled one
is; `--check` names it.

A row is one line, `name class argument... [mark...]`:

    MPI_Irecv call buf:buffer:out count:count ... request:request:out twin

  class     local        reads or changes this rank's own state: passes through
            call         hand-written in the profiler, as prof_Irecv(fn, site, ...)
            collective   blocking collective: its comm, root and op are recorded, or its win or file
            constructor  collective that makes the communicator of its `new` argument: recorded before,
                         and again with its members when they are known
            nonblocking  nonblocking collective: its arguments are kept until it can be issued
            persistent   MPI_X_init of a collective: its arguments are those of the nonblocking one
            unmodelled   communicates in a way that isp does not model: refused; needs no arguments
  argument  name:kind[@mark][:direction]; kind[] is an array; `...` ends a variadic list
            kind[NAME]  an array whose length is the argument NAME, or a name of checks.LENGTHS
            @mark       what the standard asks of the value beyond its kind (checks.py)
            direction: in (the default), out, inout,
              new   a handle that the program now owns and must free
              free  a handle that the call frees
  mark      twin         there is also name_c, the same with large counts
            anytime      allowed before MPI_Init and after MPI_Finalize
            nowrap       listed, but never intercepted
            nested       class call: the profiler's function is also called inside of wrappers,
                         from the program's callbacks, and finds that out by prof_depth
            plain        it changes nothing in MPI that a later call could tell, but for operations and their
                         requests, messages and statuses, which isp has in its own tables
            bytes        reads or writes bytes of a file, or says which: prof_file_tell
            as=NAME      the profiler's function is the one of NAME
            flow=FLOW    of a collective: how data flows in it (enum isp_flow, default all)
            track=contents  the new handles are the contents of a datatype
            varies    not every MPICH from 4.0 on has it
            limit=NAME,...  what isp does not do for this function, or does in part

`limit NAME: TEXT` gives a limit its words, for the user, in docs/functions.md (limits.tbl).
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks

# class: what isp does with such a function, in the words of docs/functions.md
CLASSES = {
    "local": "passes through; watched for leaks and for calls outside MPI's lifetime",
    "call": "modelled",
    "collective": "modelled: its communicator (or window, or file), root and operation are compared",
    "constructor": "modelled: as a collective, and the new communicator is known",
    "nonblocking": "modelled: issued when all ranks have called it",
    "persistent": "modelled: each start is a nonblocking collective",
    "unmodelled": "refused by name: the verdict is `unsupported`",
}
FLOWS = ("all", "from_root", "to_root", "prefix", "list")
DIRECTIONS = ("in", "out", "inout", "new", "free")
INTEGERS = ("int", "MPI_Count", "MPI_Aint", "MPI_Offset")

# kind: the C types (without const, * and []) that it may have; None: any.
KINDS = {
    "comm": ("MPI_Comm",),
    "group": ("MPI_Group",),
    "datatype": ("MPI_Datatype",),
    "op": ("MPI_Op",),
    "request": ("MPI_Request", "MPIO_Request"),
    "status": ("MPI_Status",),
    "win": ("MPI_Win",),
    "file": ("MPI_File",),
    "info": ("MPI_Info",),
    "errhandler": ("MPI_Errhandler",),
    "message": ("MPI_Message",),
    "session": ("MPI_Session",),
    "keyval": ("int",),
    "rank": ("int",),
    "root": ("int",),
    "tag": ("int",),
    "flag": ("int",),
    "int": ("int", "MPI_Count"),
    "count": INTEGERS,
    "displ": INTEGERS,
    "aint": INTEGERS,
    "offset": ("MPI_Offset",),
    "string": ("char",),
    "buffer": ("void",),
    "pointer": ("void", "char"),
    "function": None,
    "tool": None,
    "opaque": None,
}

# Kinds whose handles are tracked from creation to free, and their enum names.
TRACKED = {
    "comm": "PROF_HANDLE_COMM",
    "group": "PROF_HANDLE_GROUP",
    "datatype": "PROF_HANDLE_DATATYPE",
    "op": "PROF_HANDLE_OP",
    "request": "PROF_HANDLE_REQUEST",
    "errhandler": "PROF_HANDLE_ERRHANDLER",
    "info": "PROF_HANDLE_INFO",
    "keyval": "PROF_HANDLE_KEYVAL",
    "message": "PROF_HANDLE_MESSAGE",
}


class TableError(Exception):
    """The table and mpi.h disagree, or the table is malformed."""


class Argument:
    """One argument of a row: name, kind, direction, whether it is an array."""

    def __init__(self, text):
        parts = text.split(":")
        if len(parts) not in (2, 3):
            raise TableError(f"argument {text}: want name:kind[:direction]")
        self.name, self.kind = parts[:2]
        self.direction = parts[2] if len(parts) == 3 else "in"
        self.kind, self.array, self.length, self.mark = re.fullmatch(
            r"(\w+)(\[(\w*)\])?(?:@([\w-]+))?", self.kind
        ).group(1, 2, 3, 4)
        self.array = self.array is not None
        if self.kind not in KINDS:
            raise TableError(f"argument {text}: unknown kind")
        if self.direction not in DIRECTIONS:
            raise TableError(f"argument {text}: unknown direction")
        if (
            self.direction in ("new", "free")
            and self.kind not in TRACKED
            and self.kind not in ("win", "file", "session")
        ):
            raise TableError(f"argument {text}: {self.direction} wants a handle")


class Row:
    """One line of the table; a twin has a row of its own, derived from its base."""

    def __init__(self, line, chapter):
        words = line.split()
        if len(words) < 2:
            raise TableError(f'"{line}": want a name and a class')
        self.name, self.klass = words[:2]
        self.chapter = chapter
        self.twin = self.anytime = self.nowrap = self.nested = self.bytes = self.variadic = False
        self.plain = self.varies = False
        self.target, self.track, self.base, self.arguments = self.name, None, None, []
        self.limits, self.flow = [], "all"
        if self.klass not in CLASSES:
            raise TableError(f"{self.name}: unknown class {self.klass}")
        for word in words[2:]:
            if word in ("twin", "anytime", "nowrap", "nested", "bytes", "plain", "varies"):
                setattr(self, word, True)
            elif word == "...":
                self.variadic = True
            elif word.startswith("as="):
                self.target = word[3:]
            elif word.startswith("track="):
                self.track = word[6:]
            elif word.startswith("flow="):
                self.flow = word[5:]
                if self.flow not in FLOWS:
                    raise TableError(f"{self.name}: unknown {word}")
            elif word.startswith("limit="):
                self.limits = word[6:].split(",")
            else:
                try:
                    self.arguments.append(Argument(word))
                except TableError as error:
                    raise TableError(f"{self.name}: {error}") from None

    def make_twin(self):
        """The row of name_c."""
        twin = Row(f"{self.name}_c {self.klass}", self.chapter)
        twin.__dict__.update(self.__dict__, name=self.name + "_c", base=self, twin=False)
        return twin

    @property
    def fn(self):
        return "ISP_FN_" + self.name

    @property
    def prof(self):
        return re.sub(r"^MPI_", "prof_", re.sub(r"^MPIX_", "prof_X", self.target))

    @property
    def scope(self):
        """The enum name of what the function works on, if that is no communicator."""
        names = {"win": "ISP_SCOPE_WINDOW", "file": "ISP_SCOPE_FILE"}
        found = [names[a.kind] for a in self.arguments if a.kind in names and a.direction in ("in", "free")]
        return found[0] if found and self.klass != "local" else None

    def argument_of_kind(self, kind):
        """Index of the first input argument of this kind, or None."""
        for i, a in enumerate(self.arguments):
            if a.kind == kind and a.direction == "in":
                return i
        return None


def take_limits(row, limits):
    """{name: text} of the limits of a row"""
    for name in row.limits:
        if name not in limits:
            raise TableError(f"{row.name}: unknown limit {name}")
    return {name: limits[name] for name in row.limits}


def read_table(paths):
    """All rows, twins after their bases, in table order: the order of the enum."""
    rows, last, limits = {}, None, {}
    for path in paths:
        chapter = None
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.split("#")[0].strip()
                limit = re.match(r"limit ([\w-]+): *(.+)", line)
                if line.startswith("chapter:"):
                    chapter = line[8:].strip()
                elif limit:
                    limits[limit[1]] = limit[2]
                elif line:
                    try:
                        if chapter is None:
                            raise TableError("a row before the chapter: line")
                        row = Row(line, chapter)
                        row.limits = take_limits(row, limits)
                        for r in [row] + ([row.make_twin()] if row.twin else []):
                            if r.name in rows:
                                raise TableError(f"{r.name} has two rows")
                            if r.name.endswith("_c") and r.base is None:
                                r.base = last  # a twin with other arguments than its base's
                                if last is None or last.name + "_c" != r.name:
                                    raise TableError(f"{r.name} does not follow its base")
                            rows[r.name] = last = r
                    except TableError as error:
                        raise TableError(f"{path}:{number}: {error}") from None
    return rows


class Parameter:
    """One parameter of a C prototype, as written and taken apart."""

    def __init__(self, text):
        m = re.match(r"(?P<type>.*?[\s*])(?P<name>\w+)\s*(?P<array>(\[\d*\]\s*)*)$", text)
        if not m:
            raise TableError(f'cannot read the parameter "{text}"')
        self.type, self.name, self.array = m["type"].strip(), m["name"], m["array"].strip()

    @property
    def base(self):
        """The type without const, pointers and arrays."""
        return self.type.replace("const", "").replace("*", "").strip()

    @property
    def indirect(self):
        return "*" in self.type or bool(self.array)

    def declare(self, base=None):
        """The C declaration, with another base type if one is given."""
        kind = self.type if base is None else self.type.replace(self.base, base)
        space = "" if kind.endswith("*") else " "
        return f"{kind}{space}{self.name}{self.array}"


class Prototype:
    """result name(parameters) as the installed header has it."""

    def __init__(self, result, name, parameters):
        self.result, self.name = result, name
        texts = [] if parameters == "void" else [p.strip() for p in parameters.split(",")]
        self.variadic = bool(texts) and texts[-1] == "..."
        self.parameters = [Parameter(p) for p in texts if p != "..."]

    def declaration(self):
        texts = [p.declare() for p in self.parameters] + (["..."] if self.variadic else [])
        return f'{self.result} {self.name}({", ".join(texts) or "void"})'

    def call(self):
        return f'P{self.name}({", ".join(p.name for p in self.parameters)})'


def read_prototypes(options):
    """Every MPI_ and MPIX_ function that mpi.h (and --header) declares."""
    source = "#include <mpi.h>\n" + "".join(f'#include "{h}"\n' for h in options.header)
    command = shlex.split(options.cc) + ["-E", "-P", "-x", "c", "-"]
    command += ["-I" + directory for directory in options.include]
    run = subprocess.run(command, input=source, text=True, capture_output=True, check=False)
    if run.returncode:
        raise TableError(f"{shlex.join(command)} failed:\n{run.stderr}")
    text = strip_attributes(run.stdout)
    prototypes = {}
    for result, name, parameters in re.findall(
        r"(?:^|[;}])\s*((?:[A-Za-z_]\w*[\s*]+)+)(MPIX?_\w+)\s*\(([^;{}()]*)\)\s*(?=;)", text
    ):
        result = " ".join(w for w in result.split() if w != "extern")
        if "typedef" not in result.split():
            prototypes[name] = Prototype(result, name, " ".join(parameters.split()))
    if not prototypes:
        raise TableError("mpi.h declares no MPI function: wrong include directory?")
    return prototypes


def strip_attributes(text):
    """Drops __attribute__((...)), whose parentheses nest."""
    pieces, position = [], 0
    for m in re.finditer(r"__attribute__\s*\(", text):
        if m.start() < position:
            continue
        pieces.append(text[position : m.start()])
        depth, position = 1, m.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[position], 0)
            position += 1
    return "".join(pieces) + text[position:]


def differences(rows, prototypes):
    """Two lists of complaints: those that must stop a build, and the others."""
    fatal, other = [], []
    for name, prototype in prototypes.items():
        row = rows.get(name)
        if row is None:
            other.append(f"{name}: declared in mpi.h, but the table has no row for it")
            continue
        if row.klass == "unmodelled" and not row.arguments:
            continue
        if len(row.arguments) != len(prototype.parameters) or row.variadic != prototype.variadic:
            fatal.append(f"{name}: the row and mpi.h disagree on the number of arguments")
            continue
        for a, p in zip(row.arguments, prototype.parameters):
            if KINDS[a.kind] is not None and p.base not in KINDS[a.kind]:
                fatal.append(f"{name}: argument {p.name} is {p.type}, not a {a.kind}")
            if (a.array or a.direction != "in") and not p.indirect and a.kind != "function":
                fatal.append(f"{name}: argument {p.name} is {p.type}: it returns nothing")
    for name, row in rows.items():
        if name not in prototypes and not row.varies:
            other.append(f"{name}: has a row, but mpi.h does not declare it")
    return fatal, other


def refuse_unknown(rows, prototypes):
    """Rows for what only a newer mpi.h has: nobody has thought about these functions yet."""
    for name in prototypes:
        rows.setdefault(name, Row(f"{name} unmodelled", "Unknown"))


# ---- outputs ----

NOTICE = "/* SPDX-License-Identifier: BSD-3-Clause */\n"


def functions_h(rows, _):
    names = "".join(f"    {row.fn},\n" for row in rows.values())
    return (
        NOTICE
        + f"""/*
 * Generated from include/functions/ by generate.py: a number for every MPI
 * function. A large-count twin (MPI_Send_c) has its own number, right after its
 * base. The numbers follow the table; both ends of a wire are built from the
 * same one.
 */
#ifndef ISP_FUNCTIONS_H
#define ISP_FUNCTIONS_H

enum isp_fn {{
    ISP_FN_NONE,
{names}    ISP_FN_COUNT
}};

/* "MPI_Send"; "MPI_?" for a number that is no function. Never NULL. */
const char *isp_fn_name(enum isp_fn fn);

/* The number without _c, so that calls of different ranks can be compared. */
enum isp_fn isp_fn_base(enum isp_fn fn);

/* What the communicator number in a record of this function stands for. */
enum isp_scope {{ ISP_SCOPE_COMM, ISP_SCOPE_WINDOW, ISP_SCOPE_FILE }};
enum isp_scope isp_fn_scope(enum isp_fn fn);

#endif
"""
    )


def functions_c(rows, _):
    names = "".join(f'    [{r.fn}] = "{r.name}",\n' for r in rows.values())
    bases = "".join(f"    case {r.fn}:\n" for r in rows.values() if r.base)
    scopes = "".join(f"    case {r.fn}: return {r.scope};\n" for r in rows.values() if r.scope)
    return (
        NOTICE
        + f"""/* Generated from include/functions/ by generate.py: names of the functions. */
#include "isp/functions.h"

static const char *const names[ISP_FN_COUNT] = {{
    [ISP_FN_NONE] = "MPI_?",
{names}}};

const char *isp_fn_name(enum isp_fn fn)
{{
    return (unsigned)fn < ISP_FN_COUNT ? names[fn] : names[ISP_FN_NONE];
}}

enum isp_fn isp_fn_base(enum isp_fn fn)
{{
    switch (fn) {{
{bases}        return (enum isp_fn)(fn - 1); /* a twin's number follows its base's */
    default:
        return fn;
    }}
}}

enum isp_scope isp_fn_scope(enum isp_fn fn)
{{
    switch (fn) {{
{scopes}    default: return ISP_SCOPE_COMM;
    }}
}}
"""
    )


def fold(text, indent=""):
    """Breaks a long C declaration or call at its commas."""
    text = re.sub(r"(?<!,) ", "\0", text)
    lines = textwrap.wrap(
        text,
        100,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ")


def widened(row, rows, prototypes):
    """Parameters of the prof_ function: those of the target, counts as wide as its twin's. An array that goes
    in is const, which the mpi.h of MPICH 4.0 forgets in one place."""
    base = row.base or row
    target = rows.get(base.target)
    if target is None or target.klass != "call":
        raise TableError(f"{base.name}: as={base.target} is not in class call")
    prototype = prototypes[target.name]
    twin = prototypes.get(target.name + "_c", prototype)
    texts = [
        (wide if wide.base != p.base else p).declare()
        for p, wide in zip(prototype.parameters, twin.parameters)
    ]
    return [
        Parameter(f"const {text}" if a.array and a.direction == "in" and "const" not in text else text)
        for a, text in zip(target.arguments, texts)
    ]


def prof_calls_h(rows, prototypes):
    lines, seen = [], set()
    for row in rows.values():
        if row.klass == "call" and row.name in prototypes and row.prof not in seen:
            seen.add(row.prof)
            texts = [p.declare() for p in widened(row, rows, prototypes)]
            texts = ["enum isp_fn fn", "const void *site"] + texts + ["va_list rest"] * row.variadic
            lines.append(fold(f'int {row.prof}({", ".join(texts)});'))
    body = "\n".join(lines)
    return (
        NOTICE
        + f"""/*
 * Generated from include/functions/ and mpi.h by generate.py: what the wrappers
 * call for the functions of class `call`. `fn` says which MPI function the
 * program called (MPI_Send and MPI_Send_c share prof_Send), `site` is the return
 * address of that call. Counts are as wide as the large-count function has them.
 */
#ifndef PROF_CALLS_H
#define PROF_CALLS_H

#include <mpi.h>
#include <stdarg.h>

#include "link/bindings.h"
#include "isp/functions.h"

/* The address in the program from which the enclosing wrapper was called. */
#define PROF_SITE prof_call_site(__builtin_return_address(0))

{body}

#endif
"""
    )


def freed_arguments(row, prototype):
    """(kind, parameter) of every tracked handle that a call frees."""
    return [
        (TRACKED[a.kind], p)
        for a, p in zip(row.arguments, prototype.parameters)
        if a.direction == "free" and a.kind in TRACKED
    ]


def created_statements(row, prototype):
    """Statements, run after success, that note the handles the program now owns."""
    if row.track == "contents":
        return [f"contents_created(datatype, array_of_datatypes, {row.fn}, PROF_SITE);"]
    created = [
        f"prof_handle_created({TRACKED[a.kind]}, (int)*{p.name}, {row.fn}, PROF_SITE);"
        for a, p in zip(row.arguments, prototype.parameters)
        if a.direction == "new" and a.kind in TRACKED
    ]
    return created or seen_statements(row, prototype)


def local_body(row, prototype):
    """The call passes through; handles that it makes or frees are noted."""
    anytime = "true" if row.anytime else "false"
    enter = f"prof_enter_local({row.fn}, PROF_SITE, {anytime})"
    if any(a.kind == "win" and a.direction == "in" for a in row.arguments):
        enter = f"prof_enter_access({row.fn}, PROF_SITE)"
    if prototype.result == "double":  # a clock
        return [
            f"(void){enter};",
            f"return prof_leave_clock({prototype.call()});",
        ]
    if prototype.result != "int":  # no error code to return: MPI_Wtime, MPI_Aint_add
        return [f"(void){enter};", f"return {prototype.call()};"]
    lines = [f"if (!{enter})", "    return MPI_ERR_OTHER;"]
    created = created_statements(row, prototype)
    if not created:
        return lines + [f"return {prototype.call()};"]
    lines += [f"int rc = {prototype.call()};", "if (rc == MPI_SUCCESS) {"]
    return lines + ["    " + c for c in created] + ["}", "return rc;"]


def free_body(row, prototype):
    """
    A local call that frees a handle. It is noted even when the wrapper passes
    through: MPI_Finalize runs the program's attribute delete functions, and what
    they free is not a leak.
    """
    ((kind, p),) = freed_arguments(row, prototype)
    anytime = "true" if row.anytime else "false"
    return [
        "if (!prof_passthrough() && " f"!prof_enter_local({row.fn}, PROF_SITE, {anytime}))",
        "    return MPI_ERR_OTHER;",
        f"int freed = {p.name} ? (int)*{p.name} : 0;",
        f"int rc = {prototype.call()};",
        "if (rc == MPI_SUCCESS)",
        f"    prof_handle_freed({kind}, freed);",
        "return rc;",
    ]


def call_body(row, prototype, rows, prototypes):
    """Hand the call to the profiler's function, out-counts through a wide one."""
    texts, before, after = [], [], []
    for p, wide in zip(prototype.parameters, widened(row, rows, prototypes)):
        if p.base == wide.base or not p.indirect:
            texts.append(p.name)
        else:
            before.append(f"{wide.base} wide_{p.name} = 0;")
            after.append(f"*{p.name} = ({p.base})wide_{p.name};")
            texts.append(f"&wide_{p.name}")
    call = f'{row.prof}({", ".join([row.fn, "PROF_SITE"] + texts + ["rest"] * row.variadic)})'
    if row.variadic:
        begin = ["va_list rest;", f"va_start(rest, {prototype.parameters[-1].name});"]
        return begin + [f"int rc = {call};", "va_end(rest);", "return rc;"]
    if not after:
        return [f"return {call};"]
    return (
        before
        + [f"int rc = {call};", "if (rc == MPI_SUCCESS)"]
        + ["    " + a for a in after]
        + ["return rc;"]
    )


def call_passthrough(row, prototype):
    """As free_body: what a call frees is noted even when it passes through."""
    if row.nested:
        return ["if (prof_phase == PROF_OFF)", f"    return {prototype.call()};"]
    freed = freed_arguments(row, prototype)
    if not freed:
        return passthrough(row, prototype)
    ((kind, p),) = freed
    return [
        "if (prof_passthrough()) {",
        f"    int freed = {p.name} ? (int)*{p.name} : 0;",
        f"    int passed = {prototype.call()};",
        "    if (passed == MPI_SUCCESS)",
        f"        prof_handle_freed({kind}, freed);",
        "    return passed;",
        "}",
    ]


def collective_body(row, prototype):
    """Begin with the arguments that all ranks must agree on; end with MPI's answer."""

    def argument(kind, absent):
        i = row.argument_of_kind(kind)
        return absent if i is None else prototype.parameters[i].name

    key = ", ".join(
        [
            "&c",
            row.fn,
            "PROF_SITE",
            argument("comm", "MPI_COMM_NULL"),
            argument("root", "PROF_NO_ROOT"),
            argument("op", "MPI_OP_NULL"),
        ]
    )
    begin = "prof_collective_begin"
    for kind in ("win", "file"):
        if row.argument_of_kind(kind) is not None:
            begin = f"prof_{kind}_collective_begin"
            key = ", ".join(["&c", row.fn, "PROF_SITE", argument(kind, None)])
    # False from begin means that MPI itself has to answer: the call is made all the same.
    return [
        "struct prof_collective c;",
        f"(void){begin}({key});",
        f"return prof_collective_end(&c, {prototype.call()});",
    ]


def constructor_body(row, prototype):
    """As a collective; what MPI made is then told to the scheduler."""
    comm = prototype.parameters[row.argument_of_kind("comm")].name
    (made,) = [
        p.name
        for a, p in zip(row.arguments, prototype.parameters)
        if a.kind == "comm" and a.direction == "new"
    ]
    return [
        "struct prof_constructor c;",
        f"prof_constructor_begin(&c, {row.fn}, PROF_SITE, &{comm});",
        f"return prof_constructor_end(&c, {prototype.call()}, {made});",
    ]


# ---- collectives whose arguments are kept: forms.h ----


def form_of(row):
    """Name of the nonblocking function with the same arguments: MPI_Ibcast for MPI_Bcast, MPI_Bcast_init."""
    name, large = re.fullmatch(r"MPI_(?:I(?=[a-z]))?(\w+?)(?:_init)?(_c)?", row.name).groups()
    return f'MPI_I{name[0].lower()}{name[1:]}{large or ""}'


def kept(row, prototype):
    """(argument, parameter) of what is kept: all but info and request."""
    return [(a, p) for a, p in zip(row.arguments, prototype.parameters) if a.kind not in ("info", "request")]


def form_sides(arguments):
    """Which half of a collective an argument describes, by the names that the standard gives."""
    sides = []
    for a in arguments:
        if a.name == "displs":
            sides.append(sides[-1])
        else:
            sides.append({"s": "SEND", "r": "RECV"}.get(a.name[0], "BOTH") if a.name != "root" else "BOTH")
    return sides


def form(row, prototype):
    """The struct of the arguments, the function that issues them, and their description."""
    name, pairs = row.name, kept(row, prototype)
    struct = f"struct arguments_{name}"
    fields, described, call = "", "", []
    places = dict.fromkeys(("comm", "root", "op", "sendbuf", "recvbuf"), "-1")
    for (a, p), side in zip(pairs, form_sides([a for a, _ in pairs])):
        constant = "const " if "const" in p.type else ""
        fields += f'    {constant}{p.base} {"*" if p.indirect else ""}{p.name};\n'
        call.append(f"a->{p.name}")
        place = f"offsetof({struct}, {p.name})"
        if a.kind == "buffer":
            for buffer in ("sendbuf", "recvbuf"):
                if a.name in (buffer, "buffer"):
                    places[buffer] = place
        elif a.kind in ("comm", "root", "op"):
            places[a.kind] = place
        else:
            kind = {"datatype": "TYPE", "count": "COUNT", "displ": "DISPL"}[a.kind]
            array = "true" if a.array else "false"
            described += (
                f"    {{{place}, PROF_FORM_{kind}, PROF_FORM_{side}, {array}, " f"sizeof({p.base})}},\n"
            )
    neighbour = "true" if "neighbor" in name else "false"
    alike = "true" if "bcast" in name or "allgather" in name else "false"
    marks = "".join(f"    .{k} = {v},\n" for k, v in places.items())
    return f"""{struct} {{
{fields}}};

static int issue_{name}(const void *arguments, MPI_Request *request)
{{
    const {struct} *a = arguments;
    return P{name}({", ".join(call + ["request"])});
}}

static const struct prof_form_argument described_{name}[] = {{
{described}    {{0}},
}};

static const struct prof_form form_{name} = {{
    .fn = {row.fn},
    .flow = ISP_FLOW_{row.flow.upper()},
    .neighbour = {neighbour},
    .alike = {alike},
    .size = sizeof({struct}),
    .issue = issue_{name},
    .arguments = described_{name},
{marks}}};
"""


def forms(rows, prototypes):
    texts = []
    for row in rows.values():
        if row.klass == "nonblocking" and row.name in prototypes:
            text = form(row, prototypes[row.name])
            texts.append(
                "\n".join(
                    fold(line.lstrip(), " " * (len(line) - len(line.lstrip()))) if len(line) > 100 else line
                    for line in text.split("\n")
                )
            )
    return "\n".join(texts)


def arguments_of(row, prototype):
    """The declaration of the kept arguments of this call."""
    names = ", ".join(p.name for _, p in kept(row, prototype))
    return f"struct arguments_{form_of(row)} a = {{{names}}};"


def call_with_arguments(row, prototype):
    """PMPI_X with the arguments as the profiler left them: a freed handle is a null handle."""
    ours = [p for _, p in kept(row, prototype)]
    texts = [f"a.{p.name}" if p in ours else p.name for p in prototype.parameters]
    return f'P{prototype.name}({", ".join(texts)})'


def nonblocking_body(row, prototype):
    return [
        arguments_of(row, prototype),
        f"return prof_nonblocking(&form_{row.name}, PROF_SITE, &a, request);",
    ]


def kept_body(row, prototype, function, more=""):
    """False from the function: MPI has to do it, or to say what is wrong."""
    return [
        arguments_of(row, prototype),
        "struct prof_collective c;",
        f"if ({function}(&c, &form_{form_of(row)}, {row.fn}, PROF_SITE, &a{more}))",
        "    return c.error;",
        f"return prof_collective_end(&c, {call_with_arguments(row, prototype)});",
    ]


# ---- checks of arguments: arguments.h ----


def value_of(p):
    """An argument as the number that a check looks at."""
    is_pointer = p.indirect or p.base == "MPI_File" or p.base.startswith("MPI_T_")
    return f"(intptr_t){p.name}" if is_pointer else p.name


def reference(of):
    """The partner of an argument: the number of another, or a length's name."""
    if of is None:
        return "PROF_OF_NONE"
    return str(of) if isinstance(of, int) else "PROF_OF_" + of.upper()


def described_check(check, prototype):
    p = prototype.parameters[check.at]
    if (
        check.argument.kind in checks.HANDLES
        and check.name != "OUT"
        and not check.array
        and p.indirect != check.indirect
    ):
        raise TableError(
            f"{prototype.name}: the direction of {check.argument.name} is not that of its type, {p.type}"
        )
    flags = [
        f
        for f, there in (
            ("ARRAY", check.array),
            ("INDIRECT", check.indirect),
            ("SEND", check.side == "SEND"),
            ("RECV", check.side == "RECV"),
        )
        if there
    ]
    flags = " | ".join("PROF_ARGUMENT_" + f for f in flags) or "0"
    size = f"sizeof({p.base})" if check.array else "0"
    return (
        f'    {{"{check.argument.name}", {check.enum}, {check.at}, {reference(check.of)}, '
        f"{reference(check.type)}, {flags}, {size}}},\n"
    )


def described_arguments(row, prototype):
    """What the checks of a function need to know; nothing if it has none."""
    found = checks.checks(row)
    if not found or prototype.result != "int":
        return ""

    def place(*kinds, names=None):
        at = [
            i
            for i, a in enumerate(row.arguments)
            if a.kind in kinds
            and a.direction != "new"
            and a.direction != "out"
            and (names is None or a.name in names)
        ]
        return at[0] if at else -1

    each = "".join(described_check(c, prototype) for c in found)
    collective = row.klass in checks.COLLECTIVES and place("buffer") >= 0 and place("comm") >= 0
    sendbuf = place("buffer", names=("sendbuf",)) if collective else -1
    recvbuf = next((i for i, a in enumerate(row.arguments) if a.name == "recvbuf"), -1) if collective else -1
    truth = {True: "true", False: "false"}
    return f"""static const struct prof_argument each_{row.name}[] = {{
{each}}};

static const struct prof_arguments arguments_of_{row.name} = {{
    .fn = {row.fn},
    .base = {(row.base or row).fn},
    .n = {len(found)},
    .each = each_{row.name},
    .comm = {place('comm')},
    .win = {place('win')},
    .file = {place('file')},
    .root = {place('root')},
    .sendbuf = {sendbuf},
    .recvbuf = {recvbuf},
    .flow = ISP_FLOW_{row.flow.upper()},
    .collective = {truth[collective]},
    .neighbour = {truth[checks.is_neighbour(row)]},
}};
"""


# ---- what a call is told to the state of the rank: profiler/state/definitions.h ----

# Of what such calls make there is nothing that a history could say in full.
STRANGE = ("One-sided", "Parallel I/O", "Tool information", "Sessions", "Generalized", "Partitioned")


def is_told(row, prototype):
    """Whether its arguments are kept while it runs: it may wait for the scheduler, or defines something."""
    silent = row.klass == "unmodelled" or (row.klass == "local" and row.plain)
    return prototype.result == "int" and not silent


def told_length(row, a):
    """The number of the argument that says how long an array is; its name, if it is no argument."""
    names = {argument.name: i for i, argument in enumerate(row.arguments)}
    if a.length in ("edges", "degrees", "dims"):
        return "PROF_TOLD_" + a.length.upper()
    return str(names[a.length]) if a.length in names else None


def told_argument(row, i, a, p):
    """(how, length, size) of what the history has of an argument; None: nothing. ValueError: it cannot."""
    handle = a.kind in TRACKED
    size = f"sizeof({p.base}[3])" if a.mark == "ranges" else f"sizeof({p.base})"
    if a.array:
        if a.direction in ("out", "inout") or not (handle or a.direction == "in"):
            return None
        if a.kind == "string" or told_length(row, a) is None:
            raise ValueError
        how = "IN_ARRAY" if a.direction == "in" else "OUT_ARRAY"
        return f"PROF_TOLD_{how}", told_length(row, a), size
    if a.kind == "string":
        return ("PROF_TOLD_STRING", "0", "0") if a.direction == "in" else None
    if a.direction == "in":
        return "PROF_TOLD_VALUE", "0", "0"
    if a.kind == "pointer" and row.name.startswith("MPI_Init"):
        return None
    if p.base == "void":
        return "PROF_TOLD_OUT", "0", "sizeof(void *)"
    if a.direction in ("free", "inout"):
        return "PROF_TOLD_INOUT", "0", size
    return "PROF_TOLD_OUT", "0", size


def telling(row, prototype):
    """What is to be told of a call."""
    if not is_told(row, prototype):
        return ""
    unknown = not row.plain and any(row.chapter.startswith(s) for s in STRANGE)
    lines = []
    try:
        for i, (a, p) in enumerate(zip(row.arguments, prototype.parameters)):
            told = None if row.plain or unknown else told_argument(row, i, a, p)
            if told:
                lines.append(f"    {{{told[0]}, {i}, {told[1]}, {told[2]}}},\n")
    except ValueError:
        unknown, lines = True, []
    truth = {True: "true", False: "false"}
    each = f"static const struct prof_told_argument told_{row.name}[] = {{\n{''.join(lines)}}};\n\n"
    return f"""{each if lines else ""}static const struct prof_telling telling_{row.name} = {{
    .fn = {row.fn},
    .n_values = {len(prototype.parameters)},
    .plain = {truth[row.plain]},
    .unknown = {truth[unknown]},
    .n = {len(lines)},
    .each = {f"told_{row.name}" if lines else "NULL"},
}};
"""


def all_tellings(rows, prototypes):
    texts = [telling(r, prototypes[r.name]) for r in rows.values() if r.name in prototypes and not r.nowrap]
    return "\n".join(filter(None, texts))


def told_statements(row, prototype):
    """Before anything else in the wrapper."""
    if not is_told(row, prototype):
        return []
    values = ", ".join(value_of(p) for p in prototype.parameters) or "0"
    return [
        f"const int64_t values[] = {{{values}}};",
        f"PROF_TELL(&telling_{row.name}, values);",
    ]


def ordinary_question(row, prototype):
    """What makes a question about a type an ordinary one, in C: some programs ask it for each of their
    elements. Nothing for other functions."""
    tests = {"TYPE_ANY": "prof_type_is_builtin({})", "OUT": "{}"}
    found = checks.checks(row)
    if len(found) != len(prototype.parameters) or any(
        c.array or c.indirect or c.name not in tests for c in found
    ):
        return ""
    return " && ".join(tests[c.name].format(prototype.parameters[c.at].name) for c in found)


def check_statements(row, prototype):
    """The wrapper looks at the arguments, before anything else does."""
    if not described_arguments(row, prototype):
        return []
    values = ", ".join(value_of(p) for p in prototype.parameters)
    ordinary = ordinary_question(row, prototype)
    unless = f"!({ordinary}) && " if ordinary else ""
    return [
        *([] if is_told(row, prototype) else [f"const int64_t values[] = {{{values}}};"]),
        f"if ({unless}prof_arguments_wrong(&arguments_of_{row.name}, values)) {{",
        f"    int wrong = prof_arguments_refuse(&arguments_of_{row.name}, values, PROF_SITE);",
        *no_communicator(row, prototype),
        "    if (wrong != MPI_SUCCESS)",
        "        return wrong;",
        "}",
        *([f"prof_file_tell({row.fn}, PROF_SITE, values);"] if row.bytes else []),
    ]


def no_communicator(row, prototype):
    """A program that asks for error codes may look at what it has got, as after MPICH's own refusal."""
    return [
        f"    if (wrong != MPI_SUCCESS && {p.name}) *{p.name} = MPI_COMM_NULL;"
        for a, p in zip(row.arguments, prototype.parameters)
        if (a.kind, a.direction, a.array) == ("comm", "new", False)
    ]


def all_described(rows, prototypes):
    texts = [
        described_arguments(r, prototypes[r.name])
        for r in rows.values()
        if r.name in prototypes and not r.nowrap
    ]
    return "\n".join(filter(None, texts))


def seen_statements(row, prototype):
    """After success in a passthrough: handles that MPI has handed out while nobody counts."""
    return [
        f"prof_handle_seen({TRACKED[a.kind]}, (int)*{p.name});"
        for a, p in zip(row.arguments, prototype.parameters)
        if a.direction in ("new", "out")
        and a.kind in TRACKED
        and a.kind not in ("request", "message")
        and not a.array
        and not row.name.startswith("MPI_T_")
    ]


def passthrough(row, prototype):
    """Not under isp, or in a callback of the program."""
    seen = seen_statements(row, prototype)
    if not seen or prototype.result != "int":
        return ["if (prof_passthrough())", f"    return {prototype.call()};"]
    return (
        [
            "if (prof_passthrough()) {",
            f"    int passed = {prototype.call()};",
            "    if (passed == MPI_SUCCESS && prof_phase != PROF_OFF) {",
        ]
        + ["        " + s for s in seen]
        + ["    }", "    return passed;", "}"]
    )


def wrapper(row, rows, prototypes):
    prototype = prototypes[row.name]
    head = passthrough(row, prototype)
    if row.klass == "local" and freed_arguments(row, prototype):
        head, body = [], free_body(row, prototype)
    elif row.klass == "local":
        body = local_body(row, prototype)
    elif row.klass == "call":
        head = call_passthrough(row, prototype)
        body = call_body(row, prototype, rows, prototypes)
    elif row.klass == "collective" and form_of(row) in rows:
        body = kept_body(row, prototype, "prof_blocking")
    elif row.klass == "collective":
        body = collective_body(row, prototype)
    elif row.klass == "constructor":
        body = constructor_body(row, prototype)
    elif row.klass == "nonblocking":
        body = nonblocking_body(row, prototype)
    elif row.klass == "persistent":
        body = kept_body(row, prototype, "prof_persistent_collective", ", request")
    else:
        cast = "" if prototype.result == "int" else f"({prototype.result})(intptr_t)"
        body = [f"return {cast}prof_unsupported({row.fn}, PROF_SITE);"]
    lines = [
        fold(line.lstrip(), " " * (4 + len(line) - len(line.lstrip())))
        for line in told_statements(row, prototype) + head + check_statements(row, prototype) + body
    ]
    declaration = prototype.declaration().replace(f" {row.name}(", f" isp_{row.name}(", 1)
    return "\n".join([fold(declaration + ";"), fold(declaration), "{"] + lines + ["}"])


CONTENTS_CREATED = """\
/*
 * MPI_Type_get_contents made a new handle for each derived type that it returned;
 * named types and those of MPI_Type_create_f90_* are predefined and never freed.
 */
static void contents_created(MPI_Datatype whole, const MPI_Datatype *parts, enum isp_fn fn,
                             const void *site)
{
    MPI_Count unused, n = 0;
    int combiner;
    if (PMPI_Type_get_envelope_c(whole, &unused, &unused, &unused, &n, &combiner) != MPI_SUCCESS)
        return;
    for (MPI_Count i = 0; i < n; i++) {
        if (PMPI_Type_get_envelope_c(parts[i], &unused, &unused, &unused, &unused, &combiner) !=
            MPI_SUCCESS)
            continue;
        if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
            combiner != MPI_COMBINER_F90_INTEGER && combiner != MPI_COMBINER_F90_COMPLEX)
            prof_handle_created(PROF_HANDLE_DATATYPE, (int)parts[i], fn, site);
    }
}
"""


def wrappers_c(rows, prototypes):
    bodies = "\n\n".join(
        wrapper(r, rows, prototypes) for r in rows.values() if r.name in prototypes and not r.nowrap
    )
    return (
        NOTICE
        + f"""/*
 * Generated from include/functions/ and mpi.h by generate.py: the wrappers of the MPI functions, to which
 * profiler/gate/ leads the program's calls of MPI_X and PMPI_X. Each is a shim: it passes through
 * where isp has no say (not under isp, or inside a wrapper already), and otherwise
 * hands over to an ordinary function of the profiler.
 */
#include <stdbool.h>
#include <stddef.h>

#include "prof_calls.h"

#include "arguments/arguments.h"
#include "kept/forms.h"
#include "tables/handles.h"
#include "engine/prof.h"
#include "state/definitions.h"
#include "types/builtin_types.h"

{CONTENTS_CREATED}
{all_described(rows, prototypes)}
{all_tellings(rows, prototypes)}
{forms(rows, prototypes)}
{bodies}
"""
    )


def real_names_h(rows, prototypes):
    """MPICH's functions have names of their own in the profiler's objects: PMPI_X, as MPI_X, is what the
    program calls."""
    renamed = "".join(
        f"#pragma redefine_extname P{name} isp_real_{name}\n" for name in prototypes if not rows[name].nowrap
    )
    return (
        NOTICE
        + f"""/*
 * Generated from mpi.h by generate.py: PMPI_X means MPICH's own function in the profiler, whose objects get this header
 * before all others. profiler/gate/entries.S says what stands behind the names.
 */
{renamed}"""
    )


def entries_inc(rows, prototypes):
    """For the assembler: every function that has a wrapper."""
    lines = [f"    wrapped {name}\n" for name in prototypes if not rows[name].nowrap]
    return (
        "/* SPDX-License-Identifier: BSD-3-Clause */\n"
        "/* Generated from mpi.h by generate.py, for entries.S. */\n" + "".join(lines)
    )


def shown(row):
    """A row's name for the user, who sees a twin with its base; None: its base shows it."""
    if row.base is not None and row.arguments is row.base.arguments:
        return None
    return f"`{row.name}`" + (" (`_c`)" if row.twin else "")


def limits_md(rows):
    limits = {}
    for row in rows.values():
        for name, text in row.limits.items():
            limits.setdefault(name, (text, []))[1].append(shown(row))
    lines = ["", "## Limits", "", "| limit | what isp does | functions |", "|---|---|---|"]
    return lines + [
        f'| {name} | {text} | {", ".join(filter(None, names))} |' for name, (text, names) in limits.items()
    ]


def functions_md(rows, _):
    """The table for users: how every function is treated, and what its limits are."""
    counts = {c: sum(r.klass == c for r in rows.values()) for c in CLASSES}
    lines = [
        "# MPI functions that isp knows",
        "",
        "Generated from `include/functions/`, the only list of MPI functions: all that mpi.h of MPICH 4.0 to",
        "5.0 declares. What only a later one has is `unmodelled`. `MPI_X` (`_c`) stands for `MPI_X` and its",
        "large-count form `MPI_X_c`.",
        "",
        "| class | functions | what isp does |",
        "|---|---|---|",
    ]
    lines += [f"| {c} | {counts[c]} | {CLASSES[c]} |" for c in CLASSES]
    lines += limits_md(rows)
    chapter = None
    for row in rows.values():
        if row.chapter != chapter:
            chapter = row.chapter
            lines += ["", f"## {chapter}", "", "| function | class | limits |", "|---|---|---|"]
        if shown(row):
            lines.append(f'| {shown(row)} | {row.klass} | {", ".join(row.limits)} |')
    return "\n".join(lines) + "\n"


OUTPUTS = {
    ".".join(f.__name__.rsplit("_", 1)): f
    for f in (functions_h, functions_c, prof_calls_h, real_names_h, entries_inc, wrappers_c, functions_md)
}
NEEDS_HEADER = OUTPUTS.keys() - {"functions.md"}


def main():
    parser = argparse.ArgumentParser(description="Generate code from the table of MPI functions.")
    parser.add_argument("--check", action="store_true", help="compare the table with mpi.h")
    parser.add_argument("--make", choices=OUTPUTS, help="what to generate")
    parser.add_argument("--output", help="the file to write")
    parser.add_argument("--include", action="append", default=[], help="directory of mpi.h")
    parser.add_argument("--header", action="append", default=[], help="one more header to read")
    parser.add_argument("--cc", default="cc", help="the C compiler that preprocesses mpi.h")
    parser.add_argument("tables", nargs="+")
    options = parser.parse_args()
    if not options.check and not (options.make and options.output):
        parser.error("want --check, or --make and --output")
    rows = read_table(options.tables)
    prototypes = {}
    if options.check or options.make in NEEDS_HEADER:
        prototypes = read_prototypes(options)
        fatal, other = differences(rows, prototypes)
        complaints = fatal + (other if options.check else [])
        if complaints:
            raise TableError("\n".join(complaints))
        refuse_unknown(rows, prototypes)
    if options.check:
        print(f"{len(prototypes)} functions of mpi.h, each with its row")
        return
    text = OUTPUTS[options.make](rows, prototypes)
    with open(options.output, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    try:
        main()
    except TableError as error:
        sys.exit(str(error))
