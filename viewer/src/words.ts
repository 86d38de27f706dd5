// SPDX-License-Identifier: BSD-3-Clause
// How calls, waiting and decisions are said, everywhere alike.
import { listed } from './dom';
import { GivenCritical, Kind, placeOf, shortPlaceOf, Waiting, What } from './data';
import { Run } from './run';
import { Tree } from './tree';

/** Recv ← any, Send → 2, Bcast: what fits into a box. */
export function shortLabel(kind: Kind): string {
    const name = (kind.call ?? kind.label).replace(/^MPI_/, '');
    if (kind.op === 'send' && kind.peer !== null) return `${name} → ${kind.peer === -1 ? 'null' : kind.peer}`;
    if ((kind.op === 'receive' || kind.op === 'probe') && kind.peer !== null)
        return `${name} ← ${kind.peer === -2 ? 'any' : kind.peer === -1 ? 'null' : kind.peer}`;
    return name;
}

/** What fits into a box, from the longest to the shortest: Recv ← any · tag 12; ←* 12; Bar. */
export function labelsOf(kind: Kind): string[] {
    const label = shortLabel(kind);
    const peer = /[←→] .*/.exec(label)?.[0];
    const narrow = peer ? peer.replace(' any', '*').replace(' ', '') : label.slice(0, 3);
    const tag = kind.tag === null || kind.peer === -1 ? '' : kind.tag === -1 ? 'any' : String(kind.tag);
    if (tag)
        return [
            `${label} · tag ${tag}`,
            `${label} · ${tag}`,
            `${narrow} · ${tag}`,
            `${narrow} ${tag}`,
            narrow,
        ];
    return [kind.root === null ? label : `${label} · root ${kind.root}`, label, narrow];
}

/** rank and place: how a call is named, and found by its number */
export function numberOf(run: Run, c: number): string {
    return `${run.rank[c]}:${run.number(c)}`;
}

export function sitePlace(run: Run, c: number): string {
    return placeOf(run.trace.site(run.kind(c).site));
}

export function waitsFor(w: Waiting): string {
    if (w.finished) return 'has finished';
    if (!w.ranks.length) return w.polling ? 'polls' : 'waits';
    const verb = w.polling ? 'polls for' : 'waits for';
    const ranks =
        w.ranks.length > 8
            ? `${w.ranks.slice(0, 8).join(', ')} and ${w.ranks.length - 8} more`
            : listed(w.ranks, w.needs === 'any' ? 'or' : 'and');
    if (w.ranks.length === 1) return w.ranks[0] === w.rank ? `${verb} itself` : `${verb} rank ${ranks}`;
    return `${verb} ${w.needs === 'any' ? 'any of ' : ''}ranks ${ranks}`;
}

/** What became of a call, in a few words. */
export function fate(run: Run, c: number): string {
    const partners = run.partners(c);
    const kind = run.kind(c);
    switch (run.state(c)) {
        case 'blocked':
        case 'polling':
        case 'finished':
            return waitsFor(run.waitingAt(c)!);
        case 'matched':
            if (kind.op === 'collective')
                return partners.length > 3
                    ? `with ${partners.length} other ranks`
                    : partners.length
                      ? `with ${listed(partners.map(p => `rank ${run.rank[p]}`))}`
                      : 'alone';
            return partners
                .map(
                    p => `${kind.op === 'send' ? 'received by' : 'takes the message of'} ${numberOf(run, p)}`,
                )
                .join(', ');
        case 'pending':
            return 'not complete';
        case 'unmatched':
            return 'never matched';
        case 'open':
            return 'not matched so far';
        default:
            return '';
    }
}

export function describe(run: Run, c: number): string {
    return [
        `call ${run.number(c)} of rank ${run.rank[c]}`,
        run.kind(c).label,
        sitePlace(run, c),
        fate(run, c),
    ]
        .filter(Boolean)
        .join(', ');
}

/** The way that a decision went, or could have gone. */
export function wayOf(tree: Tree, choice: number, taken: number): string {
    const { trace } = tree;
    const a = tree.alternative(choice, taken);
    if (a < 0) return 'is left for later';
    const send = trace.alternative.call[a];
    switch (trace.alternative.what[a] as What) {
        case What.message:
            return send >= 0
                ? `takes the message of rank ${trace.call.rank[send]}`
                : `takes message ${taken}`;
        case What.notYet:
            return 'is told: not yet';
        case What.cancel:
            return 'is cancelled';
        case What.admit:
            return 'comes before other threads';
        default:
            return trace.alternative.positions[a] > 0
                ? `completes ` +
                      `${trace.alternative.positions[a] === 1 ? 'one' : trace.alternative.positions[a]} ` +
                      `of its requests (way ${taken})`
                : `completes (way ${taken})`;
    }
}

/** The same, where there is little room: rank 0 ← 2 */
export function shortWay(tree: Tree, choice: number, taken: number): string {
    const { trace } = tree;
    const call = trace.choice.call[choice],
        a = tree.alternative(choice, taken);
    const who = call < 0 ? '' : `rank ${trace.call.rank[call]} `;
    const send = a < 0 ? -1 : trace.alternative.call[a];
    if (a < 0) return `${who}later`;
    return send >= 0 && trace.alternative.what[a] === What.message
        ? `${who}← ${trace.call.rank[send]}`
        : `${who}${wayOf(tree, choice, taken)}`;
}

/** rank 0, MPI_Recv(from any, tag 0), app.c:12 */
export function choosingCall(tree: Tree, choice: number): string {
    const { trace } = tree;
    const row = trace.choice.call[choice];
    if (row < 0) return 'a call';
    const kind = trace.kind(trace.call.kind[row]);
    return [`rank ${trace.call.rank[row]}`, kind.label, shortPlaceOf(trace.site(kind.site))]
        .filter(Boolean)
        .join(', ');
}

export function decisionNumber(tree: Tree, node: number): number {
    return tree.trace.node.depth[node] + 1;
}

export function criticalSentence(tree: Tree, choice: number, taken: number, otherTaken: number): string {
    const { trace } = tree;
    const row = trace.choice.call[choice];
    const kind = row < 0 ? null : trace.kind(trace.call.kind[row]);
    const who = kind ? `${kind.label} of rank ${trace.call.rank[row]}` : 'a call';
    const place = kind && shortPlaceOf(trace.site(kind.site));
    return (
        `${who}${place ? ` at ${place}` : ''} ${wayOf(tree, choice, taken)}. ` +
        `Where it ${wayOf(tree, choice, otherTaken)} instead, the program finishes.`
    );
}

/** The name of an interleaving, which may have thousands of decisions, where there is little room. */
export function shortName(name: string): string {
    return name.length > 48 ? `${name.slice(0, 28)}…${name.slice(-16)}` : name;
}

/** Places in a text as app.c:17: where there is little room. */
export function withoutFolders(text: string): string {
    return text.replace(/[^\s,[(]*\/(?=[^\s/]+:\d)/g, '');
}

/** The same for what isp itself says. */
export function givenSentence(given: GivenCritical): string {
    const place = given.file
        ? ` at ${given.file.replace(/^.*\//, '')}${given.line ? `:${given.line}` : ''}`
        : '';
    return withoutFolders(
        `${given.call} of rank ${given.rank}${place} ${given.taken}. Where it ${given.alternative} ` +
            `instead, this does not happen.`,
    );
}

export const endingWords: Record<string, string> = {
    finished: 'finishes',
    deadlock: 'deadlock',
    livelock: 'livelock',
    mismatch: 'mismatched collectives',
    died: 'a rank dies',
    killed: 'was killed',
    hang: 'hang',
    unsupported: 'a call that isp cannot model',
    diverged: 'did something else when repeated',
    interrupted: 'was interrupted',
    redundant: 'shown by another interleaving',
    merged: 'goes on as another one',
    unknown: 'unknown',
};
