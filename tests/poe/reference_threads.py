# SPDX-License-Identifier: BSD-3-Clause
"""The reference explorer for ranks with several threads (lines `0/1:` of a scenario).

Each thread has a line of its own, and the lines of a rank share its queues. When a thread calls what another
one could come before (a message, a receive, a probe) is an event of its own, so that all orders come up.
Which of two calls came first is part of the outcome, `a^b`, where it can be told: two messages to one
rank with one tag, and receives that accept a message in common. Of probes, and of messages with different
tags, what is received tells enough.

What was called when is the last entry of `at` (State in reference.py): the numbers of operations, and -1 -
number of a probe that has found its message.
"""

import reference
import scenario_file as sf


class Op(reference.Op):
    """rank is the number of its line; world the rank."""

    world = None  # set by the explorer

    def accepts(self, send):
        t = self.token
        return (
            send.token.peer == self.world
            and send.comm == self.comm
            and (t.peer is sf.ANY or t.peer == send.world)
            and (t.tag is sf.ANY or t.tag == send.token.tag)
            and (send.kind == "psend") == (self.kind == "precv")
        )


class Explorer(reference.Explorer):
    Op = Op

    def __init__(self, scenario, infinite, lazy=False, limit=0):
        super().__init__(scenario, infinite, lazy, limit)
        for op in self.ops:
            op.world = scenario.rank_of(op.rank)

    def first_at(self):
        return (-1,) * len(self.lines) + ((),)

    def label(self, line):
        return self.scenario.label(line)

    # ---- calling is an event ----

    def has_event(self, op):
        """Its place among the calls of other threads can matter."""
        message = op.kind in sf.SENDS | sf.RECVS | sf.PROBES and not op.token.is_to_null()
        return message and op.world in self.scenario.threads

    def called(self, op, at):
        return op.index <= at[op.rank] and (not self.has_event(op) or op.number in at[-1])

    def leave(self, rank, at, result, consumed):
        line = self.lines[rank]
        if 0 <= at[rank] < len(line) and not self.called(line[at[rank]], at):
            return None
        return super().leave(rank, at, result, consumed)

    def events(self, state):
        at, result, consumed = state
        for rank, line in enumerate(self.lines):
            if 0 <= at[rank] < len(line) and not self.called(line[at[rank]], at):
                yield at[:-1] + (at[-1] + (line[at[rank]].number,),), result, consumed
        yield from super().events(state)

    def fence_events(self, state, op):
        if not self.called(op, state[0]):
            return
        for at, result, consumed in super().fence_events(state, op):
            found = op.kind in sf.PROBES and result[op.number] not in (None, reference.NOT_YET)
            yield at[:-1] + (at[-1] + (-1 - op.number,),) if found else at, result, consumed

    # ---- the queues of a rank ----

    def before(self, at, a, b):
        """a was called before b, by its thread or by another one of its rank."""
        if a.rank == b.rank:
            return a.index < b.index
        if a.world != b.world or not self.called(a, at):
            return False
        return not self.called(b, at) or at[-1].index(a.number) < at[-1].index(b.number)

    def can_match(self, state, taker, send):
        at, result, _ = state
        if (
            not self.called(taker, at)
            or not self.called(send, at)
            or result[send.number] is not None
            or not taker.accepts(send)
        ):
            return False
        if any(
            result[other.number] is None
            and other.world == send.world
            and taker.accepts(other)
            and self.before(at, other, send)
            for other in self.sends
        ):
            return False
        # A receive that waits has the message before any probe sees it, whoever called first.
        return not any(
            other is not taker
            and other.world == taker.world
            and result[other.number] is None
            and self.called(other, at)
            and other.accepts(send)
            and (taker.kind in sf.PROBES or self.before(at, other, taker))
            for other in self.recvs
        )

    def has_seen(self, state, op):
        """Also a receive of another thread might have taken it, if it was called after the probe had found
        it."""
        if op.world not in self.scenario.threads:
            return super().has_seen(state, op)
        at, result, _ = state
        for before in self.lines[op.rank][: op.index]:
            if before.kind not in sf.PROBES or -1 - before.number not in at[-1]:
                continue
            since = at[-1][at[-1].index(-1 - before.number) :]
            send = self.ops[result[before.number]]
            if self.can_match(state, op, send) and not any(
                r.number in since and r.world == op.world and self.might_take(r, send) for r in self.recvs
            ):
                return True
        return False

    # ---- outcomes ----

    def compete(self, a, b):
        s, t = a.token, b.token
        if a.comm != b.comm:
            return False
        if a.kind in sf.SENDS and b.kind in sf.SENDS:
            return s.peer == t.peer and s.tag == t.tag
        return (
            a.kind in sf.RECVS
            and b.kind in sf.RECVS
            and (s.peer == t.peer or sf.ANY in (s.peer, t.peer))
            and (s.tag == t.tag or sf.ANY in (s.tag, t.tag))
        )

    def orders(self, state):
        at, items = state[0], []
        for line, first in enumerate(self.lines):
            for second in self.lines[line + 1 :]:
                for a in first:
                    for b in second:
                        both = (
                            a.world == b.world
                            and self.has_event(a)
                            and self.has_event(b)
                            and self.called(a, at)
                            and self.called(b, at)
                        )
                        if both and self.compete(a, b):
                            x, y = (a, b) if self.before(at, a, b) else (b, a)
                            items.append(f"{self.place(x)}^{self.place(y)}")
        return items
