// SPDX-License-Identifier: BSD-3-Clause
// Everything that the picture shows, as a table: for those who do not see it, and to read. In the order of
// the steps; only the visible rows are there.
import { App } from './app';
import { h } from './dom';
import { WindowedList } from './windowed';
import { fate, numberOf, sitePlace } from './words';

const ROW = 26;
const names = ['call', 'function', 'place', 'what becomes of it'];

export function callTable(app: App): { element: HTMLElement; show: (on: boolean) => void } {
    const head = h(
        'div',
        { class: 'call-row head', role: 'row' },
        ...names.map(name => h('span', { role: 'columnheader' }, name)),
    );
    let shown = false;
    const calls = () => {
        const { run } = app;
        if (!run) return new Int32Array(0);
        const all = app.order === 'issue' ? run.issued : run.inProgramOrder;
        if (app.locked >= 0 && app.order === 'program') return run.rankCalls(app.locked);
        return app.locked >= 0 ? all.filter(c => run.rank[c] === app.locked) : all;
    };
    let order: Int32Array = new Int32Array(0);
    const list: WindowedList = new WindowedList(
        ROW,
        { role: 'grid', 'aria-label': 'calls', class: 'calls', id: 'calls' },
        i => {
            const run = app.run!,
                c = order[i];
            const decision = run.decisionOf(c);
            const could = decision
                ? decision.alternatives
                      .filter(a => a.taken !== decision.taken && a.call >= 0)
                      .map(a => numberOf(run, a.call))
                : [];
            const fateWords = [
                fate(run, c),
                could.length ? `could have taken ${could.join(', ')}` : '',
                app.critical && decision?.node === app.critical.node ? 'critical choice' : '',
            ]
                .filter(Boolean)
                .join('; ');
            return h(
                'div',
                {
                    class: `call-row is-${run.state(c)}${c === app.selected ? ' current' : ''}`,
                    role: 'row',
                    id: `row-${i}`,
                    'aria-rowindex': i + 2,
                    'aria-selected': String(c === app.selected),
                    onclick: () => app.select(c),
                },
                ...[numberOf(run, c), run.kind(c).label, sitePlace(run, c), fateWords].map(text =>
                    h('span', { role: 'gridcell', title: text }, text),
                ),
            );
        },
        head,
    );
    const indexOf = (c: number) =>
        app.order === 'issue' || app.locked >= 0 ? order.indexOf(c) : app.run!.programIndex(c);
    const refresh = () => {
        if (!shown || !app.run) return;
        order = calls();
        list.element.setAttribute('aria-rowcount', String(order.length + 1));
        list.set(order.length);
        follow();
    };
    const follow = () => {
        if (!shown || !app.run || app.selected < 0) return;
        const i = indexOf(app.selected);
        list.element.setAttribute('aria-activedescendant', `row-${i}`);
        if (i >= 0) list.reveal(i);
    };
    app.on(['run', 'order'], refresh);
    app.on(['call'], follow);
    return {
        element: list.element,
        show: on => {
            shown = on;
            refresh();
        },
    };
}
