# SPDX-License-Identifier: BSD-3-Clause
"""What the accesses of an outcome have read: `1.3%0.1+2.0`, the last one that wrote, and those that have
added something since (windows.c)."""

import visits

TELLS = {"get", "look", "fetch", "cas"}
SETS, ADDS = {"put", "set", "cas"}, {"acc", "add", "fetch"}


def visit_of(line, op):
    """The lock that an access is below; an atomic one is by itself."""
    if op.kind in visits.ATOMICS:
        return op
    return [o for o in line[: op.index] if o.kind in visits.KEEPING and o.token.peer == op.token.peer][-1]


class Order:
    """Of what was done in one state."""

    def __init__(self, explorer, at, result):
        self.lines, self.result = explorer.lines, result
        self.done = [o for o in explorer.ops if o.index < at[o.rank] and o.kind in visits.USES]
        self.visits = {o.number: visit_of(self.lines[o.rank], o) for o in self.done}

    def before(self, a, b):
        """False also if they commute, and the order is not known."""
        if a.rank == b.rank:
            return a.index < b.index
        v, w = self.visits[a.number], self.visits[b.number]
        return (v.rank, v.place) in self.result[w.number][0]

    def value(self, op):
        place = op.token.peer, op.token.tag
        kinds = visits.ATOMICS if op.kind in visits.ATOMICS else visits.ACCESSES
        earlier = [
            o
            for o in self.done
            if (o.token.peer, o.token.tag) == place and o.kind in kinds and self.before(o, op)
        ]
        sets = [o for o in earlier if o.kind in SETS and not (o.kind == "cas" and self.result[o.number][1])]
        last = [o for o in sets if not any(self.before(o, other) for other in sets)]
        adds = [o for o in earlier if o.kind in ADDS and not any(self.before(o, s) for s in last)]
        return "".join(f"{o.rank}.{o.place}" for o in last) + "".join(f"+{o.rank}.{o.place}" for o in adds)


def items(explorer, at, result):
    order = Order(explorer, at, result)
    return [f"{o.rank}.{o.place}%{order.value(o)}" for o in order.done if o.kind in TELLS]
