// SPDX-License-Identifier: BSD-3-Clause
// A bad interleaving beside the nearest good one: the one that its critical choice leads to if it goes the
// other way. What both have done before is the same.
import { App } from './app';
import { Run } from './run';
import { View } from './timeline';

const FEW_RANKS = 8,
    FEW_CALLS = 20_000;

/** The first column in which a run is not as the other: that of the choice, or of a call of its own. */
function commonLevels(run: Run, shared: number, choice: number): number {
    let common = choice >= 0 ? run.level[choice] : run.levels;
    for (let c = shared; c < run.calls; c++) common = Math.min(common, run.level[c]);
    return common;
}

export function hasGoodOne(app: App): boolean {
    return (app.critical?.interleaving ?? -1) >= 0 && app.critical?.interleaving !== app.run?.interleaving;
}

/** Small ones are compared without being asked. */
export function isComparedAtFirst(app: App): boolean {
    const { ranks } = app.trace.result;
    return hasGoodOne(app) && ranks <= FEW_RANKS && (app.run?.calls ?? 0) <= FEW_CALLS;
}

export class Comparison {
    private good: Run | null = null;

    constructor(private readonly app: App) {}

    private choiceOf(run: Run): number {
        const { critical, trace } = this.app;
        return !critical || critical.choice < 0 ? -1 : run.local(trace.choice.call[critical.choice]);
    }

    private get other(): Run | null {
        const { app } = this;
        if (!app.comparing || !hasGoodOne(app)) return null;
        const { interleaving } = app.critical!;
        if (this.good?.interleaving !== interleaving) this.good = new Run(app.trace, app.tree, interleaving);
        return this.good;
    }

    private viewOf(run: Run, other: Run | null): View {
        const critical = this.choiceOf(run);
        if (!other) return { run, critical, common: -1, pinned: [] };
        const bad = run === this.app.run ? run : other,
            shared = run.callsSharedWith(other);
        const pinned = bad.waiting
            .map(w => (w.finished ? -1 : bad.local(w.call)))
            .filter(c => c >= 0 && c < shared);
        return { run, critical, common: commonLevels(run, shared, critical), pinned };
    }

    get shown(): View | null {
        const { run } = this.app;
        return run ? this.viewOf(run, this.other) : null;
    }

    get beside(): View | null {
        const { run } = this.app,
            { other } = this;
        return run && other ? this.viewOf(other, run) : null;
    }
}
