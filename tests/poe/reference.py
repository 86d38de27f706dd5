#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The right set of outcomes of a scenario, by brute force: the measure for poe.

It walks through *all* schedules, one event at a time, with no partial order reduction, and
keeps a set of visited states that hold the whole history (each receive's message, each
wait's answer), so that two states are one only if nothing could ever tell them apart. It
shares no idea with poe/: no fences first, no match sets, no `later`; poe/SEARCH.md is
written down directly. Slow, and meant to be read.

usage: reference.py --mode zero|infinite [--count] [--lazy] FILE...
prints `== name#k` for each scenario, then its outcomes, sorted.
"""

import argparse
import os
import sys
from itertools import combinations

import scenario_file as sf
import visits

NOT_YET = "-"
NOBODY = "null"  # the message of a receive from MPI_PROC_NULL
SKIPPED = "skipped"
EXTRACTED, MATCHED = "extracted", "matched"
CANCELLED = "cancelled"


class TooBig(Exception):
    pass


class Op:
    """One token with its place in its line (an isendrecv is three: isend, irecv, and their join; a sendrecv
    waits for that as well). Its result (State) starts as None and is set once: send: EXTRACTED (by a matched
    probe; then MATCHED), MATCHED recv, mrecv, probe: the number of the send; NOBODY; NOT_YET (iprobe,
    improbe); SKIPPED (mrecv); CANCELLED (irecv) waitany, waitsome, test...: the tuple of positions that
    completed; NOT_YET (test...)
    """

    def __init__(self, number, rank, index, place, token):
        self.number, self.rank, self.index, self.place, self.token = number, rank, index, place, token
        self.kind, self.comm = token.kind, token.comm
        self.args = []  # numbers of the operations that the arguments name
        self.parts = []  # join: numbers of the operations that it is one request for
        self.number_on_comm = None  # collective: k, of the k-th on its communicator

    def accepts(self, send):
        t = self.token
        if (send.kind == "psend") != (self.kind == "precv"):
            return False
        return (
            send.token.peer == self.rank
            and send.comm == self.comm
            and (t.peer is sf.ANY or t.peer == send.rank)
            and (t.tag is sf.ANY or t.tag == send.token.tag)
        )


def parts(token):
    if token.kind not in sf.EXCHANGE:
        return [token]
    exchange = [
        sf.Token("isend", token.peer, 0, token.comm),
        sf.Token("irecv", token.sources[0], 0, token.comm),
        sf.Token("join", comm=token.comm, name=token.name or "its own"),
    ]
    return exchange + ([sf.Token("wait", args=["its own"])] if token.kind == "sendrecv" else [])


class Explorer:
    """A collective has no event of its own: it is complete, for a rank, as soon as those that it needs have
    called.

    A state is (at, result, consumed): the index of the token that each rank is in
    (its tokens before that, and this one, are issued), the result of each op, and the set
    of requests that a wait, test or free has ended."""

    Op = Op

    def __init__(self, scenario, infinite, lazy=False, limit=0):
        self.scenario, self.infinite, self.lazy, self.limit = scenario, infinite, lazy, limit
        self.ops, self.lines = [], []
        for rank, line in enumerate(scenario.lines):
            self.lines.append([])
            names = {}
            for index, token in enumerate(line):
                for part in parts(token):
                    op = self.Op(len(self.ops), rank, len(self.lines[rank]), index, part)
                    op.args = [names[a] for a in part.args]
                    if part.kind == "join":
                        op.parts = [op.number - 2, op.number - 1]
                    if part.kind in sf.COLLECTIVES:
                        op.number_on_comm = sum(
                            o.kind in sf.COLLECTIVES and o.comm == op.comm for o in self.lines[rank]
                        )
                    if part.name:
                        names[part.name] = op.number
                    self.ops.append(op)
                    self.lines[rank].append(op)
        self.sends = [op for op in self.ops if op.kind in sf.SENDS]
        self.recvs = [op for op in self.ops if op.kind in sf.RECVS]

    # ---- what a state says ----

    def complete(self, op, at, result):
        """May the request (or blocking call) return?"""
        if op.kind in sf.COLLECTIVES:
            return all(self.has_called(rank, op, at) for rank in self.needed(op))
        if op.token.is_to_null():
            return True
        if op.kind == "join":
            return all(self.complete(self.ops[part], at, result) for part in op.parts)
        if op.kind == "psend" and not self.is_ready(op, at):
            return False
        if op.kind == "detach":  # the messages that are still in the buffer may be kept elsewhere
            return self.infinite or all(
                result[o.number] in (MATCHED, NOBODY)
                for o in self.lines[op.rank][: op.index]
                if o.kind in ("bsend", "ibsend")
            )
        if op.kind in sf.ACCESSES | {"unlock"}:
            return True
        if op.kind in ("bsend", "ibsend"):
            return True
        if op.kind in ("ssend", "issend"):
            return result[op.number] == MATCHED
        if op.kind in sf.SENDS:
            return self.infinite or result[op.number] == MATCHED
        return result[op.number] is not None

    def needed(self, op):
        """The ranks that must have called a collective before it can complete for op's rank."""
        members, kind, token = self.scenario.members(op.comm), op.kind.lstrip("i"), op.token
        if self.infinite and op.kind in sf.EMPTY:
            return []
        if (
            not self.infinite
            or kind in ("barrier", "make", "take")
            or (kind == "reduce" and token.peer == op.rank)
        ):
            return members
        if kind == "bcast":
            return [token.peer]
        if kind == "scan":
            return members[: members.index(op.rank)]
        return token.sources  # neighbor; a leaf of reduce and drop have none

    def has_called(self, rank, op, at):
        """The rank has called the collective that op is a member's call of."""
        return any(
            other.kind in sf.COLLECTIVES
            and other.comm == op.comm
            and other.number_on_comm == op.number_on_comm
            for other in self.lines[rank][: at[rank] + 1]
        )

    def active(self, op, consumed):
        return [a for a in op.args if a not in consumed]

    def is_ready(self, op, at):
        return any(
            o.kind == "ready" and o.args == [op.number] for o in self.lines[op.rank][: at[op.rank] + 1]
        )

    def is_marked(self, op, at):
        """MPI_Cancel was called for it. That returns at once; when it takes effect, if a message does not
        come first, is open until the request is completed (MPI-4.0, 3.8.4)."""
        return any(
            o.kind == "cancel" and o.args == [op.number] for o in self.lines[op.rank][: at[op.rank] + 1]
        )

    def can_lock(self, state, op):
        """Nobody holds what op wants: has locked it, and not got to its unlock."""
        at, result, _ = state
        for rank, line in enumerate(self.lines):
            for lock in line[: at[rank] + 1]:
                if (
                    lock.kind not in visits.KEEPING
                    or result[lock.number] is None
                    or lock.token.peer != op.token.peer
                    or op.kind == lock.kind == "lockshared"
                ):
                    continue
                if not any(
                    o.kind == "unlock" and o.token.peer == lock.token.peer
                    for o in line[lock.index : at[rank] + 1]
                ):
                    return False
        return True

    def can_match(self, state, taker, send):
        """Non-overtaking, for a receive or a probe that is issued and has nothing yet."""
        at, result, _ = state
        if result[send.number] is not None or send.index > at[send.rank] or not taker.accepts(send):
            return False
        if send.kind == "psend" and not self.is_ready(send, at):
            return False
        for other in self.lines[send.rank][: send.index]:  # first unmatched of its channel
            if other.kind in sf.SENDS and result[other.number] is None and taker.accepts(other):
                return False
        for other in self.lines[taker.rank][: taker.index]:  # first receive that accepts it
            if other.kind in sf.RECVS and result[other.number] is None and other.accepts(send):
                return False
        return True

    # ---- issuing ----

    def leave(self, rank, at, result, consumed):
        """If the rank can leave its token: (at, result, consumed) in the next one."""
        line = self.lines[rank]
        if at[rank] >= len(line):
            return None
        if at[rank] >= 0:
            op = line[at[rank]]
            left = self.active(op, consumed)
            if op.kind in sf.REQUEST | {"join", "ready", "cancel"}:
                pass
            elif op.kind == "free":
                if any(self.is_marked(self.ops[a], at) and result[a] is None for a in left):
                    return None
                consumed = consumed | set(left)
            elif op.kind in ("wait", "waitall"):
                if not all(self.complete(self.ops[a], at, result) for a in left):
                    return None
                consumed = consumed | set(left)
                if left:
                    result = put(result, op, MATCHED)
            elif op.kind in sf.ONE | sf.LISTS:
                if left and result[op.number] is None:
                    return None
                if result[op.number] not in (None, NOT_YET):
                    consumed = consumed | {op.args[p] for p in result[op.number]}
            elif not self.complete(op, at, result):  # blocking send, recv, probe, collective
                return None
        at = at[:rank] + (at[rank] + 1,) + at[rank + 1 :]
        if at[rank] < len(line):
            op = line[at[rank]]
            if op.token.is_to_null() or (op.kind in sf.MRECVS and result[op.args[0]] == NOBODY):
                result = put(result, op, NOBODY)
            if op.kind in sf.MRECVS and result[op.args[0]] == NOT_YET:
                result = put(result, op, SKIPPED)
                consumed = consumed | {op.number}
        return at, result, consumed

    def advance(self, state):
        """Each rank goes as far as it can without an event.

        Why going eagerly loses no outcome: what a rank does here has one outcome only, so no
        choice is hidden in it. And it disables nothing: an issued send is behind all earlier ones
        of its channel, and an issued receive is behind all earlier ones of its rank, so no pair that
        could match before is forbidden by it; `not yet` depends only on what its own rank has seen, so nobody
        depends on something being absent; requests are consumed for their own rank only. So each event
        of a schedule that goes slowly is possible, with the same result, in the one that goes
        eagerly, and at the end of both everything has been issued. (--lazy makes each such step an
        event by itself; tests compare both.)
        """
        moved = True
        while moved:
            moved = False
            for rank in range(len(self.lines)):
                after = self.leave(rank, *state)
                if after:
                    state, moved = after, True
        return state

    # ---- events ----

    def events(self, state):
        """All states that one event leads to (before advancing)."""
        at, result, consumed = state
        for recv in self.recvs:
            if result[recv.number] is None and recv.index <= at[recv.rank]:
                for send in self.sends:
                    if self.can_match(state, recv, send):
                        yield at, put(put(result, recv, send.number), send, MATCHED), consumed
                if self.is_marked(recv, at):
                    yield at, put(result, recv, CANCELLED), consumed
        for op in self.ops:  # mrecv, imrecv: the message that was taken out for it
            if op.kind in sf.MRECVS and result[op.number] is None and op.index <= at[op.rank]:
                send = self.ops[result[op.args[0]]]
                yield at, put(put(result, op, send.number), send, MATCHED), consumed
        for rank, line in enumerate(self.lines):
            if 0 <= at[rank] < len(line) and result[line[at[rank]].number] is None:
                yield from self.fence_events(state, line[at[rank]])
        if self.lazy:
            for rank in range(len(self.lines)):
                after = self.leave(rank, *state)
                if after:
                    yield after

    def fence_events(self, state, op):
        at, result, consumed = state
        if op.kind in visits.VISITS:
            if op.kind not in visits.KEEPING or self.can_lock(state, op):
                yield at, put(result, op, self.visit(result, op)), consumed
            return
        if op.kind in sf.PROBES:
            for send in self.sends:
                if self.can_match(state, op, send):
                    after = put(result, op, send.number)
                    if op.kind in sf.MESSAGE:
                        after = put(after, send, EXTRACTED)
                    yield at, after, consumed
            if op.kind in ("iprobe", "improbe") and not self.has_seen(state, op):
                yield at, put(result, op, NOT_YET), consumed
            return
        left = self.active(op, consumed)
        if (
            not left
            or op.kind not in sf.ONE | sf.LISTS
            or op.kind in ("free", "ready", "cancel", "wait", "waitall")
        ):
            return
        ready = [p for p, a in enumerate(op.args) if a in left and self.complete(self.ops[a], at, result)]
        if op.kind in ("waitany", "testany"):
            answers = [(p,) for p in ready]
        elif op.kind in ("waitsome", "testsome"):
            answers = [s for n in range(1, len(ready) + 1) for s in combinations(ready, n)]
        else:  # test, testall
            answers = [tuple(ready)] if len(ready) == len(left) else []
        to_nobody = [result[a] == NOBODY for a in left]
        if op.kind.startswith("test") and not (all if op.kind in ("test", "testall") else any)(to_nobody):
            answers.append(NOT_YET)  # what has MPI_PROC_NULL waits for nobody (MPI-4.0, 3.10)
        for answer in answers:
            yield at, put(result, op, answer), consumed

    def has_seen(self, state, op):
        """An earlier probe of this rank has found a message that this one would find now, and no
        receive was issued in between that might have taken it: MPI cannot say that it is not there."""
        result, line = state[1], self.lines[op.rank]
        return any(
            result[before.number] == send.number
            and self.can_match(state, op, send)
            and not any(self.might_take(recv, send) for recv in line[before.index : op.index])
            for before in line[: op.index]
            if before.kind in sf.PROBES
            for send in self.sends
        )

    def might_take(self, op, send):
        """Whoever calls op does not know that it leaves the message there."""
        return op in self.recvs and op.accepts(send)

    # ---- visits ----

    def visit(self, result, op):
        """What it finds: the visits of other ranks that came before it and that it may meet, and whether it
        changes nothing."""
        before = [o for o in self.ops if o.kind in visits.VISITS and result[o.number] is not None]
        met = frozenset(
            (o.rank, o.place) for o in before if o.rank != op.rank and visits.may_meet(o.token, op.token)
        )
        return met, op.kind == "cas" and any(
            o.kind == "cas" and (o.token.peer, o.token.tag) == (op.token.peer, op.token.tag) for o in before
        )

    def waits(self, op, at, result):
        """Its rank waits, or has waited, in it."""
        if op.index > at[op.rank] or op.token.is_to_null() or result[op.number] in (SKIPPED, NOBODY):
            return False
        if op.kind in ("send", "rsend"):
            return not self.infinite
        if op.kind in ("wait", "waitall") or op.kind in sf.LISTS | {"test"}:
            return result[op.number] is not None or op.index == at[op.rank]
        blocking = (
            sf.COLLECTIVES - sf.REQUEST | sf.PROBES | visits.VISITS | {"ssend", "recv", "mrecv", "detach"}
        )
        return op.kind in blocking

    def has_waited(self, lock, at, result):
        for op in self.lines[lock.rank][lock.index + 1 : at[lock.rank] + 1]:
            if op.kind == "unlock" and op.token.peer == lock.token.peer:
                return False
            if self.waits(op, at, result):
                return True
        return at[lock.rank] >= len(self.lines[lock.rank])  # it is never given back

    def visit_items(self, at, result):
        made = [o for o in self.ops if o.kind in visits.VISITS and result[o.number] is not None]
        waited = {
            (o.rank, o.place) for o in made if o.kind in visits.KEEPING and self.has_waited(o, at, result)
        }
        unchanged = {(o.rank, o.place) for o in made if result[o.number][1]}
        earlier = {(o.rank, o.place): result[o.number][0] for o in made}
        wanted = {
            (line[k].rank, line[k].place)
            for line, k in zip(self.lines, at)
            if k < len(line) and line[k].kind in visits.VISITS and result[line[k].number] is None
        }
        return visits.items(self.scenario.lines, earlier, waited, unchanged, wanted)

    # ---- outcomes ----

    def label(self, line):
        return str(line)

    def place(self, op):
        return f"{self.label(op.rank)}.{op.place}"

    def orders(self, _state):
        """What else an outcome says."""
        return []

    def outcome(self, state):
        at, result, consumed = state
        items = []
        for op in self.ops:
            got = result[op.number]
            if op.index > at[op.rank] or got == SKIPPED:
                continue
            place = self.place(op)
            if op.kind in sf.RECVS | sf.MRECVS | sf.PROBES:
                message = "-"
                if got == NOBODY:
                    message = got
                elif got == CANCELLED:
                    message = "x"
                elif got not in (None, NOT_YET):
                    message = self.place(self.ops[got])
                items.append(place + ("?" if op.kind in sf.PROBES else "<") + message)
            elif op.kind in ("wait", "waitall", "free", "ready", "cancel"):
                continue
            elif op.kind in sf.ONE | sf.LISTS:
                if got in (None, NOT_YET):
                    # no result after the rank has gone on: there was no active request
                    if got or at[op.rank] == op.index:
                        items.append(f"{place}=-")
                elif op.kind in ("test", "testall"):
                    items.append(f"{place}=t")
                else:
                    items.append(f"{place}={','.join(map(str, got))}")
        items += self.orders(state)
        items += self.visit_items(at, result)
        stuck = [self.label(r) for r, line in enumerate(self.lines) if at[r] < len(line)]
        items.append("deadlock:" + ",".join(stuck) if stuck else "ok")
        return " ".join(items)

    def first_at(self):
        return (-1,) * self.scenario.ranks

    def outcomes(self):
        start = self.first_at(), (None,) * len(self.ops), frozenset()
        todo = [start if self.lazy else self.advance(start)]
        seen, found = set(todo), set()
        while todo:
            state = todo.pop()
            end = True
            for after in self.events(state):
                end = False
                if not self.lazy:
                    after = self.advance(after)
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
            if end:
                found.add(self.outcome(state))
            if self.limit and len(seen) > self.limit:
                raise TooBig()
        self.states = len(seen)
        return found


def put(result, op, value):
    return result[: op.number] + (value,) + result[op.number + 1 :]


def outcomes(scenario, mode, lazy=False, limit=0):
    if scenario.threads:
        import reference_threads  # which has this module's class as its base

        return reference_threads.Explorer(scenario, mode == "infinite", lazy, limit).outcomes()
    return Explorer(scenario, mode == "infinite", lazy, limit).outcomes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["zero", "infinite"], required=True)
    parser.add_argument("--count", action="store_true", help="print numbers only")
    parser.add_argument("--lazy", action="store_true", help="issuing is an event too (very slow)")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    for file in options.files:
        with open(file, encoding="ascii") as stream:
            texts = sf.split(stream.read())
        for k, text in enumerate(texts):
            print(f"== {os.path.basename(file)}#{k}")
            try:
                found = sorted(outcomes(sf.parse(text), options.mode, options.lazy))
            except sf.Bad as bad:
                sys.exit(f"{file}#{k}: {bad}")
            if not options.count:
                print("\n".join(found))
            print(f"-- interleavings {len(found)} deadlocks {sum(' deadlock:' in ' ' + o for o in found)}")


if __name__ == "__main__":
    main()
