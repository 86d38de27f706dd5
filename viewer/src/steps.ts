// SPDX-License-Identifier: BSD-3-Clause
// Where a step leads: in program order or in issue order, over all ranks or one.
import { App } from './app';
import { Run } from './run';

function inOrder(app: App, run: Run): { calls: Int32Array; at: number } {
    const c = app.selected;
    if (app.locked >= 0 && app.order === 'program')
        return {
            calls: run.rankCalls(app.locked),
            at: c >= 0 && run.rank[c] === app.locked ? run.place[c] : -1,
        };
    if (app.order === 'program') return { calls: run.inProgramOrder, at: c < 0 ? -1 : run.programIndex(c) };
    return { calls: run.issued, at: c < 0 ? -1 : run.issuedAt[c] };
}

function allowed(app: App, run: Run, c: number): boolean {
    return (app.locked < 0 || run.rank[c] === app.locked) && !app.collapsed.has(run.rank[c]);
}

function search(app: App, run: Run, step: 1 | -1, wanted: (c: number) => boolean): number {
    const { calls, at } = inOrder(app, run);
    for (let i = at < 0 && step < 0 ? calls.length - 1 : at + step; i >= 0 && i < calls.length; i += step)
        if (allowed(app, run, calls[i]) && wanted(calls[i])) return calls[i];
    return -1;
}

export function stepCall(app: App, step: 1 | -1): number {
    return app.run ? search(app, app.run, step, () => true) : -1;
}

export function stepMatch(app: App, step: 1 | -1): number {
    const { run } = app;
    if (!run) return -1;
    const own = app.selected < 0 ? -1 : run.matchOf[app.selected];
    /* In issue order the members of a match set are neighbours: one step is one set. */
    return search(app, run, step, c => run.matchOf[c] >= 0 && run.matchOf[c] !== own);
}

export function endCall(app: App, which: 'first' | 'last'): number {
    const { run } = app;
    if (!run) return -1;
    const { calls } = inOrder(app, run);
    const order = which === 'first' ? 1 : -1;
    for (let i = order > 0 ? 0 : calls.length - 1; i >= 0 && i < calls.length; i += order)
        if (allowed(app, run, calls[i])) return calls[i];
    return -1;
}

/** The other side of the match; of a collective the member of the next rank; of a wait the operation it waits
 * for. */
export function partnerOf(app: App): number {
    const { run, selected } = app;
    if (!run || selected < 0) return -1;
    const partners = run.partners(selected);
    if (!partners.length) return run.requests(selected).find(c => c >= 0) ?? -1;
    return (
        partners.sort((a, b) => run.rank[a] - run.rank[b]).find(c => run.rank[c] > run.rank[selected]) ??
        partners[0]
    );
}

/** The call of a neighbouring rank that is in the same column, or the last one before it. */
export function neighbour(app: App, step: 1 | -1): number {
    const { run, selected } = app;
    if (!run || selected < 0) return -1;
    for (let rank = run.rank[selected] + step; rank >= 0 && rank < run.trace.result.ranks; rank += step) {
        const length = run.laneLength(rank);
        if (!length || app.collapsed.has(rank)) continue;
        const c = run.lastBy(rank, run.level[selected]);
        return c >= 0 ? c : run.at(rank, 0);
    }
    return -1;
}

/** `0:12`, or `12` of the locked or selected rank. */
export function callByNumber(app: App, text: string): number {
    const { run } = app;
    const match = /^\s*(?:(\d+)\s*[:.\s]\s*)?(\d+)\s*$/.exec(text);
    if (!run || !match) return -1;
    const rank =
        match[1] !== undefined
            ? Number(match[1])
            : app.locked >= 0
              ? app.locked
              : app.selected >= 0
                ? run.rank[app.selected]
                : 0;
    return run.byNumber(rank, Number(match[2]));
}

/** The next interleaving that is marked (or any), -1 if there is none. */
export function stepInterleaving(app: App, step: 1 | -1, marked: boolean): number {
    const rows = app.trace.interleaving.rows;
    for (let i = (app.run?.interleaving ?? -1) + step; i >= 0 && i < rows; i += step)
        if (!marked || app.tree.isMarked(i)) return i;
    return -1;
}

export function criticalCall(app: App): number {
    if (!app.run || !app.critical || app.critical.choice < 0) return -1;
    return app.run.local(app.trace.choice.call[app.critical.choice]);
}
