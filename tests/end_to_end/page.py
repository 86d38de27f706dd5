#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the data of a page of --html as viewer/DATA.md describes it, and compares its interleavings with the
views of the trace that it was made from.

usage: page.py PAGE.html TRACE
"""
import base64
import json
import re
import sqlite3
import struct
import sys
import zlib
from collections import defaultdict
from pathlib import Path

from page_before import compare_before

SHIFT = 40  # of the thread in the number of a call


def read_data(page: str) -> dict:
    found = re.findall(r'<script type="application/json" id="isp-data">(.*?)</script>', page, re.S)
    assert len(found) == 1, f"{len(found)} scripts with data"
    assert not re.search("[<>&]", found[0]), "the data could end the script"
    return json.loads(found[0])


def read_column(text: str, rows: int) -> list:
    numbers = (
        struct.unpack(f"<{rows}i", zlib.decompress(base64.b64decode(text, validate=True))) if rows else ()
    )
    values, last = [], 0
    for difference in numbers:
        last = (last + difference + 2**31) % 2**32 - 2**31
        values.append(last)
    return values


class Page:
    def __init__(self, data: dict):
        self.data = data
        self.table = {}
        for name, table in data["tables"].items():
            columns = {key: read_column(text, table["rows"]) for key, text in table["columns"].items()}
            self.table[name] = [dict(zip(columns, row)) for row in zip(*columns.values())]
            assert len(self.table[name]) == table["rows"], name
        self.children = defaultdict(list)
        for i, node in enumerate(self.table["node"]):
            assert node["parent"] < i
            self.children[node["parent"]].append(i)

    def path(self, node: int) -> list:
        way = []
        while node >= 0:
            way.append(node)
            node = self.table["node"][node]["parent"]
        return way[::-1]

    def name(self, node: int) -> str:
        decisions = [self.table["node"][n]["taken"] for n in self.path(node)[1:]]
        while decisions and decisions[-1] == 0:
            decisions.pop()
        parts, i = [], 0
        while i < len(decisions):
            k = i
            while k < len(decisions) and decisions[k] == decisions[i]:
                k += 1
            parts.append(str(decisions[i]) if k - i == 1 else f"{decisions[i]}*{k - i}")
            i = k
        return ".".join(parts) or "0"

    def rows(self, path: list, table: str) -> list:
        """What the nodes of a path have in a table."""
        return [
            self.table[table][i]
            for n in path
            for i in range(self.table["node"][n][f"first_{table}"], self.table["node"][n][f"end_{table}"])
        ]

    def number(self, call: int) -> int:
        """As the trace has it."""
        row = self.table["call"][call]
        thread = self.data["kinds"][row["kind"]]["thread"]
        return row["number"] if row["number"] < 0 else thread << SHIFT | row["number"]

    def place(self, call: int) -> tuple:
        return self.table["call"][call]["rank"], self.number(call)

    def part(self, table: str, first: int, count: int) -> list:
        return (
            []
            if first < 0
            else [next(iter(row.values())) for row in self.table[table][first : first + count]]
        )


def describe_call(page: Page, row: dict) -> tuple:
    kind = page.data["kinds"][row["kind"]]
    site = page.data["sites"][kind["site"]] or {}
    requests = [
        page.number(call) if call >= 0 else -1
        for call in page.part("request", row["request"], row["requests"])
    ]
    return (
        row["rank"],
        None if row["number"] < 0 else kind["thread"] << SHIFT | row["number"],
        kind["call"],
        kind["label"],
        site.get("file"),
        site.get("line"),
        site.get("function"),
        kind["op"],
        kind["mode"],
        kind["comm"],
        kind["peer"],
        kind["tag"],
        kind["root"],
        kind["bytes"],
        kind["data"],
        " ".join(map(str, requests)) or None,
    )


def compare(what: str, ours: list, theirs: list, cut: bool) -> None:
    if cut:  # part of a run: what is there is in order
        rest = iter(row[:15] for row in theirs)  # without the last column of a call: its requests may be away
        assert all(row[:15] in rest for row in ours), what
        return
    if ours != theirs:
        different = [(a, b) for a, b in zip(ours, theirs) if a != b]
        raise AssertionError(
            f"{what}: {len(ours)} against {len(theirs)} rows; first difference: {different[:1]}"
        )


def compare_interleaving(page: Page, db: sqlite3.Connection, row: int) -> None:
    interleaving = page.table["interleaving"][row]
    path, key = page.path(interleaving["node"]), (page.name(interleaving["node"]), interleaving["buffered"])
    found = db.execute("SELECT id, ending FROM interleaving WHERE name = ? AND buffered = ?", key).fetchall()
    if len(found) != 1:
        return  # the name is not enough: a redundant run
    assert page.data["endings"][interleaving["ending"]] == found[0][1], key
    cut = page.data["left_out"]["calls"] > 0
    compare(
        f"calls of {key}",
        [describe_call(page, call) for call in page.rows(path, "call")],
        db.execute(
            "SELECT rank, number, call, label, file, line, function, op, mode, comm, peer, tag, root, bytes, "
            "data, requests FROM calls WHERE interleaving = ? AND buffered = ? ORDER BY position",
            key,
        ).fetchall(),
        cut,
    )
    matches = page.rows(path, "match")
    compare(
        f"messages of {key}",
        [page.place(m["send"]) + page.place(m["receive"]) for m in matches if m["member"] < 0],
        db.execute(
            "SELECT send_rank, send, receive_rank, receive FROM messages WHERE interleaving = ? "
            "AND buffered = ? ORDER BY position",
            key,
        ).fetchall(),
        cut,
    )
    compare(
        f"collectives of {key}",
        [
            page.place(call)
            for m in matches
            for call in sorted(page.part("member", m["member"], m["members"]), key=page.place)
        ],
        db.execute(
            "SELECT rank, number FROM collectives WHERE interleaving = ? AND buffered = ? "
            "ORDER BY position, rank, number",
            key,
        ).fetchall(),
        cut,
    )
    if not cut:
        compare_before(page, path, bool(interleaving["buffered"]))
        compare_waiting(page, db, row, found[0][0], key)


def compare_waiting(page: Page, db: sqlite3.Connection, row: int, interleaving: int, key: tuple) -> None:
    ours = [
        (
            w["rank"],
            page.number(w["call"]) if w["call"] >= 0 else None,
            w["finished"],
            w["polling"],
            w["needs"],
            " ".join(map(str, w["ranks"])) or None,
            " ".join(str(page.number(call)) for call in w["pending"]) or None,
        )
        for w in page.data["waiting"]
        if w["interleaving"] == row
    ]
    compare(
        f"waiting of {key}",
        ours,
        db.execute(
            "SELECT rank, number, finished, polling, needs, ranks, pending FROM waiting "
            "WHERE interleaving = ?",
            (interleaving,),
        ).fetchall(),
        False,
    )


def compare_choices(page: Page, db: sqlite3.Connection) -> None:
    ours = defaultdict(int)
    for i, choice in enumerate(page.table["choice"]):
        alternatives = [a for a in page.table["alternative"] if a["choice"] == i]
        assert len(alternatives) == choice["alternatives"] and [a["taken"] for a in alternatives] == list(
            range(len(alternatives))
        )
        if choice["call"] >= 0:
            ours[page.place(choice["call"]) + (choice["alternatives"],)] += 1
    if not page.data["left_out"]["nodes"] and not page.data["left_out"]["calls"]:
        theirs = defaultdict(int)
        for rank, number, alternatives in db.execute("SELECT rank, number, alternatives FROM choice"):
            theirs[rank, number, alternatives] += 1
        compare("choices", sorted(ours.items()), sorted(theirs.items()), False)


def compare_with_trace(page: Page, trace: str) -> None:
    db = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
    assert page.data["format"] == 3
    assert page.data["result"] == json.loads(
        db.execute("SELECT value FROM meta WHERE key = 'result'").fetchone()[0]
    )
    left, (interleavings,) = page.data["left_out"], db.execute("SELECT count(*) FROM interleaving").fetchone()
    assert len(page.table["interleaving"]) + left["interleavings"] == interleavings
    assert len(page.table["node"]) + left["nodes"] == db.execute("SELECT count(*) FROM node").fetchone()[0]
    for row in range(len(page.table["interleaving"])):
        compare_interleaving(page, db, row)
    compare_choices(page, db)


def main() -> None:
    page = Page(read_data(Path(sys.argv[1]).read_text()))
    compare_with_trace(page, sys.argv[2])
    print(
        f"{len(page.table['interleaving'])} interleavings, {len(page.table['call'])} calls, left out: "
        f"{page.data['left_out']}"
    )


if __name__ == "__main__":
    main()
