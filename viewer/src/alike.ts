// SPDX-License-Identifier: BSD-3-Clause
// Ranks that do the same, as one lane: the same calls from the same places, in the same order and with the
// same end, whoever their partners are. If too many differ, those that use the same calls and end in the same
// one are put together; such a group is not exact.
import { mix } from './mix';
import { Run } from './run';

const MANY_LANES = 40;
/** so many ranks are shown one by one */
export const FEW_RANKS = 8;

export interface Group {
    ranks: number[];
    /** all of them make the same calls */
    exact: boolean;
}

interface Signature {
    sequence: string;
    used: string;
    last: string;
}

function signaturesOf(run: Run): Signature[] {
    const kinds = run.kindNumbers(kind => `${kind.op} ${kind.call} ${kind.site}`);
    return Array.from({ length: run.trace.result.ranks }, (_, rank) => {
        const used = new Set<number>();
        let a = 1,
            b = 2,
            last = '';
        const calls = run.rankCalls(rank);
        for (const c of calls) {
            const matched = run.matchOf[c] >= 0 ? 1 : 2;
            const what = mix(kinds[run.kindOf[c]], matched);
            used.add(kinds[run.kindOf[c]]);
            a = mix(a, what);
            b = (Math.imul(b, 31) + what) | 0;
        }
        if (calls.length) {
            const c = calls[calls.length - 1];
            const state = run.state(c);
            last = `${kinds[run.kindOf[c]]} ${state}`;
            a = mix(a, state === 'blocked' ? 11 : state === 'polling' ? 12 : 13);
        }
        return {
            sequence: `${a} ${b} ${calls.length}`,
            used: `${last} ${[...used].sort((x, y) => x - y).join()}`,
            last,
        };
    });
}

function gather(signatures: Signature[], by: keyof Signature): Group[] {
    const groups = new Map<string, Group & { sequence: string }>();
    signatures.forEach((signature, rank) => {
        const group = groups.get(signature[by]);
        if (!group) {
            groups.set(signature[by], { ranks: [rank], exact: true, sequence: signature.sequence });
            return;
        }
        group.ranks.push(rank);
        if (group.sequence !== signature.sequence) group.exact = false;
    });
    return [...groups.values()];
}

const known = new WeakMap<Run, Group[]>();

/** In the order of their first ranks. */
export function groupsOf(run: Run): Group[] {
    const groups = known.get(run) ?? findGroups(run);
    known.set(run, groups);
    return groups;
}

function findGroups(run: Run): Group[] {
    const { ranks } = run.trace.result;
    if (ranks <= FEW_RANKS) return Array.from({ length: ranks }, (_, r) => ({ ranks: [r], exact: true }));
    const signatures = signaturesOf(run);
    for (const by of ['sequence', 'used'] as const) {
        const groups = gather(signatures, by);
        if (groups.length <= MANY_LANES) return groups;
    }
    return gather(signatures, 'last');
}

/** 0-3, 7; as a count if that is too long */
export function rangesOf(ranks: number[], room = Infinity): string {
    const parts: string[] = [];
    for (let i = 0; i < ranks.length; ) {
        let end = i;
        while (end + 1 < ranks.length && ranks[end + 1] === ranks[end] + 1) end++;
        parts.push(end > i + 1 ? `${ranks[i]}-${ranks[end]}` : ranks.slice(i, end + 1).join(', '));
        i = end + 1;
    }
    const all = parts.join(', ');
    return all.length <= room ? all : `${ranks.length}: ${ranks[0]} … ${ranks[ranks.length - 1]}`;
}
