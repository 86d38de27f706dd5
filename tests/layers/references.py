#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No lower layer refers to a higher one: read off the compiler's objects, not off names.

layers.toml has the layers of each component, lowest first. Each symbol that one object leaves undefined and
an object of a higher layer defines is named: `profiler/base/alloc.c -> profiler/engine/fence.c (prof_fence)`.
What is known to be so is listed in the table; an entry that is not needed any more fails as well, so the
lists only shrink. Nor does it include a header of a higher one, where layers are folders: what is inline
there, and what a struct has in it, would be known below.
What a lower layer wants of a higher one goes through a pointer that the higher one sets: then the object of
the lower one names nothing.

    references.py SOURCE_ROOT BUILD_ROOT             # the test
    references.py SOURCE_ROOT BUILD_ROOT COMPONENT   # what there is, upward: to be copied into the table
"""
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "layers.toml"


class Table:
    """The layers of one component."""

    def __init__(self, name, row):
        self.name = name
        self.known = row.get("known", {})
        self.outside = tuple(row.get("outside", []))
        self.exported = tuple(row.get("exported", []))
        self.generated = row.get("generated", {})
        self.rank, self.files = {}, {}
        for number, layer in enumerate(row["layers"]):
            if isinstance(layer, str):
                self.rank[layer] = number
            for file in layer if isinstance(layer, list) else []:
                self.files[file] = number

    def layer_of(self, source):
        """Number of the layer of a source file (relative to the root); None: it has none."""
        if source in self.generated:
            return self.rank.get(self.generated[source], self.files.get(self.generated[source]))
        inside = Path(source).relative_to(self.name)
        folder = "/".join(inside.parts[:-1])
        while folder and folder not in self.rank:
            folder = "/".join(folder.split("/")[:-1])
        return self.files.get(inside.stem, self.rank.get(folder or "."))

    def is_outside(self, symbol, visible):
        """A name of another library that this component stands in front of, or calls by a name of its own:
        who says it means that library."""
        return symbol.startswith(self.outside) or (
            self.exported and visible and not symbol.startswith(self.exported)
        )


def symbols_of(objects):
    """{object: ({defined: visible outside of the library}, {undefined})}"""
    told = subprocess.run(
        ["readelf", "--symbols", "--wide", *objects], check=True, capture_output=True, text=True
    )
    found, current = {}, str(objects[0])
    for line in told.stdout.splitlines():
        words = line.split()
        if words[:1] == ["File:"]:
            current = words[1]
        if len(words) < 8 or words[4] not in ("GLOBAL", "WEAK") or not words[0][:-1].isdigit():
            continue
        defined, undefined = found.setdefault(current, ({}, set()))
        if words[6] == "UND":
            undefined.add(words[7])
        else:
            defined[words[7]] = words[5] in ("DEFAULT", "PROTECTED")
    return {str(o): found.get(str(o), ({}, set())) for o in objects}


def objects_of(root, build, table):
    """{object: source relative to the root}, as the build has made them for what is installed."""
    found = {}
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        output, source = command["output"], (Path(command["directory"]) / command["file"]).resolve()
        if output.startswith(("tests/", "bench/", "viewer/", "umpire-suite/", "compilers/")):
            continue
        inside = source.relative_to(root).as_posix() if root in source.parents else source.as_posix()
        if build in source.parents:
            inside = source.relative_to(build).as_posix()
            if inside not in table.generated or not output.startswith(table.name + "/"):
                continue
        elif not inside.startswith(table.name + "/"):
            continue
        if (build / output).is_file():
            found[str(build / output)] = inside
    return found


def upward(objects, table):
    """({(from, to): {symbols}} of the references that go up, [complaints])"""
    symbols = symbols_of(list(objects))
    defined = {}
    for file, source in objects.items():
        for symbol, visible in symbols[file][0].items():
            layer = table.layer_of(source)
            if layer is not None and not table.is_outside(symbol, visible):
                defined[symbol] = min(defined.get(symbol, (layer, source)), (layer, source))
    found, complaints = {}, []
    for file, source in objects.items():
        layer = table.layer_of(source)
        if layer is None:
            complaints.append(f"{source}: in no layer of layers.toml")
            continue
        for symbol in symbols[file][1]:
            to, target = defined.get(symbol, (layer, source))
            if to > layer:
                found.setdefault((source, target), set()).add(symbol)
    return found, complaints


INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def includes_upward(root, table):
    """Headers of higher folders that a source names, by their path in the component."""
    if table.files:
        return
    for source in sorted((root / table.name).rglob("*.[chS]")):
        inside = source.relative_to(root).as_posix()
        layer = table.layer_of(inside)
        for quoted in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if layer is None or not (root / table.name / quoted).is_file():
                continue
            target = f"{table.name}/{quoted}"
            if (table.layer_of(target) or 0) > layer:
                yield f"{inside} includes {target}"


def complaints_about(objects, table):
    found, complaints = upward(objects, table)
    known = {arrow: set(names) for arrow, names in table.known.items()}
    for (source, target), names in sorted(found.items()):
        arrow = f"{source} -> {target}"
        new = names - known.get(arrow, set())
        if new:
            complaints.append(f"{arrow} ({', '.join(sorted(new))})")
    for arrow, names in known.items():
        gone = names - next((n for (s, t), n in found.items() if f"{s} -> {t}" == arrow), set())
        if gone:
            complaints.append(
                f"layers.toml: {arrow} ({', '.join(sorted(gone))}) is not needed any more: take it out"
            )
    return complaints


# ---- the test of the test ----

ROW = {"layers": ["base", "engine", ["top"]], "outside": ["real_"], "exported": ["prof_"]}
SELF = [
    # (what it is, {file: source}, known, what is said)
    (
        "a call that goes down",
        {"base/a.c": "void f(void) {}", "engine/b.c": "void f(void); void g(void) { f(); }"},
        {},
        [],
    ),
    (
        "a call that goes up",
        {
            "base/a.c": "void g(void); void f(void) { g(); }",
            "engine/b.c": "void prof_x(void); HIDDEN void g(void) {}",
        },
        {},
        ["house/base/a.c -> house/engine/b.c (g)"],
    ),
    (
        "a weak one",
        {
            "base/a.c": "__attribute__((weak)) void g(void); void f(void) { if (g) g(); }",
            "engine/b.c": "HIDDEN void g(void) {}",
        },
        {},
        ["house/base/a.c -> house/engine/b.c (g)"],
    ),
    (
        "data",
        {"base/a.c": "extern int n; int f(void) { return n; }", "top.c": "HIDDEN int n = 1;"},
        {},
        ["house/base/a.c -> house/top.c (n)"],
    ),
    (
        "an address",
        {"base/a.c": "HIDDEN void g(void); void (*f)(void) = g;", "engine/b.c": "HIDDEN void g(void) {}"},
        {},
        ["house/base/a.c -> house/engine/b.c (g)"],
    ),
    (
        "a name in a comment, or a string",
        {"base/a.c": 'const char *f = "g()"; /* g() */', "engine/b.c": "HIDDEN void g(void) {}"},
        {},
        [],
    ),
    (
        "a hook",
        {
            "base/a.c": "HIDDEN void (*hook)(void); void f(void) { if (hook) hook(); }",
            "engine/b.c": "extern void (*hook)(void); static void g(void) {} void h(void) { hook = g; }",
        },
        {},
        [],
    ),
    (
        "the name of another library, exported",
        {
            "base/a.c": "int open(void); int f(void) { return open(); }",
            "engine/b.c": "int open(void) { return 0; }",
        },
        {},
        [],
    ),
    (
        "the same, but it is ours",
        {
            "base/a.c": "int prof_g(void); int f(void) { return prof_g(); }",
            "engine/b.c": "int prof_g(void) { return 0; }",
        },
        {},
        ["house/base/a.c -> house/engine/b.c (prof_g)"],
    ),
    (
        "MPI by its other name",
        {
            "base/a.c": "int real_X(void); int f(void) { return real_X(); }",
            "engine/b.c": "HIDDEN int real_X(void) { return 0; }",
        },
        {},
        [],
    ),
    (
        "within a layer",
        {"base/a.c": "HIDDEN void g(void); void f(void) { g(); }", "base/deep/b.c": "HIDDEN void g(void) {}"},
        {},
        [],
    ),
    (
        "a known one",
        {"base/a.c": "void g(void); void f(void) { g(); }", "engine/b.c": "HIDDEN void g(void) {}"},
        {"house/base/a.c -> house/engine/b.c": ["g"]},
        [],
    ),
    (
        "a known one, and one more",
        {
            "base/a.c": "void g(void), h(void); void f(void) { g(); h(); }",
            "engine/b.c": "HIDDEN void g(void) {} HIDDEN void h(void) {}",
        },
        {"house/base/a.c -> house/engine/b.c": ["g"]},
        ["house/base/a.c -> house/engine/b.c (h)"],
    ),
    (
        "one that is known no more",
        {"base/a.c": "void f(void) {}"},
        {"house/base/a.c -> house/engine/b.c": ["g"]},
        ["layers.toml: house/base/a.c -> house/engine/b.c (g) is not needed any more: take it out"],
    ),
    (
        "a folder without a layer",
        {"other/a.c": "void f(void) {}"},
        {},
        ["house/other/a.c: in no layer of layers.toml"],
    ),
]


INCLUDES = [
    ("a header of a lower layer", "engine", '#include "base/x.h"', []),
    (
        "a header of a higher layer",
        "base",
        '#include "engine/x.h"',
        ["house/base/case.c includes house/engine/x.h"],
    ),
    ("a header beside it, and of others", "base", '#include "x.h"\n#include <engine/x.h>', []),
]


def said_of_include(folder, text):
    with tempfile.TemporaryDirectory(prefix="layers-") as root:
        for name in ("base/x.h", "engine/x.h"):
            (Path(root) / "house" / name).parent.mkdir(parents=True)
            (Path(root) / "house" / name).touch()
        (Path(root) / "house" / folder / "case.c").write_text(text + "\n", encoding="utf-8")
        return list(includes_upward(Path(root), Table("house", {"layers": ["base", "engine"]})))


def said_about(files, known):
    """What is said of these sources, compiled."""
    with tempfile.TemporaryDirectory(prefix="layers-") as folder:
        objects = {}
        for name, text in files.items():
            source = Path(folder) / name
            source.parent.mkdir(parents=True, exist_ok=True)
            hidden = text.replace("HIDDEN", '__attribute__((visibility("hidden")))')
            source.write_text(hidden + "\n", encoding="utf-8")
            made = source.with_suffix(".o")
            subprocess.run(["cc", "-c", "-fPIC", "-o", made, source], check=True)
            objects[str(made)] = f"house/{name}"
        return complaints_about(objects, Table("house", ROW | {"known": known}))


def self_complaints():
    for what, files, known, want in SELF:
        said = said_about(files, known)
        if said != want:
            yield f"{what}: {said}, not {want}"
    for what, folder, text, want in INCLUDES:
        said = said_of_include(folder, text)
        if said != want:
            yield f"{what}: {said}, not {want}"


def main():
    root, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    if len(sys.argv) > 3:
        table = Table(sys.argv[3], rows[sys.argv[3]])
        for (source, target), names in sorted(upward(objects_of(root, build, table), table)[0].items()):
            print(f'"{source} -> {target}" = {json.dumps(sorted(names))}')
        return
    failed = 0
    checks = [("the test itself", list(self_complaints()))]
    for name, row in rows.items():
        table = Table(name, row)
        objects = objects_of(root, build, table)
        kept = sum(len(names) for names in table.known.values())
        missing = [] if len(objects) > 10 else [f"{len(objects)} objects: was {name}/ built?"]
        checks.append(
            (
                f"{name}/, {len(objects)} objects, {kept} known references upward",
                missing + complaints_about(objects, table) + list(includes_upward(root, table)),
            )
        )
    for name, complaints in checks:
        failed += bool(complaints)
        print(f"{'FAIL' if complaints else 'ok'} {name}")
        for line in complaints:
            print(f"     {line}")
    sys.exit(1 if failed else 0)


main()
