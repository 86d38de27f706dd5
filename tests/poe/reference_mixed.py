#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The deadlocks of a scenario if MPI decides of each send by itself whether to keep it, by brute force.

As reference.py, but that MPI keeps an operation is an event of its own, which may happen or not: a standard
or ready send, a collective's member that has the data it needs, a message in the buffer that is being
detached. It may happen at any time in which the rank asks for the operation's completion (earlier nobody
could tell). A state is a deadlock if nothing else can happen any more: MPI need not keep anything ever.

usage: reference_mixed.py FILE...
prints `== name#k` for each scenario, then the outcomes of its deadlocks, sorted.
"""

import os
import sys

import reference
import scenario_file as sf

BUFFERED = {"bsend", "ibsend"}
SYNCHRONOUS = {"ssend", "issend"}


class Explorer(reference.Explorer):
    """In a state's results, behind those of the operations, is for each whether MPI keeps it."""

    def __init__(self, scenario, limit=0):
        super().__init__(scenario, infinite=True, limit=limit)

    def start(self):
        return (-1,) * self.scenario.ranks, (None,) * (2 * len(self.ops)), frozenset()

    def is_kept(self, op, result):
        return result[len(self.ops) + op.number]

    def complete(self, op, at, result):
        if op.kind in sf.COLLECTIVES and not self.is_kept(op, result):
            return all(self.has_called(rank, op, at) for rank in self.scenario.members(op.comm))
        if op.kind == "detach":
            return all(
                result[o.number] in (reference.MATCHED, reference.NOBODY) or self.is_kept(o, result)
                for o in self.messages(op)
            )
        if op.kind in sf.SENDS - BUFFERED - SYNCHRONOUS and not op.token.is_to_null():
            ready = op.kind != "psend" or self.is_ready(op, at)
            return ready and bool(result[op.number] == reference.MATCHED or self.is_kept(op, result))
        return super().complete(op, at, result)

    def messages(self, detach):
        return [o for o in self.lines[detach.rank][: detach.index] if o.kind in BUFFERED]

    def asked(self, op):
        """What the call asks to be complete."""
        if op.kind == "detach":
            return self.messages(op)
        named = [self.ops[a] for a in op.args] if op.kind in sf.ONE | sf.LISTS else [op]
        return [part for o in named for part in ([self.ops[p] for p in o.parts] if o.kind == "join" else [o])]

    def keeping(self, state):
        """All states that MPI's keeping something leads to."""
        at, result, consumed = state
        for rank, line in enumerate(self.lines):
            if not 0 <= at[rank] < len(line):
                continue
            for op in self.asked(line[at[rank]]):
                may = op.kind in sf.SENDS - SYNCHRONOUS or op.kind in sf.COLLECTIVES
                if may and result[op.number] != reference.MATCHED and not self.is_kept(op, result):
                    place = len(self.ops) + op.number
                    yield at, result[:place] + (True,) + result[place + 1 :], consumed

    def deadlocks(self):
        todo = [self.advance(self.start())]
        seen, found = set(todo), set()
        while todo:
            state = todo.pop()
            others = list(self.events(state))
            if not others:
                outcome = self.outcome(state)
                if "deadlock:" in outcome:
                    found.add(outcome)
            for after in others + list(self.keeping(state)):
                after = self.advance(after)
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
            if self.limit and len(seen) > self.limit:
                raise reference.TooBig()
        return found


def deadlocks(scenario, limit=0):
    return Explorer(scenario, limit).deadlocks()


def main():
    for file in sys.argv[1:]:
        with open(file, encoding="ascii") as stream:
            texts = sf.split(stream.read())
        for k, text in enumerate(texts):
            print(f"== {os.path.basename(file)}#{k}")
            print("\n".join(sorted(deadlocks(sf.parse(text)))))


if __name__ == "__main__":
    main()
