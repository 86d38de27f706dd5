// SPDX-License-Identifier: BSD-3-Clause
// The buttons above the picture: steps, and what they are bound to. Keys (keys.ts) do the same.
import { App, Order } from './app';
import { h, replace } from './dom';
import { FEW_RANKS } from './alike';
import { hasGoodOne } from './compare';
import { joinPart } from './joined';
import { interleavingTitle } from './card';
import {
    callByNumber,
    criticalCall,
    endCall,
    partnerOf,
    stepCall,
    stepInterleaving,
    stepMatch,
} from './steps';
import { scrubber } from './scrubber';
import { numberOf } from './words';

export interface Actions {
    [name: string]: () => void;
}

export function actionsOf(app: App): Actions {
    const go = (c: number, none: string) => (c >= 0 ? app.select(c) : app.say(none));
    const run = (i: number, none: string) => (i >= 0 ? app.showInterleaving(i) : app.say(none));
    return {
        next: () => go(stepCall(app, 1), 'this is the last call'),
        previous: () => go(stepCall(app, -1), 'this is the first call'),
        nextMatch: () => go(stepMatch(app, 1), 'there is no later match'),
        previousMatch: () => go(stepMatch(app, -1), 'there is no earlier match'),
        partner: () => go(partnerOf(app), 'this call has no partner'),
        critical: () => go(criticalCall(app), 'this interleaving has no critical choice'),
        first: () => go(endCall(app, 'first'), 'there is no call'),
        last: () => go(endCall(app, 'last'), 'there is no call'),
        nextRun: () => run(stepInterleaving(app, 1, false), 'this is the last interleaving'),
        previousRun: () => run(stepInterleaving(app, -1, false), 'this is the first interleaving'),
        nextMarked: () => run(stepInterleaving(app, 1, true), 'no later interleaving has a finding'),
        previousMarked: () => run(stepInterleaving(app, -1, true), 'no earlier interleaving has a finding'),
        lock: () => app.lock(app.locked >= 0 || app.selected < 0 ? -1 : app.run!.rank[app.selected]),
        order: () => app.setOrder(app.order === 'program' ? 'issue' : 'program'),
        collapse: () => {
            if (app.run && app.selected >= 0) app.toggleRank(app.run.rank[app.selected]);
        },
        showAll: () => app.showAllRanks(),
        group: () => app.groupRanks(app.opened === null || app.opened.size > 0),
        compare: () => (hasGoodOne(app) ? app.compare(!app.comparing) : app.say('there is no good one')),
        read: () => {
            if (app.finding >= 0) app.setRead(app.finding, !app.read.has(app.finding));
        },
    };
}

export interface Zoom {
    by: (factor: number) => void;
    fit: () => void;
}

export function toolbar(
    app: App,
    actions: Actions,
    zoom: Zoom,
    toggleTable: (on: boolean) => void,
): HTMLElement {
    const button = (action: string, label: string, title: string, key: string) =>
        h(
            'button',
            {
                type: 'button',
                'data-action': action,
                title: `${title} (${key})`,
                'aria-label': title,
                onclick: () => actions[action](),
            },
            label,
        );
    const title = h('h2', { class: 'run-title' });
    const join = h('div', {});
    const order = h(
        'select',
        { id: 'order', 'aria-label': 'order of steps' },
        h('option', { value: 'program' }, 'program order'),
        h('option', { value: 'issue' }, 'issue order'),
    );
    order.addEventListener('change', () => app.setOrder(order.value as Order));
    const locked = h(
        'select',
        { id: 'lock', 'aria-label': 'rank that steps are locked to' },
        h('option', { value: -1 }, 'all ranks'),
        ...Array.from({ length: app.trace.result.ranks }, (_, r) =>
            h('option', { value: r }, `only rank ${r}`),
        ),
    );
    locked.addEventListener('change', () => {
        app.lock(Number(locked.value));
        if (app.run && app.locked >= 0 && app.run.rank[app.selected] !== app.locked)
            app.select(app.run.at(app.locked, 0));
    });
    const goto = h('input', {
        id: 'goto',
        type: 'text',
        size: 7,
        placeholder: 'rank:call',
        'aria-label': 'go to a call by its number, as rank:call',
        title: 'go to a call by its number (g)',
        autocomplete: 'off',
    });
    goto.addEventListener('keydown', event => {
        if (event.key !== 'Enter') return;
        const c = callByNumber(app, goto.value);
        goto.setAttribute('aria-invalid', String(c < 0));
        if (c >= 0) app.select(c);
        else app.say(`there is no call ${goto.value}`);
    });
    const position = h('span', { class: 'muted position' });
    const table = h(
        'button',
        { type: 'button', id: 'as-table', 'aria-pressed': 'false', title: 'the same as a table' },
        'Table',
    );
    table.addEventListener('click', () => {
        const on = table.getAttribute('aria-pressed') !== 'true';
        table.setAttribute('aria-pressed', String(on));
        toggleTable(on);
    });
    const ranks = h('span', { class: 'group' });
    const draw = () => {
        const { run, selected } = app;
        title.textContent = interleavingTitle(app);
        replace(join, joinPart(app));
        title.className = `run-title${run && app.tree.isMarked(run.interleaving) ? ' bad' : ''}`;
        order.value = app.order;
        locked.value = String(app.locked);
        position.textContent = run && selected >= 0 ? `call ${numberOf(run, selected)}` : '';
        replace(
            ranks,
            app.collapsed.size > 0 &&
                h(
                    'button',
                    { type: 'button', 'data-action': 'showAll', onclick: actions.showAll },
                    `Show ${app.collapsed.size} collapsed`,
                ),
        );
        groupButton.setAttribute('aria-pressed', String(app.opened !== null && app.opened.size === 0));
        compareButton.hidden = !hasGoodOne(app);
        compareButton.setAttribute('aria-pressed', String(app.comparing));
        criticalButton.disabled = criticalCall(app) < 0;
        partnerButton.disabled = partnerOf(app) < 0;
    };
    const criticalButton = button('critical', '◆ Critical choice', 'to the critical choice', 'c');
    const partnerButton = button('partner', '⇄ Partner', 'to the partner of this call', 'p');
    const groupButton = button('group', 'Group ranks', 'equal ranks as one lane', 'e');
    groupButton.hidden = app.trace.result.ranks <= FEW_RANKS;
    const compareButton = button('compare', 'Beside a good one', 'beside the nearest good interleaving', 'd');
    const zooms = h(
        'span',
        { class: 'group zoom' },
        ...(
            [
                ['−', 'zoom out (-)', () => zoom.by(1 / 1.5)],
                ['+', 'zoom in (+)', () => zoom.by(1.5)],
                ['All', 'all of the time (0)', zoom.fit],
            ] as const
        ).map(([label, title, onclick]) =>
            h('button', { type: 'button', title, 'aria-label': title, onclick }, label),
        ),
    );
    const several = app.trace.interleaving.rows > 1;
    app.on(['run', 'call', 'order', 'lanes', 'compare'], draw);
    const bar = h(
        'div',
        { class: 'toolbar', role: 'toolbar', 'aria-label': 'steps' },
        h(
            'span',
            { class: 'group' },
            button('first', '⇤', 'first call', 'Home'),
            button('previous', '◀', 'previous call', 'k'),
            button('next', '▶', 'next call', 'j'),
            button('last', '⇥', 'last call', 'End'),
        ),
        h(
            'span',
            { class: 'group' },
            button('previousMatch', '◀ Match', 'previous match', 'M'),
            button('nextMatch', 'Match ▶', 'next match', 'm'),
            partnerButton,
            criticalButton,
        ),
        h('span', { class: 'group' }, order, locked, goto, position),
        h('span', { class: 'group' }, groupButton, ranks),
        zooms,
    );
    draw();
    return h(
        'div',
        { class: 'run-head' },
        h(
            'div',
            { class: 'run-line' },
            title,
            several &&
                h(
                    'span',
                    { class: 'group' },
                    button('previousRun', '◀', 'previous interleaving', '['),
                    button('nextRun', '▶', 'next interleaving', ']'),
                    button('nextMarked', '✕ ▶', 'next interleaving with a finding', 'f'),
                ),
            scrubber(app),
            h('span', { class: 'group push' }, compareButton, table),
        ),
        join,
        bar,
    );
}
