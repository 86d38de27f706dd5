// SPDX-License-Identifier: BSD-3-Clause
// Where the lanes of the picture are: one for a rank, or for a group of ranks that do the same. A group shows
// the calls of one of its ranks.
import { Group, groupsOf } from './alike';
import { Run } from './run';

const COLLAPSED = 10,
    TALL = 34,
    LOW = 26;

export interface Lane extends Group {
    /** the rank whose calls are shown */
    shown: number;
    top: number;
    height: number;
}

export class Lanes {
    readonly lanes: Lane[] = [];
    readonly height: number;
    private readonly laneOf: Int32Array;
    private readonly all: Group[];

    constructor(
        private readonly run: Run,
        private readonly collapsed: Set<number>,
        /** groups that were opened, by their first ranks; null: all */
        opened: Set<number> | null,
    ) {
        this.all = groupsOf(run);
        const groups = this.all.flatMap(group =>
            !opened || opened.has(group.ranks[0])
                ? group.ranks.map(rank => ({ ranks: [rank], exact: true }))
                : [group],
        );
        groups.sort((a, b) => a.ranks[0] - b.ranks[0]);
        const usual = groups.length <= 8 ? TALL : LOW;
        this.laneOf = new Int32Array(run.trace.result.ranks);
        let top = 0;
        groups.forEach((group, i) => {
            const height = group.ranks.every(rank => collapsed.has(rank)) ? COLLAPSED : usual;
            this.lanes.push({ ...group, shown: group.ranks[0], top, height });
            for (const rank of group.ranks) this.laneOf[rank] = i;
            top += height;
        });
        this.height = top;
    }

    get hasGroups(): boolean {
        return this.all.some(group => group.ranks.length > 1);
    }

    isCollapsed(lane: Lane): boolean {
        return this.collapsed.size > 0 && lane.ranks.every(rank => this.collapsed.has(rank));
    }

    at(rank: number): Lane {
        return this.lanes[this.laneOf[rank]];
    }

    indexOf(rank: number): number {
        return this.laneOf[rank];
    }

    /** Its group shows this rank. False if it does already. */
    show(rank: number): boolean {
        const lane = this.at(rank);
        if (lane.shown === rank) return false;
        lane.shown = rank;
        return true;
    }

    /** First and last lane that shows between these heights. */
    within(from: number, to: number): [number, number] {
        const { lanes } = this;
        let first = 0,
            last = lanes.length - 1;
        while (first < last && lanes[first + 1].top < from) first++;
        while (last > first && lanes[last].top > to) last--;
        return [first, last];
    }

    laneAt(y: number): Lane {
        return this.lanes[this.within(y, y)[0]];
    }

    /** The call that stands for this one in its lane, or -1 if none does. */
    standIn(c: number): number {
        const lane = this.at(this.run.rank[c]);
        if (lane.shown === this.run.rank[c]) return c;
        return lane.exact ? this.run.at(lane.shown, this.run.place[c]) : -1;
    }
}
