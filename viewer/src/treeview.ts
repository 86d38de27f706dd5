// SPDX-License-Identifier: BSD-3-Clause
// The tree of choices as a tree to open and close, of which only the visible part is there. A row is one way
// out of a choice; ways without a further choice lead to the end of an interleaving. Decisions that nothing
// else was tried for are passed over.
import { App } from './app';
import { h } from './dom';
import { joinCounts, joinName, joinWords } from './joined';
import { moodOf } from './tree';
import { choosingCall, decisionNumber, endingWords, shortName, shortWay, wayOf } from './words';
import { WindowedList } from './windowed';

const ROW = 26,
    OPEN_AT_FIRST = 500,
    DEEPEST_INDENT = 6;

const signs: Record<string, string> = { bad: '✕', warned: '!', fine: '✓', mixed: '◐' };

interface Row {
    /** the first node of this way, and the node where it branches or ends; -1: not explored */ node: number;
    end: number;
    depth: number;
    choice: number;
    taken: number;
    place: number;
    of: number;
}

export function treePanel(app: App): HTMLElement {
    const { tree, trace } = app;
    const open = new Set<number>();
    let rows: Row[] = [],
        active = 0,
        followed = -1;
    const hint = h('p', { class: 'muted decision-hint' });

    const endOf = (node: number) => {
        let at = node;
        for (;;) {
            const children = tree.children(at);
            const others = tree.choiceAt[at] >= 0 ? unexplored(at) : [];
            if (children.length !== 1 || others.length) return at;
            at = children[0];
        }
    };
    const unexplored = (node: number) => {
        const choice = tree.choiceAt[node];
        if (choice < 0) return [];
        const tried = new Set(Array.from(tree.children(node), child => trace.node.taken[child]));
        const [from, to] = tree.alternatives(choice);
        const rest = [];
        for (let a = from; a < to; a++)
            if (!tried.has(trace.alternative.taken[a])) rest.push(trace.alternative.taken[a]);
        return rest;
    };
    const flatten = () => {
        rows = [];
        const stack: Row[] = tree.roots
            .map((node, i) => ({
                node,
                end: endOf(node),
                depth: 0,
                choice: -1,
                taken: 0,
                place: i + 1,
                of: tree.roots.length,
            }))
            .reverse();
        while (stack.length) {
            const row = stack.pop()!;
            rows.push(row);
            if (row.node < 0 || !open.has(row.node)) continue;
            const choice = tree.choiceAt[row.end];
            const children = Array.from(tree.children(row.end)),
                rest = unexplored(row.end);
            const of = children.length + rest.length;
            const ways: Row[] = children.map((node, i) => ({
                node,
                end: endOf(node),
                depth: row.depth + 1,
                choice,
                taken: trace.node.taken[node],
                place: i + 1,
                of,
            }));
            rest.forEach((taken, i) =>
                ways.push({
                    node: -1,
                    end: -1,
                    depth: row.depth + 1,
                    choice,
                    taken,
                    place: children.length + i + 1,
                    of,
                }),
            );
            for (const way of ways.reverse()) stack.push(way);
        }
        list.set(rows.length);
    };
    const words = (row: Row) => {
        if (row.choice < 0 && row.depth === 0)
            return trace.node.buffered[row.node]
                ? 'With buffered sends'
                : tree.roots.length > 1
                  ? 'Without buffering'
                  : 'All interleavings';
        const way = row.choice < 0 ? `way ${row.taken}` : shortWay(tree, row.choice, row.taken);
        return row.depth > DEEPEST_INDENT
            ? `${row.depth}: ${way.replace('rank ', '')}`
            : way; /* beyond it the indent does not tell */
    };
    const counted = (row: Row) => {
        const bad = tree.bad[row.node];
        const all = tree.below[row.node].toLocaleString('en');
        return bad ? `${all}, ${bad.toLocaleString('en')} bad` : all;
    };
    const moodBelow = (row: Row) => {
        const { bad, fine, below } = tree;
        if (bad[row.node]) return bad[row.node] === below[row.node] ? 'bad' : 'mixed';
        return fine[row.node] || !below[row.node] ? 'fine' : 'open';
    };
    const outcome = (row: Row): { text: string; mood: string } => {
        if (row.node < 0) return { text: 'not explored', mood: 'open' };
        const interleaving = tree.endsIn[row.end];
        if (interleaving >= 0 && !tree.children(row.end).length) {
            const ending = trace.ending(interleaving);
            const rules = [...new Set(tree.findingsOf(interleaving).map(f => trace.result.findings[f].rule))];
            const found = tree.severityOf(interleaving);
            const join = tree.joins.get(interleaving);
            if (join)
                return {
                    text: `${counted(row)} · ${joinName(app, join)}`,
                    mood: found === 'error' ? 'bad' : moodBelow(row),
                };
            const shown = rules.filter(rule => rule !== ending).join(', ');
            return {
                text:
                    `${endingWords[ending] ?? ending}${shown ? `, ${shown}` : ''}` +
                    ` · ${shortName(tree.name(interleaving))}`,
                mood:
                    found === 'error' || moodOf(ending) === 'bad'
                        ? 'bad'
                        : found
                          ? 'warned'
                          : tree.mayShowMore(interleaving)
                            ? 'open'
                            : moodOf(ending),
            };
        }
        return { text: counted(row), mood: moodBelow(row) };
    };
    const goesOn = (row: Row) => {
        const join = row.node >= 0 && isLeaf(row) ? tree.joins.get(tree.endsIn[row.end]) : undefined;
        return join ? `, and from there on all is ${joinWords(app, join)}: ${joinCounts(app, join)}` : '';
    };
    const isLeaf = (row: Row) => row.node < 0 || !tree.children(row.end).length;
    const render = (i: number) => {
        const row = rows[i];
        const leaf = isLeaf(row),
            { text, mood } = outcome(row);
        const current = !leaf ? false : row.node >= 0 && tree.endsIn[row.end] === app.run?.interleaving;
        const critical =
            app.critical && row.choice === app.critical.choice && row.taken === app.critical.taken;
        return h(
            'div',
            {
                class:
                    `tree-row mood-${mood}${current ? ' current' : ''}` +
                    `${i === active ? ' active' : ''}${critical ? ' critical' : ''}`,
                role: 'treeitem',
                id: `tree-${i}`,
                'aria-level': row.depth + 1,
                'aria-setsize': row.of,
                'aria-posinset': row.place,
                'aria-expanded': leaf ? null : String(open.has(row.node)),
                'aria-selected': String(current),
                style: `padding-left:${8 + 11 * Math.min(row.depth, DEEPEST_INDENT)}px`,
                title:
                    row.choice >= 0
                        ? `decision ${decisionNumber(tree, trace.choice.node[row.choice])}: ` +
                          `${choosingCall(tree, row.choice)}`
                        : '',
                onclick: () => {
                    active = i;
                    act();
                },
            },
            h('span', { class: 'twist', 'aria-hidden': 'true' }, leaf ? '' : open.has(row.node) ? '▾' : '▸'),
            h('span', { class: 'mood', 'aria-hidden': 'true' }, signs[mood] ?? '·'),
            h('span', { class: 'way' }, words(row), critical ? ' ◆' : ''),
            h('span', { class: 'outcome' }, text),
        );
    };
    const list = new WindowedList(
        ROW,
        { role: 'tree', 'aria-label': 'interleavings by their choices', class: 'tree', id: 'tree' },
        render,
    );
    const focus = () => {
        list.element.setAttribute('aria-activedescendant', `tree-${active}`);
        const row = rows[active];
        hint.textContent =
            row && row.choice >= 0
                ? `Decision ${decisionNumber(tree, trace.choice.node[row.choice])}: ` +
                  `${choosingCall(tree, row.choice)} ${wayOf(tree, row.choice, row.taken)}${goesOn(row)}`
                : '';
    };
    const toggle = (row: Row, to = !open.has(row.node)) => {
        if (isLeaf(row)) return;
        if (to) open.add(row.node);
        else open.delete(row.node);
        flatten();
    };
    const act = () => {
        const row = rows[active];
        if (!row) return;
        if (!isLeaf(row)) toggle(row);
        else if (row.node >= 0 && tree.endsIn[row.end] >= 0) {
            followed = tree.endsIn[row.end];
            app.showInterleaving(followed);
        }
        focus();
        list.refresh();
    };
    const move = (to: number) => {
        active = Math.max(0, Math.min(rows.length - 1, to));
        focus();
        list.reveal(active);
    };
    list.element.addEventListener('keydown', event => {
        const row = rows[active];
        if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
        switch (event.key) {
            case 'ArrowDown':
                move(active + 1);
                break;
            case 'ArrowUp':
                move(active - 1);
                break;
            case 'Home':
                move(0);
                break;
            case 'End':
                move(rows.length - 1);
                break;
            case 'ArrowRight':
                if (!isLeaf(row) && !open.has(row.node)) {
                    toggle(row, true);
                    focus();
                } else move(active + 1);
                break;
            case 'ArrowLeft': {
                if (!isLeaf(row) && open.has(row.node)) {
                    toggle(row, false);
                    break;
                }
                let up = active;
                while (up > 0 && rows[up].depth >= row.depth) up--;
                move(up);
                break;
            }
            case 'Enter':
            case ' ':
                act();
                break;
            default:
                return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    const follow = () => {
        const { run } = app;
        if (run && followed !== run.interleaving) {
            followed = run.interleaving;
            for (const node of tree.path(trace.interleaving.node[run.interleaving])) open.add(node);
            flatten();
            active = Math.max(
                0,
                rows.findIndex(
                    row => row.node >= 0 && isLeaf(row) && tree.endsIn[row.end] === run.interleaving,
                ),
            );
            focus();
            list.reveal(active, true);
        } else list.refresh();
    };
    if (trace.interleaving.rows <= OPEN_AT_FIRST)
        for (let node = 0; node < trace.node.rows; node++) open.add(node);
    else for (const root of tree.roots) open.add(root);
    flatten();
    app.on(['run'], follow);
    const rowsToShow = Math.max(2, Math.min(rows.length, 11));
    list.element.style.minHeight = `${rowsToShow > 5 ? 5 * ROW : rowsToShow * ROW + 4}px`;
    return h(
        'section',
        { class: 'panel tree-panel', 'aria-label': 'Interleavings' },
        h('h2', {}, 'Interleavings'),
        list.element,
        hint,
    );
}
