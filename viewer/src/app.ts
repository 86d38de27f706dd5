// SPDX-License-Identifier: BSD-3-Clause
// What is looked at now: the interleaving, the call, the finding, and how. Panels listen; the address'
// fragment keeps the main part, so that a link leads there.
import { isComparedAtFirst } from './compare';
import { Critical, criticalOf, criticalOfFinding } from './critical';
import { Finding, placeOf, Trace } from './data';
import { Run } from './run';
import { Tree } from './tree';

export type Change = 'run' | 'call' | 'finding' | 'lanes' | 'order' | 'marks' | 'compare';
export type Order = 'program' | 'issue';

export class App {
    readonly tree: Tree;
    run: Run | null = null;
    /** the selected call, or -1 */
    selected = -1;
    /** index in the result's findings, or -1 */
    finding = -1;
    order: Order = 'program';
    /** the rank that steps are locked to, or -1 */
    locked = -1;
    readonly collapsed = new Set<number>();
    /** groups of equal ranks that are shown rank by rank, by their first; null: all */
    opened: Set<number> | null = new Set<number>();
    /** the nearest good interleaving is shown as well */
    comparing = false;
    /** whether the user has said so */
    private comparingIsSet = false;
    /** calls that were issued after this place are faint; -1: none */
    until = -1;
    /** findings that were read: they are small */
    readonly read = new Set<number>();
    /** sites that a click on a source line chose */
    markedSites = new Set<number>();
    /** calls ordered with the selected one, if that is shown */
    related: { before: Set<number>; after: Set<number> } | null = null;
    critical: Critical | null = null;
    private readonly listeners: [Change[], () => void][] = [];
    private speaker: HTMLElement | null = null;
    private readonly criticals = new Map<number, Critical | null>();

    constructor(readonly trace: Trace) {
        this.tree = new Tree(trace);
    }

    on(changes: Change[], listener: () => void): void {
        this.listeners.push([changes, listener]);
    }

    emit(...changes: Change[]): void {
        for (const [wanted, listener] of this.listeners)
            if (wanted.some(change => changes.includes(change))) listener();
    }

    speakThrough(element: HTMLElement): void {
        this.speaker = element;
    }

    say(text: string): void {
        if (this.speaker) this.speaker.textContent = text;
    }

    get findings(): Finding[] {
        return this.trace.result.findings;
    }

    showInterleaving(interleaving: number, call?: number): void {
        if (interleaving < 0 || interleaving >= this.trace.interleaving.rows) return;
        if (this.run?.interleaving !== interleaving) {
            this.run = new Run(this.trace, this.tree, interleaving);
            const own = this.tree.findings.get(interleaving) ?? [];
            const told = own.find(f => this.findings[f].critical);
            this.critical =
                told !== undefined ? this.criticalOfFinding(told) : criticalOf(this.tree, interleaving);
            this.related = null;
            this.until = -1;
            this.opened = this.opened && new Set<number>();
            if (!this.comparingIsSet) this.comparing = isComparedAtFirst(this);
            this.selected = call ?? this.firstOfInterest();
            if (own.length && !own.includes(this.finding)) this.finding = own[0];
            this.emit('run', 'call', 'finding');
        } else if (call !== undefined) this.select(call);
        this.keep();
    }

    /** A call in which a rank is stuck, else the first one. */
    private firstOfInterest(): number {
        const stuck = this.run!.waiting.find(w => !w.finished);
        if (stuck) return this.run!.waitsIn(stuck.rank);
        return this.run!.calls ? this.run!.at(this.run!.rank[0], 0) : -1;
    }

    showFinding(index: number): void {
        const finding = this.findings[index];
        if (!finding) return;
        if (this.finding >= 0 && this.finding !== index) this.read.add(this.finding);
        this.finding = index;
        const interleaving = this.tree.interleavingOf(finding);
        if (interleaving >= 0) {
            this.showInterleaving(interleaving);
            this.select(this.callOf(finding));
        }
        this.emit('finding');
        this.keep();
    }

    /** The call of this run that a finding is about: where the rank of its first site waits, or last was at
     * that place. */
    private callOf(finding: Finding): number {
        const run = this.run!;
        for (const site of finding.sites) {
            const ranks = site.rank !== null ? [site.rank] : finding.ranks;
            for (const rank of ranks) {
                const waits = run.waitsIn(rank);
                if (waits >= 0 && placeOf(this.trace.site(run.kind(waits).site)) === placeOf(site))
                    return waits;
                for (let p = run.laneLength(rank) - 1; p >= 0; p--)
                    if (
                        site.file &&
                        placeOf(this.trace.site(run.kind(run.at(rank, p)).site)) === placeOf(site)
                    )
                        return run.at(rank, p);
            }
        }
        return this.firstOfInterest();
    }

    criticalOfFinding(index: number): Critical | null {
        if (!this.criticals.has(index)) {
            const finding = this.findings[index];
            this.criticals.set(
                index,
                criticalOfFinding(this.tree, finding, this.tree.interleavingOf(finding)),
            );
        }
        return this.criticals.get(index) ?? null;
    }

    select(call: number): void {
        if (!this.run || call < 0 || call >= this.run.calls || call === this.selected) return;
        this.selected = call;
        this.related = null;
        this.emit('call');
        this.keep();
    }

    lock(rank: number): void {
        this.locked = rank;
        this.emit('order');
    }

    setOrder(order: Order): void {
        this.order = order;
        this.emit('order');
    }

    toggleRank(rank: number): void {
        if (!this.collapsed.delete(rank)) this.collapsed.add(rank);
        this.emit('lanes');
    }

    showAllRanks(): void {
        this.collapsed.clear();
        this.emit('lanes');
    }

    openGroup(first: number): void {
        this.opened?.add(first);
        this.emit('lanes');
    }

    /** Equal ranks as one lane, or each as its own. */
    groupRanks(on: boolean): void {
        this.opened = on ? new Set<number>() : null;
        this.emit('lanes');
    }

    compare(on: boolean): void {
        this.comparing = on;
        this.comparingIsSet = true;
        this.emit('compare');
    }

    showUntil(issued: number): void {
        this.until = issued;
        this.emit('marks');
    }

    setRead(finding: number, read: boolean): void {
        if (read) this.read.add(finding);
        else this.read.delete(finding);
        this.emit('finding');
    }

    markSites(sites: Set<number>): void {
        this.markedSites = sites;
        this.emit('marks');
    }

    relate(related: App['related']): void {
        this.related = related;
        this.emit('marks');
    }

    // The fragment

    private keep(): void {
        if (!this.run) return;
        const parts = [`interleaving=${this.run.interleaving}`];
        if (this.selected >= 0)
            parts.push(`call=${this.run.rank[this.selected]}.${this.run.number(this.selected)}`);
        if (this.finding >= 0) parts.push(`finding=${this.finding}`);
        history.replaceState(null, '', `#${parts.join('&')}`);
    }

    /** Goes where the fragment says; false if it says nothing. */
    followFragment(): boolean {
        const wanted = new URLSearchParams(location.hash.slice(1));
        const interleaving = Number(wanted.get('interleaving') ?? NaN);
        if (!(interleaving >= 0 && interleaving < this.trace.interleaving.rows)) return false;
        const finding = Number(wanted.get('finding') ?? NaN);
        if (this.findings[finding]) this.finding = finding;
        this.showInterleaving(Math.floor(interleaving));
        const [rank, number] = (wanted.get('call') ?? '').split('.').map(Number);
        const call = this.run!.byNumber(rank, number);
        if (call >= 0) this.select(call);
        this.emit('finding');
        return true;
    }
}
