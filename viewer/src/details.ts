// SPDX-License-Identifier: BSD-3-Clause
// All that is known of the selected call; and, on demand, which calls have to match before and after it.
import { App } from './app';
import { MatchesBefore } from './before';
import { h, listed, plural, replace } from './dom';
import { Kind } from './data';
import { Run } from './run';
import { fate, numberOf, sitePlace, wayOf } from './words';

const MOST_LINKS = 40;

function peerWords(kind: Kind): string | null {
    if (kind.peer === null) return null;
    const name = kind.peer === -2 ? 'any source' : kind.peer === -1 ? 'MPI_PROC_NULL' : `rank ${kind.peer}`;
    return kind.op === 'send' ? `to ${name}` : `from ${name}`;
}

function communicatorWords(run: Run, comm: number): string {
    const there = run.communicator(comm);
    const name =
        comm === 0
            ? 'MPI_COMM_WORLD'
            : comm <= run.trace.result.ranks
              ? `MPI_COMM_SELF of rank ${comm - 1}`
              : `communicator ${comm}`;
    if (!there || comm === 0) return name;
    const side = there.first_side;
    if (side)
        return (
            `${name}: ranks ${listed(there.members.slice(0, side))} on one side, ` +
            `${listed(there.members.slice(side))} on the other`
        );
    return `${name}: ${there.members.length === 1 ? 'rank' : 'ranks'} ${listed(there.members)}`;
}

export function detailsPanel(app: App): HTMLElement {
    const list = h('dl', { class: 'details' });
    const relations = h('div', { class: 'relations' });
    const title = h('h2', {}, 'Call');
    let order: { run: Run; before: MatchesBefore } | null = null;
    const link = (run: Run, c: number) =>
        c < 0
            ? 'a call that is not in this page'
            : h(
                  'button',
                  { type: 'button', class: 'link', onclick: () => app.select(c) },
                  `${numberOf(run, c)} ${run.kind(c).label}`,
              );
    const links = (run: Run, calls: number[]) =>
        h(
            'ul',
            { class: 'links' },
            ...calls.slice(0, MOST_LINKS).map(c => h('li', {}, link(run, c))),
            calls.length > MOST_LINKS && h('li', {}, `and ${calls.length - MOST_LINKS} more`),
        );

    const draw = () => {
        const { run, selected } = app;
        replace(relations);
        if (!run || selected < 0) {
            title.textContent = 'Call';
            replace(list, h('dt', {}, 'nothing'), h('dd', {}, 'no call is selected'));
            return;
        }
        const kind = run.kind(selected),
            site = run.trace.site(kind.site);
        title.textContent = `Call ${numberOf(run, selected)}`;
        const items: (HTMLElement | false | null)[] = [];
        const item = (name: string, ...value: (Node | string | number | null | undefined)[]) => {
            if (value.some(v => v !== null && v !== undefined && v !== ''))
                items.push(h('dt', {}, name), h('dd', {}, ...value));
        };
        item('call', h('code', {}, kind.label));
        item('state', fate(run, selected));
        item('place', sitePlace(run, selected), site?.function ? ` in ${site.function}` : '');
        item('peer', peerWords(kind));
        item('tag', kind.tag === null ? null : kind.tag === -1 && kind.op !== 'send' ? 'any tag' : kind.tag);
        item('root', kind.root === null ? null : `rank ${kind.root}`);
        item('mode', kind.mode);
        item(
            'data',
            [
                kind.data,
                kind.bytes === null
                    ? null
                    : `${kind.op === 'receive' ? 'room for ' : ''}${plural(kind.bytes, 'byte')}`,
            ]
                .filter(Boolean)
                .join(', '),
        );
        item('in', kind.comm === null ? null : communicatorWords(run, kind.comm));
        item('thread', kind.thread || null);
        const partners = run.partners(selected),
            requests = run.requests(selected);
        if (partners.length)
            item(run.isCollective(run.matchOf[selected]) ? 'matches with' : 'partner', links(run, partners));
        if (requests.length) item('requests', links(run, requests));
        const decision = run.decisionOf(selected);
        if (decision)
            item(
                'choice',
                ...[
                    h('span', {}, `It ${wayOf(app.tree, decision.choice, decision.taken)}.`),
                    decision.alternatives.length > 1
                        ? h(
                              'ul',
                              { class: 'links' },
                              ...decision.alternatives
                                  .filter(a => a.taken !== decision.taken)
                                  .map(a =>
                                      h(
                                          'li',
                                          {},
                                          `Also possible: it ${wayOf(app.tree, decision.choice, a.taken)}`,
                                          a.call >= 0 ? ' ' : '',
                                          a.call >= 0 && link(run, a.call),
                                      ),
                                  ),
                          )
                        : null,
                ],
            );
        replace(list, ...items);
        void showAnswers(run, selected);
        replace(
            relations,
            h('h3', {}, 'Matches before'),
            h(
                'p',
                { class: 'actions' },
                h(
                    'button',
                    { type: 'button', id: 'show-before', onclick: showImmediate },
                    'Right before and after',
                ),
                h(
                    'button',
                    { type: 'button', id: 'show-all-before', onclick: showAll },
                    'All before and after',
                ),
                app.related !== null &&
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'quiet',
                            onclick: () => {
                                app.relate(null);
                                draw();
                            },
                        },
                        'Hide',
                    ),
            ),
        );
    };
    const showAnswers = async (run: Run, c: number) => {
        const [answer, position] = await app.trace.answers();
        if (app.run !== run || app.selected !== c) return;
        for (let a = 0; a < answer.rows; a++) {
            if (answer.call[a] !== run.row[c]) continue;
            const positions =
                answer.position[a] < 0
                    ? []
                    : Array.from(
                          position.position.subarray(
                              answer.position[a],
                              answer.position[a] + answer.positions[a],
                          ),
                      );
            const words = [
                answer.flag[a] === 0 ? 'not yet' : answer.flag[a] === 1 ? 'done' : '',
                answer.source[a] >= 0 ? `source ${answer.source[a]}` : '',
                answer.tag[a] >= 0 ? `tag ${answer.tag[a]}` : '',
                answer.bytes[a] >= 0 ? plural(answer.bytes[a], 'byte') : '',
                positions.length
                    ? `${positions.length === 1 ? 'request' : 'requests'} ${listed(positions)}`
                    : '',
            ].filter(Boolean);
            list.append(h('dt', {}, 'answer'), h('dd', {}, words.join(', ')));
            return;
        }
    };
    const relation = (run: Run) => {
        if (order?.run !== run) order = { run, before: new MatchesBefore(run) };
        return order.before;
    };
    const showImmediate = () => {
        const { run, selected } = app;
        if (!run || selected < 0) return;
        const before = relation(run).predecessors(selected),
            after = relation(run).successors(selected);
        app.relate({ before: new Set(before), after: new Set(after) });
        draw();
        relations.append(
            h('h4', {}, 'Right before it'),
            before.length ? links(run, before) : 'nothing',
            h('h4', {}, 'Right after it'),
            after.length ? links(run, after) : 'nothing',
        );
        app.say(`${plural(before.length, 'call')} right before, ${after.length} right after`);
    };
    const showAll = () => {
        const { run, selected } = app;
        if (!run || selected < 0) return;
        const before = relation(run).allBefore(selected),
            after = relation(run).allAfter(selected);
        app.relate({ before: before.calls, after: after.calls });
        draw();
        const words =
            `${plural(before.calls.size, 'call')} before it, ${after.calls.size} after it, ` +
            `through all ranks${before.whole && after.whole ? '' : ' (and more)'}; ` +
            `the others are ordered neither way.`;
        relations.append(h('p', {}, words));
        app.say(words);
    };
    app.on(['call', 'run'], draw);
    const element = h(
        'section',
        { class: 'panel details-panel', 'aria-label': 'Call' },
        title,
        list,
        relations,
    );
    element.addEventListener('isp-before', showImmediate);
    element.addEventListener('isp-all-before', showAll);
    return element;
}

export function outputPanel(app: App): HTMLElement {
    const text = h('pre', { tabindex: 0, 'aria-label': 'output of this interleaving' });
    const panel = h(
        'section',
        { class: 'panel output-panel', 'aria-label': 'Output' },
        h('h2', {}, 'Output of this interleaving'),
        text,
    );
    app.on(['run'], () => {
        const output = app.run ? app.trace.output(app.run.interleaving) : undefined;
        text.textContent =
            output === ''
                ? 'It printed nothing.'
                : (output ?? 'isp did not keep the output of this interleaving; isp replay shows it.');
        text.classList.toggle('muted', !output);
    });
    return panel;
}
