// SPDX-License-Identifier: BSD-3-Clause
// Time to the right: where each column is, as wide as its longest name, times the zoom.
import { lastNotBehind } from './bisect';
import { Folds } from './folds';
import { Run } from './run';
import { labelsOf } from './words';

export const GLYPH = 6.7;
/** If no more than this has to be zoomed out for it, all is shown at first. */
export const AT_ONCE = 0.7;
const NARROWEST = 40,
    GAP = 84,
    AROUND = 22,
    BEFORE = 10,
    AFTER = 290,
    DIAMOND = 18,
    CLOSEST = 2;

/** Of each level, how wide it is at zoom 1. */
function widthsOf(run: Run): Int16Array {
    const of = new Int16Array(run.levels).fill(NARROWEST);
    const kinds = Int16Array.from({ length: run.trace.kinds }, (_, k) =>
        Math.ceil(labelsOf(run.trace.kind(k))[0].length * GLYPH + AROUND),
    );
    for (let c = 0; c < run.calls; c++) of[run.level[c]] = Math.max(of[run.level[c]], kinds[run.kindOf[c]]);
    /* what stands before the name of a call: ■, and after it: ◆ */
    const more = new Uint8Array(run.levels);
    for (let c = 0; c < run.calls; c++)
        if (run.matchOf[c] < 0 && run.state(c) !== 'done') more[run.level[c]] = 2 * GLYPH;
    for (const { call } of run.decisions) if (call >= 0) more[run.level[call]] = DIAMOND;
    return of.map((width, level) => width + more[level]);
}

export class Axis {
    readonly folds: Folds;
    private readonly width: Int16Array;
    private start = new Float64Array(1);
    zoom = 1;
    /** what is at the left edge, in pixels */
    left = 0;
    /** pixels that are seen */
    view = 600;

    constructor(run: Run, critical: number, common: number, pinned: number[]) {
        this.folds = new Folds(run, critical, common, new Set(pinned.map(c => run.level[c])));
        this.width = widthsOf(run);
        this.measure();
    }

    measure(): void {
        const { n, level, times } = this.folds.list;
        this.start = new Float64Array(n + 1);
        for (let i = 0; i < n; i++)
            this.start[i + 1] = this.start[i] + (times[i] ? GAP : this.width[level[i]]);
    }

    get columns(): number {
        return this.folds.list.n;
    }

    /** all of it, in pixels */
    get total(): number {
        return this.start[this.columns] * this.zoom + BEFORE + AFTER;
    }

    x(column: number): number {
        return BEFORE + this.start[column] * this.zoom;
    }

    columnWidth(column: number): number {
        return (this.start[column + 1] - this.start[column]) * this.zoom;
    }

    columnAt(x: number): number {
        const at = (x - BEFORE) / this.zoom;
        return lastNotBehind(0, this.columns - 1, column => this.start[column] > at);
    }

    /** At which all of it is seen. */
    get fit(): number {
        const room = Math.max(60, this.view - BEFORE - AFTER);
        return Math.min(1, room / Math.max(1, this.start[this.columns]));
    }

    setZoom(zoom: number, around: number): void {
        const at = (this.left + around - BEFORE) / this.zoom;
        this.zoom = Math.min(CLOSEST, Math.max(this.fit, zoom));
        this.moveTo(at * this.zoom + BEFORE - around);
    }

    moveTo(left: number): boolean {
        const wanted = Math.max(0, Math.min(left, this.total - this.view));
        const moved = wanted !== this.left;
        this.left = wanted;
        return moved;
    }
}
