// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom, of many ranks at once: those that wait in the same call in the same way are one line.
import { rangesOf } from './alike';
import { Waiting } from './data';
import { Run } from './run';
import { waitsFor } from './words';

export interface WaitGroup {
    waits: Waiting[];
    ranks: number[];
    words: string;
}

/** so many are told one by one */
const FEW = 8;

/** The same distance for all, around the ranks if need be: what each waits for is its own rank plus this. */
function offsetOf(waits: Waiting[], size: number): number | null {
    const of = (w: Waiting) => (w.ranks.length === 1 ? (w.ranks[0] - w.rank + size) % size : NaN);
    const first = of(waits[0]);
    return waits.every(w => of(w) === first) ? (first > size / 2 ? first - size : first) : null;
}

function wordsOf(waits: Waiting[], size: number): string {
    const [first] = waits;
    if (waits.length === 1) return waitsFor(first);
    if (first.finished) return 'have finished';
    const verb = first.polling ? 'poll' : 'wait';
    if (waits.every(w => w.ranks.join() === first.ranks.join()))
        return waitsFor(first).replace(/^(wait|poll)s/, '$1');
    const offset = offsetOf(waits, size);
    if (offset === 0) return `each ${verb}s for itself`;
    if (offset === 1 || offset === -1)
        return `each ${verb}s for the ${offset > 0 ? 'next' : 'previous'} rank`;
    if (offset !== null)
        return `each ${verb}s for the rank ${Math.abs(offset)} ${offset > 0 ? 'above' : 'below'}`;
    const all = [...new Set(waits.flatMap(w => w.ranks))].sort((a, b) => a - b);
    return `${verb} for ranks ${rangesOf(all, 24)}`;
}

/** Those that are stuck first. */
export function waitGroups(run: Run): WaitGroup[] {
    const size = run.trace.result.ranks;
    const groups = new Map<string, Waiting[]>();
    for (const w of run.waiting) {
        const c = run.local(w.call);
        const kind = c < 0 ? null : run.kind(c);
        const how = `${w.finished} ${w.polling} ${w.needs === 'any' && w.ranks.length > 1} ${w.thread}`;
        const key = run.waiting.length <= FEW ? String(groups.size) : `${how} ${kind?.call} ${kind?.site}`;
        const group = groups.get(key);
        if (group) group.push(w);
        else groups.set(key, [w]);
    }
    return [...groups.values()]
        .map(waits => ({ waits, ranks: waits.map(w => w.rank).sort((a, b) => a - b) }))
        .map(group => ({ ...group, words: wordsOf(group.waits, size) }))
        .sort((a, b) => Number(a.waits[0].finished) - Number(b.waits[0].finished) || a.ranks[0] - b.ranks[0]);
}

export function waitWords(run: Run, ranks: number[]): string {
    const waits = ranks.flatMap(rank => run.waitOf(rank) ?? []).filter(w => !w.finished);
    return waits.length ? wordsOf(waits, run.trace.result.ranks) : '';
}
