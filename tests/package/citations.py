#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What documents and comments name is there: files, sections of documents, laws.

Looked at are, in documents, links with their sections, and paths in backquotes; in comments of sources, names
of documents and of files of C and Python; in both, "law N". It first checks itself on texts that are wrong.

usage: citations.py ROOT (the source folder)
"""
import fnmatch
import os
import re
import sys

SOURCES = (".c", ".h", ".def", ".S", ".py", ".ts", ".js", ".toml", ".scn", ".build", ".sh", ".f90")
SKIPPED = ("build", "node_modules", "__pycache__", ".git", ".mypy_cache")
# What the build makes.
GENERATED = {
    "wrappers.c",
    "functions.h",
    "functions.c",
    "prof_calls.h",
    "real_names.h",
    "viewer.c",
    "rule_pages.c",
    "mpi_functions.h",
    "stub.c",
}
# Of MPI, and examples.
OTHERS = {
    "mpi.h",
    "mpi_abi.h",
    "mpich.h",
    "mpif.h",
    "mpicxx.h",
    "app.c",
    "io.c",
    "x.h",
    "x.c",
    "f.c",
    "prog.c",
    "acc.c",
}
PLACEHOLDER = re.compile(r"(?:^|/)(?:NAME|RULE|ID|OUT|DOCUMENT|TYPE)(?:$|[_./])")
OWN = "tests/package/citations.py"
LAWS = "docs/ARCHITECTURE.md"
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"^[\w.*+-]+(?:/[\w.*+-]+)*/?$")
FILE = re.compile(r"(?<![\w./<*+-])((?:[\w-]+/)*[\w-]+\.(?:c|h|py|md))\b(?![\w*>(-]|\.\w)")
LAW = re.compile(r"\b[Ll]aws? (\d+(?:(?:, | and )\d+)*)")
C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
HASH_COMMENT = re.compile(r'"""(?:.*?)"""|#(?!include)[^\n]*', re.S)


class Tree:
    """The files of the repository, by path and by name."""

    def __init__(self, files):
        self.files = set(files)
        self.folders = {part for file in files for part in parents(file)}
        self.folder_names = {os.path.basename(folder) for folder in self.folders}
        self.ends = {end for path in {*files, *self.folders} for end in ends(path)}
        self.tops = {folder for folder in self.folders if "/" not in folder}

    def is_ours(self, path):
        """Not a file of others: its first folder has the name of one of ours, or it is just a name."""
        return "/" not in path or path.split("/")[0] in self.folder_names

    def has(self, path, beside):
        """A path from the root, from some folder, or from the document; a pattern; a program."""
        path = path.rstrip("/")
        beside = os.path.normpath(os.path.join(os.path.dirname(beside), path))
        if path in self.ends or beside in self.files or beside in self.folders:
            return True
        if os.path.basename(path) in GENERATED | OTHERS or PLACEHOLDER.search(path):
            return True
        pattern = path if "*" in path else path + ".*"
        return any(fnmatch.fnmatchcase(end, pattern) for end in self.ends)


def ends(path):
    """a/b/c.h, b/c.h, c.h"""
    parts = path.split("/")
    return {"/".join(parts[i:]) for i in range(len(parts))}


def parents(file):
    folder = os.path.dirname(file)
    while folder:
        yield folder
        folder = os.path.dirname(folder)


def anchors(text):
    """The sections of a document, as links name them."""
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def laws_of(text):
    return set(re.findall(r"^(\d+)\. ", text.partition("\n## Laws")[2].partition("\n## ")[0], re.M))


def wrong_links(file, text, tree, read):
    for path, anchor in LINK.findall(re.sub(r"```.*?```", "", text, flags=re.S)):
        target = os.path.normpath(os.path.join(os.path.dirname(file), path)) if path else file
        if target not in tree.files and target not in tree.folders:
            yield f"links to {path}, which is not there"
        elif anchor and target in tree.files and anchor not in anchors(read(target)):
            yield f"links to {path}#{anchor}: there is no such section"


def wrong_paths(file, text, tree):
    for quoted in QUOTED.findall(re.sub(r"```.*?```", "", text, flags=re.S)):
        if not PATH.match(quoted):
            continue
        ours = quoted.split("/")[0] in tree.tops and "/" in quoted
        if (ours or FILE.fullmatch(quoted) and tree.is_ours(quoted)) and not tree.has(quoted, file):
            yield f"names `{quoted}`, which is not there"


def wrong_files(file, text, tree):
    for path in FILE.findall(text):
        if tree.is_ours(path) and not tree.has(path, file):
            yield f"names {path}, which is not there"


def wrong_laws(text, laws):
    for found in LAW.findall(text):
        for law in re.findall(r"\d+", found):
            if law not in laws:
                yield f"names law {law}: {LAWS} has none"


def comments_of(file, text):
    if file.endswith((".c", ".h", ".def", ".S", ".ts", ".js")):
        return "\n".join(C_COMMENT.findall(text))
    return "\n".join(HASH_COMMENT.findall(text))


def complaints(file, text, tree, laws, read):
    if file.endswith(".md"):
        found = [*wrong_links(file, text, tree, read), *wrong_paths(file, text, tree)]
    else:
        text = comments_of(file, text)
        found = [*wrong_files(file, text, tree)]
    return [f"{file} {what}" for what in [*found, *wrong_laws(text, laws)]]


def is_build(folder, name):
    return os.path.isdir(os.path.join(folder, name, "meson-info"))


def files_below(root):
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not (name.startswith(SKIPPED) or is_build(folder, name))]
        found += [os.path.relpath(os.path.join(folder, file), root) for file in files]
    return sorted(found)


SELF = [
    ("docs/x.md", "[a](gone.md)", True),
    ("docs/x.md", "[a](ARCHITECTURE.md#laws)", False),
    ("docs/x.md", "[a](ARCHITECTURE.md#polls)", True),
    ("docs/x.md", "`poe/poe.c` and `mpiexec -n 3 a.out`", False),
    ("docs/x.md", "`poe/gone.c`", True),
    ("docs/x.md", "`gone.c` is not there", True),
    ("docs/x.md", "by law 1", False),
    ("docs/x.md", "by law 9", True),
    ("docs/x.md", "laws 1, 2 and 1", True),
    ("poe/poe.c", "/* see poe.c */", False),
    ("poe/poe.c", "/* see gone.h. */", True),
    ("poe/poe.c", "/* see docs/GONE.md */", True),
    ("poe/poe.c", "/* GONE.md, section 5 */", True),
    ("poe/poe.c", '#include "gone.h"', False),
    ("poe/x.py", '"""GONE.md"""', True),
]


def check_self():
    text = {LAWS: "# A\n\n## Laws\n\n1. One.\n", "poe/poe.c": "", "docs/x.md": ""}
    tree = Tree(text)
    for file, source, want in SELF:
        if bool(complaints(file, source, tree, laws_of(text[LAWS]), text.get)) != want:
            yield f"{file}: {source!r} should{'' if want else ' not'} be refused"


def main():
    root = sys.argv[1]

    def read(file):
        with open(os.path.join(root, file), encoding="utf-8", errors="replace") as stream:
            return stream.read()

    found = [f"the test itself: {what}" for what in check_self()]
    tree = Tree(files_below(root))
    laws = laws_of(read(LAWS))
    looked_at = [file for file in sorted(tree.files) if file.endswith((".md", *SOURCES)) and file != OWN]
    for file in looked_at:
        found += complaints(file, read(file), tree, laws, read)
    for line in found:
        print(f"FAIL {line}")
    if not looked_at or not laws:
        sys.exit(f"FAIL no documents, or no laws in {LAWS}: is this the source root?")
    print(f"{len(looked_at)} files looked at, {len(found)} wrong")
    sys.exit(1 if found else 0)


main()
