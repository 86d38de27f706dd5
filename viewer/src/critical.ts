// SPDX-License-Identifier: BSD-3-Clause
// The critical choice: the last decision on the way of an interleaving that could have gone otherwise, to an
// explored interleaving that ends well. Below it none does: with that decision its fate was sealed. A finding
// brings its own (docs/result.md); of other interleavings it is looked for in the tree.
import { Finding } from './data';
import { moodOf, Tree } from './tree';
import { criticalSentence, givenSentence } from './words';

export interface Critical {
    /** the node that the choice ends, and the way that the interleaving goes from there */
    node: number;
    choice: number;
    taken: number;
    /** another way from there, and an interleaving that it leads to: -1 if the page does not have it */
    otherTaken: number;
    interleaving: number;
    sentence: string;
}

export function criticalOf(tree: Tree, interleaving: number): Critical | null {
    const { node, interleaving: rows } = tree.trace;
    if (interleaving < 0 || moodOf(tree.trace.ending(interleaving)) !== 'bad') return null;
    for (let n = rows.node[interleaving]; node.parent[n] >= 0; n = node.parent[n]) {
        const parent = node.parent[n];
        const choice = tree.choiceAt[parent];
        const other = tree.children(parent).find(m => m !== n && tree.fine[m] > 0);
        if (choice < 0 || other === undefined) continue;
        const taken = node.taken[n],
            otherTaken = node.taken[other];
        return {
            node: parent,
            choice,
            taken,
            otherTaken,
            interleaving: tree.firstBelow(other, 'fine'),
            sentence: criticalSentence(tree, choice, taken, otherTaken),
        };
    }
    return null;
}

/** That of a finding whose first interleaving is this one. */
export function criticalOfFinding(tree: Tree, finding: Finding, interleaving: number): Critical | null {
    const given = finding.critical;
    if (given === undefined) return criticalOf(tree, interleaving);
    if (given === null) return null;
    const { node, interleaving: rows } = tree.trace;
    const path = interleaving < 0 ? [] : tree.path(rows.node[interleaving]);
    const at = path[given.decision] ?? -1;
    const choice = at < 0 ? -1 : tree.choiceAt[at];
    const other = tree.interleavingNamed(given.interleaving, finding.buffered);
    const next = other < 0 ? undefined : tree.path(rows.node[other])[given.decision + 1];
    return {
        node: at,
        choice,
        taken: choice < 0 ? -1 : node.taken[path[given.decision + 1]],
        otherTaken: next === undefined ? -1 : node.taken[next],
        interleaving: other,
        sentence: givenSentence(given),
    };
}
