# SPDX-License-Identifier: BSD-3-Clause
"""The table `before` of a page: what follows from it on each rank has to be what the conditions C1 to C4 of
matches-before say of each pair of calls (poe/ancestors.h), no row may follow from others, and in a run
without buffering nothing may have matched in another order."""
from collections import defaultdict

FENCE, POLL, SUBSET, SIGNAL, PARTITIONED = 1, 4, 32, 256, 512
ANY_SOURCE, ANY_TAG, NO_RANK = -2, -1, -1
MOST = 1500  # calls of a rank: pairs of them are looked at


def rows_of(page, path: list) -> dict:
    """Of each call (its row) the calls right before it, as the page says."""
    place, lanes, found = {}, defaultdict(list), {}
    for node in path:
        row = page.table["node"][node]
        for call in range(row["first_call"], row["end_call"]):
            lane = lanes[page.table["call"][call]["rank"]]
            place[call] = len(lane)
            lane.append(call)
    for node in path:
        row, told = page.table["node"][node], defaultdict(list)
        for each in page.table["before"][row["first_before"] : row["end_before"]]:
            steps = place[each["call"]] - each["steps"]
            assert 0 <= steps < place[each["call"]], each
            told[each["call"]].append(lanes[page.table["call"][each["call"]]["rank"]][steps])
        found.update(told)
    return found, lanes


class Reference:
    def __init__(self, page, path: list):
        self.page, self.taken, self.by_any_tag, self.fired = page, {}, set(), {}
        matches = [
            match
            for n in path
            for match in page.table["match"][
                page.table["node"][n]["first_match"] : page.table["node"][n]["end_match"]
            ]
        ]
        for position, match in enumerate(matches):
            for call in page.part("member", match["member"], match["members"]):
                self.fired[call] = position
            if match["send"] < 0:
                continue
            receive = self.kind(match["receive"])
            self.taken[match["receive"]] = match["send"]
            if receive["tag"] == ANY_TAG:
                self.by_any_tag.add(match["send"])
            self.fired[match["receive"]] = position
            if receive["op"] == "receive":
                self.fired[match["send"]] = position

    def kind(self, call: int) -> dict:
        return self.page.data["kinds"][self.page.table["call"][call]["kind"]]

    def orders(self, x: int, y: int) -> bool:
        a, b, row = self.kind(x), self.kind(y), self.page.table["call"][y]
        if b["op"] in ("complete", "join", "receive") and x in self.page.part(
            "request", row["request"], row["requests"]
        ):
            return True
        if a["thread"] != b["thread"]:
            return False
        if a["flags"] & FENCE:
            return True
        if (
            a["comm"] != b["comm"]
            or a["peer"] == NO_RANK
            or b["peer"] == NO_RANK
            or "matched" in (a["mode"], b["mode"])
            and b["op"] == "receive"
        ):
            return False
        if a["op"] == b["op"] == "collective":
            return not (a["flags"] | b["flags"]) & SUBSET
        if (
            (a["flags"] ^ b["flags"]) & SIGNAL
            or (a["flags"] | b["flags"]) & PARTITIONED
            and a["op"] != "collective"
        ):
            return False
        if a["op"] == b["op"] == "send":
            return a["peer"] == b["peer"] and (a["tag"] == b["tag"] or y in self.by_any_tag)
        if a["op"] != "receive" or b["op"] not in ("receive", "probe"):
            return False

        def accepts(source, tag):
            return a["peer"] in (source, ANY_SOURCE) and a["tag"] in (tag, ANY_TAG)

        send = self.taken.get(y)
        return (
            accepts(b["peer"], b["tag"])
            and not b["flags"] & POLL
            or send is not None
            and accepts(self.page.table["call"][send]["rank"], self.kind(send)["tag"])
        )


def compare_before(page, path: list, buffered: bool) -> None:
    told, lanes = rows_of(page, path)
    reference = Reference(page, path)
    for lane in lanes.values():
        if len(lane) > MOST:
            continue
        wanted, got = {}, {}
        for i, y in enumerate(lane):
            wanted[y], got[y] = set(), set()
            for x in reversed(lane[:i]):
                if x not in wanted[y] and reference.orders(x, y):
                    wanted[y] |= wanted[x] | {x}
            for x in sorted(told.get(y, []), reverse=True):
                assert x not in got[y], f"{page.place(x)} before {page.place(y)} follows from other rows"
                got[y] |= got[x] | {x}
                times = reference.fired.get(x), reference.fired.get(y)
                assert (
                    buffered or None in times or times[0] <= times[1]
                ), f"{page.place(x)} before {page.place(y)}, and it matched later"
            assert got[y] == wanted[y], (
                f"before {page.place(y)}: missing {sorted(map(page.place, wanted[y] - got[y]))}, "
                f"too many {sorted(map(page.place, got[y] - wanted[y]))}"
            )
