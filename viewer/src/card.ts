// SPDX-License-Identifier: BSD-3-Clause
// The finding that is looked at, told in the order in which one asks: what is wrong, who waits for whom,
// which choice led here, how to see it again.
import { App } from './app';
import { copyButton, h, plural, replace } from './dom';
import { Finding, placeOf, shortPlaceOf } from './data';
import { severitySign } from './findings';
import { Run } from './run';
import { hasAny, hasKnot, waitForGraph } from './waitfor';
import { decisionNumber, endingWords, shortName, sitePlace, waitsFor, withoutFolders } from './words';

const ROWS = 6;

function waitingTable(app: App, run: Run, all: boolean, more: () => void): HTMLElement {
    const entries = [...run.waiting].sort(
        (a, b) => Number(a.finished) - Number(b.finished) || a.rank - b.rank,
    );
    const shown = all ? entries : entries.slice(0, ROWS);
    return h(
        'div',
        { class: 'waiting' },
        h(
            'table',
            {},
            h('caption', {}, 'Who waits for whom'),
            h(
                'thead',
                { class: 'unseen' },
                h(
                    'tr',
                    {},
                    h('th', { scope: 'col' }, 'rank'),
                    h('th', { scope: 'col' }, 'what it does'),
                    h('th', { scope: 'col' }, 'call'),
                    h('th', { scope: 'col' }, 'place'),
                ),
            ),
            h(
                'tbody',
                {},
                ...shown.map(w => {
                    const c = run.local(w.call);
                    return h(
                        'tr',
                        { class: w.finished ? 'finished' : 'stuck' },
                        h('th', { scope: 'row' }, `rank ${w.rank}`),
                        h('td', {}, h('span', { class: 'state' }, w.finished ? '✓ ' : '■ '), waitsFor(w)),
                        h(
                            'td',
                            {},
                            c >= 0
                                ? h(
                                      'button',
                                      {
                                          type: 'button',
                                          class: 'link',
                                          title: run.kind(c).label,
                                          onclick: () => app.select(c),
                                      },
                                      run.kind(c).call ?? run.kind(c).label,
                                  )
                                : '',
                        ),
                        h(
                            'td',
                            { class: 'place', title: c >= 0 ? sitePlace(run, c) : null },
                            c >= 0 ? shortPlaceOf(run.trace.site(run.kind(c).site)) : '',
                        ),
                    );
                }),
            ),
        ),
        entries.length > shown.length &&
            h(
                'button',
                { type: 'button', class: 'quiet', onclick: more },
                `Show all ${entries.length} ranks`,
            ),
    );
}

function graphOf(run: Run, select: (rank: number) => void): HTMLElement | null {
    const graph = waitForGraph(run.waiting, select);
    if (!graph) return null;
    const big = () => {
        const dialog: HTMLDialogElement = h(
            'dialog',
            { class: 'big', 'aria-label': 'Wait-for graph' },
            h('button', { type: 'button', class: 'quiet close', onclick: () => dialog.close() }, 'Close'),
            waitForGraph(run.waiting, rank => {
                dialog.close();
                select(rank);
            }),
        );
        dialog.addEventListener('close', () => dialog.remove());
        document.body.append(dialog);
        dialog.showModal();
    };
    const legend = [
        hasKnot(run.waiting) ? 'red: each waits for the next, around a circle' : '',
        hasAny(run.waiting) ? 'dashed: any of these would do' : '',
    ]
        .filter(Boolean)
        .join('; ');
    return h(
        'figure',
        { class: 'wait-figure' },
        graph,
        h(
            'figcaption',
            {},
            legend,
            legend ? ' ' : '',
            run.trace.result.ranks > 6 &&
                h('button', { type: 'button', class: 'quiet', onclick: big }, 'Enlarge'),
        ),
    );
}

/** What the story says beside the table and the critical choice: near misses, who took a message. */
function moreOfStory(finding: Finding, told: boolean): HTMLElement | null {
    const lines = (finding.story ?? '')
        .split('\n')
        .filter(line => line && !(finding.critical && /^\s*(critical choice:|if instead )/.test(line)));
    const rest = told ? lines.filter(line => !/^\s*ranks? \d/.test(line)) : lines;
    return rest.length
        ? h(
              'div',
              { class: `story${told ? ' prose' : ''}` },
              ...rest.map(line => h('p', { title: line }, told ? withoutFolders(line) : line)),
          )
        : null;
}

function criticalPart(app: App): HTMLElement | null {
    const critical = app.finding >= 0 ? app.criticalOfFinding(app.finding) : app.critical;
    if (!critical) return null;
    const own = app.finding >= 0 ? app.tree.interleavingOf(app.findings[app.finding]) : app.run!.interleaving;
    const goThere = () => {
        app.showInterleaving(own);
        app.select(app.run!.local(app.trace.choice.call[critical.choice]));
    };
    const goOther = () => {
        const { choice } = critical;
        app.showInterleaving(critical.interleaving);
        if (choice >= 0) app.select(app.run!.local(app.trace.choice.call[choice]));
    };
    return h(
        'div',
        { class: 'critical-part' },
        h('h3', {}, h('span', { class: 'diamond', 'aria-hidden': 'true' }, '◆ '), 'The critical choice'),
        h(
            'p',
            {},
            critical.node >= 0 ? `Decision ${decisionNumber(app.tree, critical.node)}: ` : '',
            critical.sentence,
            ' ',
            critical.choice >= 0 &&
                h(
                    'button',
                    { type: 'button', class: 'quiet', id: 'go-critical', onclick: goThere },
                    'Show the choice',
                ),
            critical.interleaving >= 0 &&
                h(
                    'button',
                    { type: 'button', class: 'quiet', id: 'go-other', onclick: goOther },
                    `Show interleaving ${shortName(app.tree.name(critical.interleaving))} instead`,
                ),
        ),
    );
}

function commandPart(kind: string, says: string, command: string): HTMLElement {
    return h(
        'span',
        { class: `command ${kind}` },
        h('span', { class: 'muted' }, says),
        h('code', {}, command),
        copyButton(command, `the ${kind} command`),
    );
}

function replayPart(finding: Finding): HTMLElement | null {
    return finding.replay ? commandPart('replay', 'Run it again: ', finding.replay) : null;
}

function debugPart(finding: Finding): HTMLElement | null {
    return finding.debug ? commandPart('debug', 'Stand there: ', finding.debug) : null;
}

function lost(finding: Finding): string {
    if (finding.interleaving === null) return 'It belongs to no single interleaving.';
    return `It is in interleaving ${shortName(finding.interleaving)}, which is not in this page.`;
}

/** What `count` of a finding counts depends on its rule. */
function others(finding: Finding): string {
    if (finding.count < 2 || finding.rule.startsWith('leak-')) return '';
    if (finding.rule === 'wildcard')
        return `, the first with one of its ${finding.count.toLocaleString('en')} choice points`;
    return `, the first of ${plural(finding.count, 'interleaving')} that show it`;
}

/** Where the finding's own interleaving is, if another one is shown. */
function placePart(app: App, finding: Finding): HTMLElement {
    const own = app.tree.interleavingOf(finding);
    const where =
        own < 0
            ? lost(finding)
            : `In interleaving ${shortName(finding.interleaving!)}` +
              `${finding.buffered ? ' with buffered sends' : ''}${others(finding)}.`;
    return h(
        'span',
        { class: 'muted' },
        where,
        ' ',
        own >= 0 &&
            app.run?.interleaving !== own &&
            h(
                'button',
                { type: 'button', class: 'link', onclick: () => app.showFinding(app.finding) },
                'Go to it',
            ),
    );
}

export function findingCard(app: App): HTMLElement {
    const card = h('section', { class: 'card', 'aria-label': 'The finding' });
    let all = false;
    const draw = () => {
        const { run } = app;
        const finding = app.findings[app.finding];
        if (!finding) {
            card.className = 'card none';
            replace(
                card,
                h(
                    'h2',
                    {},
                    app.findings.length ? 'No finding is selected' : 'Nothing is wrong in what was explored',
                ),
            );
            return;
        }
        const own = app.tree.interleavingOf(finding);
        const here = run !== null && run.interleaving === own;
        const stuck =
            here &&
            run.waiting.some(w => !w.finished) &&
            !['wildcard', 'irrelevant-barrier'].includes(finding.rule);
        const message = finding.message.startsWith(`${finding.rule}: `)
            ? finding.message.slice(finding.rule.length + 2)
            : finding.message;
        card.className = `card ${finding.severity}`;
        const selectRank = (rank: number) => {
            const c = run!.waitsIn(rank) >= 0 ? run!.waitsIn(rank) : run!.at(rank, run!.laneLength(rank) - 1);
            app.select(c);
        };
        replace(
            card,
            h(
                'p',
                { class: 'kicker' },
                h('span', { class: 'sign', 'aria-hidden': 'true' }, severitySign[finding.severity]),
                h('span', {}, `${finding.severity}: ${finding.rule}`),
                h('span', { class: 'place' }, placeOf(finding.sites[0] ?? null)),
            ),
            h(
                'h2',
                { class: 'sentence' },
                message.charAt(0).toUpperCase() + message.slice(1),
                /[.!?]$/.test(message) ? '' : '.',
            ),
            h(
                'div',
                { class: 'card-body' },
                h(
                    'div',
                    { class: 'card-text' },
                    stuck &&
                        waitingTable(app, run, all, () => {
                            all = true;
                            draw();
                        }),
                    moreOfStory(finding, stuck),
                ),
                stuck && graphOf(run, selectRank),
            ),
            criticalPart(app),
            h('p', { class: 'card-foot' }, replayPart(finding), debugPart(finding), placePart(app, finding)),
        );
    };
    app.on(['finding', 'run'], draw);
    draw();
    return card;
}

export function interleavingTitle(app: App): string {
    const { run } = app;
    if (!run) return '';
    const ending = app.trace.ending(run.interleaving);
    return (
        `Interleaving ${shortName(app.tree.name(run.interleaving))}` +
        `${app.trace.interleaving.buffered[run.interleaving] ? ' (buffered sends)' : ''}: ` +
        `${endingWords[ending] ?? ending}`
    );
}
