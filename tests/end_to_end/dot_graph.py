#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a graph in Graphviz' language, as its documentation has the grammar: enough of it for graphs without
ports and HTML.

usage: dot_graph.py GRAPH
"""

import re
import sys
from pathlib import Path

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_][A-Za-z_0-9]*|-?[0-9.]+)|(->|[{}\[\]=;,])|\Z)')


class BadGraph(Exception):
    pass


def tokens(text):
    at, found = 0, []
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if not match or match.end() == at:
            raise BadGraph(f"not a token: {text[at:at + 40]!r}")
        found.append(match[1] or match[2] or match[3])
        at = match.end()
    return found


class Graph:
    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0
        self.nodes, self.edges, self.clusters, self.attributes = {}, [], [], {}
        self.take("digraph")
        self.word()
        self.statements(None)
        if self.at != len(self.tokens):
            raise BadGraph("something after the graph")

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, token):
        if self.peek() != token:
            raise BadGraph(f"{token} is missing before {self.tokens[self.at:self.at + 5]}")
        self.at += 1

    def word(self):
        token = self.peek()
        if token is None or token in ("->", "{", "}", "[", "]", "=", ";", ","):
            raise BadGraph(f"a name is missing before {self.tokens[self.at:self.at + 5]}")
        self.at += 1
        return (
            re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], token[1:-1])
            if token.startswith('"')
            else token
        )

    def attribute_list(self):
        found = {}
        if self.peek() == "[":
            self.take("[")
            while self.peek() != "]":
                name = self.word()
                self.take("=")
                found[name] = self.word()
                if self.peek() in (",", ";"):
                    self.at += 1
            self.take("]")
        return found

    def statements(self, cluster):
        self.take("{")
        while self.peek() != "}":
            if self.peek() == "subgraph":
                self.take("subgraph")
                self.clusters.append(self.word())
                self.statements(self.clusters[-1])
                continue
            self.statement(cluster)
            if self.peek() == ";":
                self.take(";")
        self.take("}")

    def statement(self, cluster):
        name = self.word()
        if self.peek() == "=":
            self.take("=")
            self.attributes[cluster, name] = self.word()
        elif self.peek() == "->":
            self.take("->")
            to = self.word()
            self.edges.append((name, to, self.attribute_list()))
        elif name in ("node", "edge", "graph"):
            self.attribute_list()
        else:
            self.nodes.setdefault(name, {}).update(self.attribute_list())


def read(text):
    """The graph; all that edges join must be nodes with labels."""
    graph = Graph(text)
    for one, other, _ in graph.edges:
        for name in (one, other):
            if "label" not in graph.nodes.get(name, {}):
                raise BadGraph(f"an edge to {name}, which is no node")
    return graph


def main():
    graph = read(Path(sys.argv[1]).read_text())
    print(f"{len(graph.clusters)} ranks, {len(graph.nodes)} calls, {len(graph.edges)} edges")


if __name__ == "__main__":
    main()
