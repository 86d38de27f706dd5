// SPDX-License-Identifier: BSD-3-Clause
// Where a run that is merged goes on: as an earlier one, from a choice point that had the same state.
import { App } from './app';
import { h, plural } from './dom';
import { Join } from './tree';
import { decisionNumber, shortName } from './words';

const MOST_FINDINGS = 4;

/** 120 interleavings, 24 of them bad */
export function joinCounts(app: App, join: Join): string {
    const bad = join.node < 0 ? 0 : Math.min(app.tree.bad[join.node], join.standsFor);
    const of = bad ? `, ${bad.toLocaleString('en')} of them bad` : '';
    return `${plural(join.standsFor, 'interleaving')}${of}`;
}

/** as in 0.1 */
export function joinName({ tree }: App, join: Join): string {
    return join.node < 0 ? 'not in this page' : `as in ${shortName(tree.name(tree.firstThrough(join.node)))}`;
}

/** as in 0.1 from decision 3 on */
export function joinWords(app: App, join: Join): string {
    return join.node < 0
        ? 'as in an interleaving that this page does not have'
        : `${joinName(app, join)} from decision ${decisionNumber(app.tree, join.node)} on`;
}

function link(text: string, id: string | null, go: () => void): HTMLElement {
    return h('button', { type: 'button', class: 'link', id, onclick: go }, text);
}

/** The first interleaving that ends badly after the end of a node, or -1. */
function firstBad({ tree, trace }: App, node: number): number {
    for (let at = node, steps = 0; at >= 0 && steps < trace.node.rows; steps++) {
        const bad = tree.firstBelow(at, 'bad'),
            join = tree.joins.get(bad);
        if (!join) return bad;
        at = join.node;
    }
    return -1;
}

/** Below the title of the run, if it is merged. */
export function joinPart(app: App): HTMLElement | false {
    const { run, tree, trace } = app;
    const join = run ? tree.joins.get(run.interleaving) : undefined;
    if (!join) return false;
    const goThere = () => {
        app.showInterleaving(tree.firstThrough(join.node));
        const choice = tree.choiceAt[join.node];
        if (choice >= 0) app.select(app.run!.local(trace.choice.call[choice]));
    };
    const bad = firstBad(app, join.node),
        found = join.node < 0 ? [] : tree.findingsBelow(join.node);
    return h(
        'p',
        { class: 'join' },
        h('span', { 'aria-hidden': 'true' }, '↪ '),
        'All ranks are where they were before: from here on ',
        join.node < 0
            ? joinWords(app, join)
            : link(joinWords(app, join).replace('as in ', 'as in interleaving '), 'go-join', goThere),
        `. This run stands for ${joinCounts(app, join)}`,
        bad >= 0 && ', the first is ',
        bad >= 0 && link(shortName(tree.name(bad)), 'go-bad', () => app.showInterleaving(bad)),
        found.length ? '; among them are the first that show ' : '.',
        ...found
            .slice(0, MOST_FINDINGS)
            .flatMap((finding, i) => [
                i ? ', ' : '',
                link(app.findings[finding].rule, null, () => app.showFinding(finding)),
            ]),
        found.length > MOST_FINDINGS ? ` and ${found.length - MOST_FINDINGS} more.` : found.length ? '.' : '',
    );
}
