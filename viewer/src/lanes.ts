// SPDX-License-Identifier: BSD-3-Clause
// Where the ranks' lanes are: as wide as there is room, collapsed ones narrow.

const COLLAPSED = 16,
    NARROWEST = 44,
    WIDEST = 230;

export class Lanes {
    readonly left: Float64Array;
    readonly laneWidth: number;

    constructor(
        readonly ranks: number,
        private readonly collapsed: Set<number>,
        room: number,
    ) {
        const open = Math.max(1, ranks - collapsed.size);
        this.laneWidth = Math.max(NARROWEST, Math.min(WIDEST, (room - collapsed.size * COLLAPSED) / open));
        this.left = new Float64Array(ranks + 1);
        for (let r = 0; r < ranks; r++) this.left[r + 1] = this.left[r] + this.width(r);
    }

    isCollapsed(rank: number): boolean {
        return this.collapsed.has(rank);
    }

    width(rank: number): number {
        return this.collapsed.has(rank) ? COLLAPSED : this.laneWidth;
    }

    get total(): number {
        return this.left[this.ranks];
    }

    center(rank: number): number {
        return this.left[rank] + this.width(rank) / 2;
    }

    boxWidth(rank: number): number {
        return this.collapsed.has(rank) ? 8 : Math.min(this.laneWidth - 14, 178);
    }

    /** First and last lane that shows between these two. */
    within(from: number, to: number): [number, number] {
        let first = 0,
            last = this.ranks - 1;
        while (first < last && this.left[first + 1] < from) first++;
        while (last > first && this.left[last] > to) last--;
        return [first, last];
    }
}
