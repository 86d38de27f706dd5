# SPDX-License-Identifier: BSD-3-Clause
"""
Collectives that are issued by an action (ISP_F_SLOT): nonblocking ones, and with infinite buffering the
blocking ones that a rank may leave early. What each flow demands is written in include/isp/call.h
(enum isp_flow).
"""
FENCE, SLOT = 1, 128
ALL, FROM_ROOT, TO_ROOT, PREFIX, LIST, SOURCES = range(6)
TAKES_NOTHING = 1 << 14
ISSUE, PART_SEND, PART_RECV = 0, 2, 3
NO_RANK, SOURCE_EMPTY = -1, 1 << 30


class Instance:
    """The calls of all members of a communicator that belong together."""

    def __init__(self, members, flow, make, buffered):
        self.members, self.flow, self.make, self.buffered = members, flow, make, buffered
        self.calls = {}  # rank -> its record
        self.made = {}  # rank -> the communicator that it gets

    def is_full(self):
        return len(self.calls) == len(self.members)

    def takes_part(self, c):
        return c["root"] != NO_RANK

    def before(self, rank):
        return self.members[: self.members.index(rank)]

    def inputs(self, rank):
        """The members that this one waits for."""
        c = self.calls[rank]
        if c["flags"] & TAKES_NOTHING and self.buffered:
            return []
        if self.flow == FROM_ROOT:
            return [c["root"]] if self.takes_part(c) else []
        if self.flow == TO_ROOT:
            return self.members if c["root"] == rank else []
        if self.flow == PREFIX:
            return self.before(rank)
        if self.flow in (LIST, SOURCES):
            return [r for r in c["list"] if not r & SOURCE_EMPTY]
        return self.members

    def parts(self, rank):
        """From whom this member receives, one for one."""
        c = self.calls[rank]
        if self.flow == FROM_ROOT:
            return self.inputs(rank) if c["root"] != rank else []
        if self.flow == PREFIX:
            return self.before(rank)[-1:] if self.inputs(rank) else []
        return self.inputs(rank) if self.flow in (LIST, SOURCES) else []


class Flows:
    """The instances of all communicators, of one fake scheduler."""

    def __init__(self, scheduler):
        self.scheduler, self.instances, self.called = scheduler, {}, {}

    def add(self, rank, c):
        """A record with a slot."""
        s = self.scheduler
        flow = c["flow"] if s.buffered else ALL
        name = (c["comm"], c["key"] if c["mode"] == 0 else 0)
        number = self.called[rank, name] = self.called.get((rank, name), -1) + 1
        instance = self.instances.setdefault(
            (name, number), Instance(s.members[c["comm"]], flow, c["mode"], s.buffered)
        )
        for other in instance.calls.values():
            assert (c["mode"], c["redop"]) == (other["mode"], other["redop"]), "mismatch"
        assert flow == instance.flow, "flows in one instance"
        c.update(rank=rank, done=False, complete=False, consumed=bool(c["flags"] & FENCE))
        s.ranks[rank].ops[c["handle"]] = c
        instance.calls[rank] = c

    def move(self):
        """Completes who has its data, and ends what is over; whether there was any."""
        moved = False
        for key, i in list(self.instances.items()):
            for rank in [r for r in i.members if r in i.calls and not i.calls[r]["complete"]]:
                if all(r in i.calls for r in i.inputs(rank)):
                    self.complete(i, rank)
                    moved = True
            if i.is_full():
                for rank in i.members:
                    self.end(i, rank)
                del self.instances[key]
                moved = True
        return moved

    def act(self, i, rank, kind, peer, tag=0):
        self.scheduler.ranks[rank].actions.append((kind, i.calls[rank]["handle"], peer, tag))

    def complete(self, i, rank):
        sources = i.parts(rank)
        for k, source in enumerate(sources):
            self.act(i, source, PART_SEND, rank)
            self.act(i, rank, PART_RECV, source, len(sources) - k - 1)
        i.calls[rank]["complete"] = True
        if i.flow == PREFIX and sources:
            self.end(i, sources[0])
        if i.flow == FROM_ROOT and sources:
            self.end(i, rank)

    def end(self, i, rank):
        """The slot's last action."""
        c = i.calls[rank]
        if c["done"]:
            return
        if i.make and not i.made:
            i.made = self.scheduler.made_by(i.make, i.members, i.calls)
        self.act(i, rank, ISSUE, i.made.get(rank, -1))
        c["done"] = True
        self.scheduler.forget(c)
