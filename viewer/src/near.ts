// SPDX-License-Identifier: BSD-3-Clause
// What nearly matched at the end: a send, and a receive or probe that one of the two waits in, which differ
// in one thing. As scheduler/check/near.c has it, which tells the same in words: another tag, another
// communicator, both; another source or target, if the rank that is waited for, or sent to, has finished.
import { Run } from './run';

export interface NearMiss {
    send: number;
    receive: number;
    /** tag 12 ≠ 13 */
    words: string;
}

const MOST_LOOKED_AT = 4000,
    HELD = 200,
    MOST = 40;

function isOpen(run: Run, c: number): boolean {
    const kind = run.kind(c);
    return (
        run.matchOf[c] < 0 &&
        (kind.op === 'send' || kind.op === 'receive' || kind.op === 'probe') &&
        kind.peer !== null &&
        kind.peer !== -1
    );
}

function hasFinished(run: Run, rank: number): boolean {
    return run.waitOf(rank)?.finished ?? false;
}

/** The receive's first, as the terminal has it; and how much it is worth, 0: nothing. */
function differenceOf(run: Run, send: number, receive: number): { words: string; worth: number } {
    const s = run.kind(send),
        r = run.kind(receive),
        none = { words: '', worth: 0 };
    const tags = r.tag !== -1 && r.tag !== s.tag,
        comms = r.comm !== s.comm,
        source = r.peer !== -2 && r.peer !== run.rank[send],
        target = s.peer !== run.rank[receive];
    if (source || target) {
        if ((source && target) || tags || comms || !run.waitingAt(receive)) return none;
        if (!hasFinished(run, source ? r.peer! : s.peer!)) return none;
        return source
            ? { words: `from rank ${r.peer} ≠ ${run.rank[send]}`, worth: 2 }
            : { words: `to rank ${run.rank[receive]} ≠ ${s.peer}`, worth: 2 };
    }
    if (!tags && !comms) return none;
    const words = [tags ? `tag ${r.tag} ≠ ${s.tag}` : '', comms ? 'another communicator' : ''];
    return { words: words.filter(Boolean).join(', '), worth: tags && comms ? 1 : 3 };
}

export function nearMisses(run: Run): NearMiss[] {
    const held = run.waiting
        .filter(w => !w.finished)
        .flatMap(w => [run.local(w.call), ...w.pending.map(row => run.local(row))])
        .filter(c => c >= 0 && isOpen(run, c));
    if (!held.length) return [];
    const open: number[] = [];
    for (let c = run.calls - 1; c >= 0 && open.length < MOST_LOOKED_AT; c--) if (isOpen(run, c)) open.push(c);
    const found: NearMiss[] = [];
    for (const c of new Set(held.slice(0, HELD))) {
        if (found.length >= MOST) break;
        const sends = run.kind(c).op === 'send';
        const misses = open
            .filter(other => (run.kind(other).op === 'send') !== sends)
            .map(other => ({ send: sends ? c : other, receive: sends ? other : c }))
            .map(miss => ({ ...miss, ...differenceOf(run, miss.send, miss.receive) }))
            .filter(miss => miss.worth > 0);
        misses.sort((a, b) => b.worth - a.worth);
        const best = misses[0];
        if (best && !found.some(miss => miss.send === best.send && miss.receive === best.receive))
            found.push(best);
    }
    return found;
}
