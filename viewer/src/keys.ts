// SPDX-License-Identifier: BSD-3-Clause
// Keys, and the dialog that lists them. Single letters can be switched off, since they are in the way of
// those who speak to their computer.
import { App } from './app';
import { h } from './dom';
import { neighbour, stepCall } from './steps';
import { Actions } from './toolbar';

interface Key {
    keys: string[];
    words: string;
    act: () => void;
    inDiagram?: boolean;
}

function remembered(name: string): string | null {
    try {
        return localStorage.getItem(name);
    } catch {
        return null;
    }
}

function remember(name: string, value: string): void {
    try {
        localStorage.setItem(name, value);
    } catch {
        /* pages from disk may have no storage: then it holds until the page is closed */
    }
}

export function switchTheme(): void {
    const root = document.documentElement;
    const dark = root.dataset.theme
        ? root.dataset.theme === 'dark'
        : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    remember('isp-theme', root.dataset.theme);
    document.dispatchEvent(new Event('isp-theme'));
}

export function restoreTheme(): void {
    const theme = remembered('isp-theme');
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
}

export function installKeys(
    app: App,
    actions: Actions,
    events: {
        before: () => void;
        allBefore: () => void;
        table: () => void;
        zoom: (factor: number) => void;
        fit: () => void;
    },
): { openHelp: () => void } {
    const rank = (step: 1 | -1) => () => {
        const c = neighbour(app, step);
        if (c >= 0) app.select(c);
    };
    const along = (step: 1 | -1) => () => {
        const c =
            app.run && app.selected >= 0 && app.order === 'program'
                ? app.run.at(app.run.rank[app.selected], app.run.place[app.selected] + step)
                : stepCall(app, step);
        if (c >= 0) app.select(c);
    };
    const focus = (id: string) => () => document.getElementById(id)?.focus();
    const keys: Key[] = [
        {
            keys: ['j'],
            words: 'next call (in program or issue order; of the locked rank)',
            act: actions.next,
        },
        { keys: ['k'], words: 'previous call', act: actions.previous },
        {
            keys: ['ArrowRight', 'ArrowLeft'],
            words: 'next, previous call of the same rank',
            act: along(1),
            inDiagram: true,
        },
        {
            keys: ['ArrowUp', 'ArrowDown'],
            words: 'to the neighbouring rank',
            act: rank(1),
            inDiagram: true,
        },
        { keys: ['Home', 'End'], words: 'first, last call', act: actions.first, inDiagram: true },
        { keys: ['m'], words: 'next match', act: actions.nextMatch },
        { keys: ['M'], words: 'previous match', act: actions.previousMatch },
        { keys: ['p'], words: 'partner: the other side of the match', act: actions.partner },
        { keys: ['c'], words: 'the critical choice', act: actions.critical },
        { keys: ['g'], words: 'go to a call by its number', act: focus('goto') },
        { keys: ['o'], words: 'program order or issue order', act: actions.order },
        { keys: ['l'], words: 'lock the steps to this rank, or release them', act: actions.lock },
        { keys: ['x'], words: 'collapse this rank, or show it', act: actions.collapse },
        { keys: ['X'], words: 'show all ranks', act: actions.showAll },
        { keys: ['e'], words: 'equal ranks as one lane, or each as its own', act: actions.group },
        { keys: ['+'], words: 'zoom in', act: () => events.zoom(1.5) },
        { keys: ['-'], words: 'zoom out', act: () => events.zoom(1 / 1.5) },
        { keys: ['0'], words: 'all of the time', act: events.fit },
        { keys: ['d'], words: 'beside the nearest good interleaving', act: actions.compare },
        { keys: ['r'], words: 'the finding small, or whole', act: actions.read },
        { keys: ['b'], words: 'matches-before: right before and after', act: events.before },
        { keys: ['h'], words: 'happens-before: all before and after', act: events.allBefore },
        { keys: [']'], words: 'next interleaving', act: actions.nextRun },
        { keys: ['['], words: 'previous interleaving', act: actions.previousRun },
        { keys: ['f'], words: 'next interleaving with a finding', act: actions.nextMarked },
        { keys: ['F'], words: 'previous interleaving with a finding', act: actions.previousMarked },
        { keys: ['a'], words: 'picture or table', act: events.table },
        {
            keys: ['/'],
            words: 'filter the findings',
            act: () => {
                document.querySelector<HTMLDetailsElement>('details.filter')?.setAttribute('open', '');
                focus('finding-text')();
            },
        },
        { keys: ['t'], words: 'light or dark', act: switchTheme },
        { keys: ['?'], words: 'this list', act: () => openHelp() },
    ];
    const inDiagram: Record<string, () => void> = {
        ArrowRight: along(1),
        ArrowLeft: along(-1),
        ArrowUp: rank(-1),
        ArrowDown: rank(1),
        Home: actions.first,
        End: actions.last,
    };
    const inTable: Record<string, string> = {
        ArrowDown: 'ArrowRight',
        ArrowUp: 'ArrowLeft',
        ArrowRight: 'ArrowDown',
        ArrowLeft: 'ArrowUp',
    };
    const letters = h('input', { type: 'checkbox', id: 'letters' });
    letters.checked = remembered('isp-letters') !== 'off';
    letters.addEventListener('change', () => remember('isp-letters', letters.checked ? 'on' : 'off'));

    const dialog: HTMLDialogElement = h(
        'dialog',
        { class: 'help', 'aria-label': 'Keys and signs' },
        h(
            'div',
            { class: 'dialog-head' },
            h('h2', {}, 'Keys'),
            h('button', { type: 'button', class: 'quiet close', onclick: () => dialog.close() }, 'Close'),
        ),
        h(
            'dl',
            { class: 'keys' },
            ...keys.flatMap(({ keys: names, words }) => [
                h(
                    'dt',
                    {},
                    ...names.flatMap((name, i) => [i ? ' ' : '', h('kbd', {}, name.replace(/^Arrow/, ''))]),
                ),
                h('dd', {}, words),
            ]),
        ),
        h(
            'p',
            {},
            h(
                'label',
                {},
                letters,
                ' single letters are keys (off: only those in the picture, the tree and the lists)',
            ),
        ),
        h('h2', {}, 'Signs'),
        h(
            'dl',
            { class: 'keys signs' },
            ...(
                [
                    ['solid arrow', 'a message: from its send to the receive that took it'],
                    ['band', 'a collective, over the ranks that took part'],
                    ['◆', 'a choice: a wildcard, or MPI_Waitany and the like, that could go several ways'],
                    ['dashed arrow', 'a message that the choice could have taken instead'],
                    ['critical choice', 'the last decision that could still have led to a good end'],
                    [
                        '■',
                        'the rank waits here, and for ever; the dotted red arrow leads to where the ' +
                            'awaited rank is',
                    ],
                    ['broken arrow', 'a send and a receive that nearly matched, and what differs'],
                    ['0-14 ×15', 'a lane for ranks that do the same (≈: that do alike); a click shows each'],
                    ['↻ 19 more', 'a loop: the same columns so many more times; a click shows some'],
                    ['○', 'an operation that was never matched, or is not complete'],
                    ['↻', 'the rank polls'],
                ] as const
            ).flatMap(([sign, words]) => [h('dt', {}, sign), h('dd', {}, words)]),
        ),
    );
    document.body.append(dialog);
    const openHelp = () => {
        if (!dialog.open) dialog.showModal();
    };

    document.addEventListener('keydown', event => {
        const target = event.target as Element;
        if (
            event.ctrlKey ||
            event.metaKey ||
            event.altKey ||
            target.closest('input, select, textarea, dialog')
        )
            return;
        const near = target.closest('.diagram, #calls');
        /* in the table, where calls are one below the other, the arrows follow the rows */
        const key_ = target.closest('#calls') ? (inTable[event.key] ?? event.key) : event.key;
        const arrow = inDiagram[key_];
        if (arrow && (near || target === document.body)) {
            arrow();
            event.preventDefault();
            return;
        }
        if (event.key !== '?' && !letters.checked) return;
        const key = keys.find(entry => !entry.inDiagram && entry.keys.includes(event.key));
        if (!key) return;
        key.act();
        event.preventDefault();
    });
    return { openHelp };
}
