// SPDX-License-Identifier: BSD-3-Clause
// The source of the calls of two ranks, side by side: the selected call, and its partner or another rank's
// call. A click on a line selects the calls made there.
import { App } from './app';
import { h } from './dom';
import { placeOf, shortPlaceOf, Trace } from './data';
import { highlighted, insideComments } from './highlight';
import { Run } from './run';
import { WindowedList } from './windowed';
import { numberOf } from './words';

const ROW = 20;

interface Line {
    number: number;
    text: string;
    inComment: boolean;
}

/** Lines of a file; a line without number is a gap between two pieces. */
function linesOf(trace: Trace, file: string): Line[] {
    const lines: Line[] = [];
    for (const [first, text] of trace.sources[file] ?? []) {
        if (lines.length) lines.push({ number: 0, text: '⋯', inComment: false });
        const piece = text.replace(/\n$/, '').split('\n'),
            inside = insideComments(file, piece);
        piece.forEach((line, i) => lines.push({ number: first + i, text: line, inComment: inside[i] }));
    }
    return lines;
}

class Pane {
    readonly element: HTMLElement;
    private readonly title = h('span', { class: 'pane-title' });
    private readonly list: WindowedList;
    private readonly none = h('p', { class: 'muted pane-none' });
    private file: string | null = null;
    private lines: Line[] = [];
    private line = 0;
    private call = -1;
    /** of this file: line -> sites that are called in this run */
    private sites = new Map<number, Set<number>>();
    private sitesOf: Run | null = null;

    constructor(
        private readonly app: App,
        name: string,
        control: HTMLElement | null,
    ) {
        this.list = new WindowedList(
            ROW,
            { class: 'source', role: 'list', 'aria-label': `${name} source`, 'data-pane': name },
            i => this.row(i),
        );
        this.list.element.addEventListener('keydown', event => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (!step) return;
            const lines = [...this.sites.keys()].sort((a, b) => a - b);
            const next =
                step > 0
                    ? lines.find(line => line > this.line)
                    : lines.reverse().find(line => line < this.line);
            if (next !== undefined) this.choose(next);
            event.preventDefault();
            event.stopPropagation();
        });
        this.element = h(
            'div',
            { class: 'pane' },
            h('div', { class: 'pane-head' }, this.title, control),
            this.list.element,
            this.none,
        );
    }

    private row(i: number): HTMLElement {
        const { number, text, inComment } = this.lines[i];
        const here = this.sites.has(number);
        return h(
            'div',
            {
                class: `line${number === this.line ? ' current' : ''}${here ? ' has-calls' : ''}`,
                role: 'listitem',
                'aria-current': number === this.line ? 'true' : null,
                'data-line': number,
                onclick: here ? () => this.choose(number) : null,
            },
            h('span', { class: 'line-number' }, number || ''),
            h('span', { class: 'line-text' }, ...highlighted(this.file ?? '', text, inComment)),
        );
    }

    /** Selects the next call made on this line, of this pane's rank if it has one. */
    private choose(line: number): void {
        const { run } = this.app;
        const sites = this.sites.get(line);
        if (!run || !sites) return;
        this.app.markSites(sites);
        const there = (c: number) => sites.has(run.kind(c).site ?? -1);
        const rank = this.call >= 0 ? run.rank[this.call] : 0;
        const from =
            there(this.app.selected) && run.rank[this.app.selected] === rank
                ? run.place[this.app.selected] + 1
                : 0;
        const own = run.rankCalls(rank);
        for (let k = 0; k < own.length; k++) {
            const c = own[(from + k) % own.length];
            if (there(c)) return this.app.select(c);
        }
        for (let c = 0; c < run.calls; c++) if (there(c)) return this.app.select(c);
    }

    private findSites(run: Run): void {
        const seen = new Uint8Array(run.trace.kinds);
        for (let c = 0; c < run.calls; c++) seen[run.kindOf[c]] = 1;
        this.sites = new Map();
        seen.forEach((there, k) => {
            const number = run.trace.kind(k).site;
            const site = there ? run.trace.site(number) : null;
            if (!site?.line || site.file !== this.file || number === null) return;
            const sites = this.sites.get(site.line) ?? new Set<number>();
            this.sites.set(site.line, sites.add(number));
        });
        this.sitesOf = run;
    }

    show(run: Run, c: number, none: string): void {
        const site = c >= 0 ? run.trace.site(run.kind(c).site) : null;
        this.call = c;
        this.title.textContent =
            c >= 0
                ? `rank ${run.rank[c]}, call ` +
                  `${numberOf(run, c)}${site?.file ? ` · ${shortPlaceOf(site)}` : ''}`
                : none;
        this.title.title = placeOf(site);
        const file = site?.file ?? null;
        if (file !== this.file || this.sitesOf !== run) {
            this.file = file;
            this.lines = file ? linesOf(run.trace, file) : [];
            this.findSites(run);
        }
        this.line = site?.line ?? 0;
        this.none.textContent =
            this.lines.length || c < 0
                ? ''
                : file
                  ? `isp could not read ${file}.`
                  : 'The place of this call is not known: compile with -g.';
        this.list.element.hidden = !this.lines.length;
        this.none.hidden = this.lines.length > 0;
        this.list.set(this.lines.length);
        const i = this.lines.findIndex(line => line.number === this.line);
        if (i >= 0) this.list.reveal(i, true);
    }
}

export function sourcePanel(app: App): HTMLElement {
    const other = h(
        'select',
        { id: 'other-rank', 'aria-label': 'rank of the second source pane' },
        h('option', { value: 'partner' }, 'its partner'),
        ...Array.from({ length: app.trace.result.ranks }, (_, r) => h('option', { value: r }, `rank ${r}`)),
    );
    const first = new Pane(app, 'first', null),
        second = new Pane(app, 'second', other);
    const draw = () => {
        const { run, selected } = app;
        if (!run) return;
        first.show(run, selected, 'no call is selected');
        let c = run.partners(selected)[0] ?? -1;
        if (c < 0) c = counterpart(run, selected);
        if (other.value !== 'partner') c = nearest(run, Number(other.value), selected);
        second.show(run, c, 'no partner');
    };
    other.addEventListener('change', draw);
    app.on(['run', 'call'], draw);
    return h(
        'section',
        { class: 'panel source-panel', 'aria-label': 'Source' },
        h('h2', {}, 'Source'),
        h('div', { class: 'panes' }, first.element, second.element),
    );
}

/** What a rank was at when this call was. */
function nearest(run: Run, rank: number, c: number): number {
    if (c >= 0 && run.rank[c] === rank) return c;
    const last = run.lastBy(rank, run.level[c]);
    return last >= 0 ? last : run.at(rank, 0);
}

/** Where a call waits: what the rank is at that it waits for, else where another rank waits. */
function counterpart(run: Run, c: number): number {
    const w = run.waitingAt(c);
    if (!w || w.finished) return -1;
    const awaited = w.ranks.find(rank => rank !== w.rank);
    if (awaited !== undefined) return run.at(awaited, run.laneLength(awaited) - 1);
    const other = run.waiting.find(entry => !entry.finished && entry.rank !== w.rank);
    return other ? run.waitsIn(other.rank) : -1;
}
