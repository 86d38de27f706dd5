// SPDX-License-Identifier: BSD-3-Clause
// The finding that is looked at, told in the order in which one asks: what is wrong, who waits for whom,
// which choice led here, how to see it again.
import { App } from './app';
import { copyButton, h, plural, replace } from './dom';
import { Finding, Result, headlineOf, placeOf, shortPlaceOf } from './data';
import { severitySign } from './findings';
import { rangesOf } from './alike';
import { Run } from './run';
import { waitGroups } from './waiting';
import { hasAny, hasKnot, waitForGraph } from './waitfor';
import { decisionNumber, endingWords, shortName, sitePlace, withoutFolders } from './words';

const ROWS = 6,
    MOST_WAYS = 8;

/** app.c:12 work */
function placeWords(run: Run, c: number): string {
    const site = run.trace.site(run.kind(c).site);
    return `${shortPlaceOf(site)} ${site?.file ? (site.function ?? '') : ''}`.trim();
}

function waitingTable(app: App, run: Run, all: boolean, more: () => void): HTMLElement {
    const groups = waitGroups(run);
    const shown = all ? groups : groups.slice(0, ROWS);
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
                ...shown.map(({ waits: [w], ranks, words }) => {
                    const c = run.local(w.call);
                    return h(
                        'tr',
                        { class: w.finished ? 'finished' : 'stuck' },
                        h(
                            'th',
                            { scope: 'row', title: rangesOf(ranks) },
                            ranks.length > 1 ? `ranks ${rangesOf(ranks, 16)}` : `rank ${w.rank}`,
                        ),
                        h('td', {}, h('span', { class: 'state' }, w.finished ? '✓ ' : '■ '), words),
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
                                      run.kind(c).label,
                                  )
                                : '',
                        ),
                        h(
                            'td',
                            { class: 'place', title: c >= 0 ? sitePlace(run, c) : null },
                            c >= 0 ? placeWords(run, c) : '',
                        ),
                    );
                }),
            ),
        ),
        groups.length > shown.length &&
            h('button', { type: 'button', class: 'quiet', onclick: more }, `Show all ${groups.length}`),
    );
}

function graphOf(run: Run, select: (rank: number) => void): HTMLElement | null {
    const graph = waitForGraph(run, select);
    if (!graph) return null;
    const big = () => {
        const dialog: HTMLDialogElement = h(
            'dialog',
            { class: 'big', 'aria-label': 'Wait-for graph' },
            h('button', { type: 'button', class: 'quiet close', onclick: () => dialog.close() }, 'Close'),
            waitForGraph(run, rank => {
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
function others(finding: Finding, result: Result): string {
    if (finding.count < 2 || finding.rule.startsWith('leak-')) return '';
    if (finding.rule === 'wildcard')
        return `, the first with one of its ${finding.count.toLocaleString('en')} choice points`;
    const { interleavings, buffered_interleavings, complete } = result;
    return finding.count === (finding.buffered ? buffered_interleavings : interleavings)
        ? `, the first of all ${plural(finding.count, 'interleaving')}${complete ? '' : ' so far'}`
        : `, the first of ${plural(finding.count, 'interleaving')} that show it`;
}

/** How the program came to the calls, where that is known and they are in a wrapper. */
function callersPart(finding: Finding): HTMLElement | null {
    const ways = finding.sites
        .filter(site => site.shown && (site.stack?.length ?? 0) > 1)
        .map(({ call, stack }) => {
            const frames = stack!.map(frame =>
                `${shortPlaceOf({ ...frame, rank: null, call: null })} ${frame.function ?? ''}`.trim(),
            );
            return `${call ?? 'the access'}: ${frames[0]}, called from ${frames.slice(1).join(', from ')}`;
        });
    const different = [...new Set(ways)];
    return different.length
        ? h(
              'div',
              { class: 'story prose callers' },
              ...different.slice(0, MOST_WAYS).map(way => h('p', {}, way)),
              different.length > MOST_WAYS && h('p', {}, `... and ${different.length - MOST_WAYS} more ways`),
          )
        : null;
}

function explainPart(finding: Finding): HTMLElement {
    return commandPart('explain', 'What it means, and how to fix it: ', `isp explain ${finding.rule}`);
}

/** Where the finding's own interleaving is, if another one is shown. */
function placePart(app: App, finding: Finding): HTMLElement {
    const own = app.tree.interleavingOf(finding);
    const where =
        own < 0
            ? lost(finding)
            : `In interleaving ${shortName(finding.interleaving!)}` +
              `${finding.buffered ? ' with buffered sends' : ''}` +
              `${finding.predicted ? ', which was predicted and run besides' : ''}` +
              `${others(finding, app.trace.result)}.`;
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

/** As a sentence, without the rule. */
export function messageOf({ message, rule }: Finding): string {
    const own = message.startsWith(`${rule}: `) ? message.slice(rule.length + 2) : message;
    return own.charAt(0).toUpperCase() + own.slice(1) + (/[.!?]$/.test(own) ? '' : '.');
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
        card.className = `card ${finding.severity}`;
        const selectRank = (rank: number) => {
            const c = run!.waitsIn(rank) >= 0 ? run!.waitsIn(rank) : run!.at(rank, run!.laneLength(rank) - 1);
            app.select(c);
        };
        const small = app.read.has(app.finding);
        card.classList.toggle('small', small);
        replace(
            card,
            h(
                'div',
                { class: 'card-head' },
                h(
                    'p',
                    { class: 'kicker' },
                    h('span', { class: 'sign', 'aria-hidden': 'true' }, severitySign[finding.severity]),
                    h('span', { class: 'unseen' }, `${finding.severity}: `),
                    h('span', {}, finding.rule),
                ),
                h('h2', { class: 'sentence' }, messageOf(finding)),
                h(
                    'span',
                    { class: 'place', title: placeOf(headlineOf(finding)) },
                    shortPlaceOf(headlineOf(finding)),
                ),
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'quiet fold',
                        id: 'fold-finding',
                        'aria-expanded': String(!small),
                        title: 'the finding small, or whole (r)',
                        onclick: () => {
                            app.setRead(app.finding, !small);
                            document.getElementById('fold-finding')?.focus();
                        },
                    },
                    small ? 'More ▾' : 'Less ▴',
                ),
            ),
            !small &&
                h(
                    'div',
                    { class: 'card-body' },
                    h(
                        'div',
                        { class: 'card-left' },
                        stuck &&
                            waitingTable(app, run, all, () => {
                                all = true;
                                draw();
                            }),
                        h(
                            'div',
                            { class: 'card-foot' },
                            replayPart(finding),
                            debugPart(finding),
                            explainPart(finding),
                            placePart(app, finding),
                        ),
                    ),
                    h(
                        'div',
                        { class: 'card-text' },
                        criticalPart(app),
                        moreOfStory(finding, stuck),
                        callersPart(finding),
                    ),
                    stuck && graphOf(run, selectRank),
                ),
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
