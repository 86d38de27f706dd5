// SPDX-License-Identifier: BSD-3-Clause
// What the page is given (../DATA.md), read from its script element.
import { PackedTable, Table, unpackTable } from './columns';

export interface Site {
    file: string | null;
    line: number | null;
    function: string | null;
    module: string | null;
    offset: number | null;
}

export interface FindingSite {
    rank: number | null;
    call: string | null;
    file: string | null;
    line: number | null;
    function: string | null;
    /** the line that matters, if the call is in a wrapper */
    shown?: { file: string | null; line: number | null; function: string | null };
    /** if its callers are known: the innermost first */
    stack?: { file: string | null; line: number | null; function: string | null }[];
}

export interface GivenCritical {
    decision: number;
    call: string;
    rank: number;
    file: string | null;
    line: number | null;
    taken: string;
    alternative: string;
    interleaving: string;
}

export interface Finding {
    rule: string;
    severity: 'error' | 'warning' | 'note';
    message: string;
    story?: string;
    interleaving: string | null;
    buffered: boolean;
    /** of older versions: not there */
    predicted?: boolean;
    ranks: number[];
    count: number;
    sites: FindingSite[];
    replay: string | null;
    /** undefined: one cannot stand at it, or an older version has written this */
    debug?: string;
    /** docs/result.md; null: there is none, undefined: it was not looked for */
    critical?: GivenCritical | null;
}

export interface Result {
    isp: string;
    command: string[];
    ranks: number;
    buffering: 'zero' | 'infinite' | 'auto';
    verdict: 'clean' | 'findings' | 'incomplete' | 'unsupported';
    complete: boolean;
    incomplete_because: string | null;
    /** of older versions: not there */
    assumptions?: string[];
    interleavings: number;
    /** of older versions: not there */
    runs?: number;
    deadlocked_interleavings: number;
    buffered_interleavings: number;
    redundant_runs: number;
    choice_points: number;
    calls: number;
    suppressed: number;
    seconds: number;
    estimated_interleavings: number | null;
    /** of older versions: not there */
    states?: number;
    no_deadlock_predicted?: boolean;
    most_orders?: { words: string } | null;
    findings: Finding[];
}

export interface Kind {
    op: string;
    mode: string | null;
    call: string | null;
    label: string;
    site: number | null;
    thread: number | null;
    comm: number | null;
    peer: number | null;
    tag: number | null;
    root: number | null;
    bytes: number | null;
    data: string | null;
    flags: number | null;
    /** it comes before whatever a call comes before that it is in a match with */
    leads: boolean;
}

export interface Communicator {
    node: number;
    comm: number;
    members: number[];
    first_side: number | null;
}

export interface Waiting {
    interleaving: number;
    rank: number;
    thread: number;
    call: number;
    finished: boolean;
    polling: boolean;
    needs: 'all' | 'any' | null;
    ranks: number[];
    pending: number[];
}

interface Written {
    format: number;
    result: Result;
    sites: (Site | null)[];
    sources: Record<string, [number, string][]>;
    kinds: (Kind | null)[];
    communicators: Communicator[];
    endings: string[];
    waiting: Waiting[];
    output: Record<string, string>;
    left_out: { interleavings: number; nodes: number; calls: number };
    tables: Record<string, PackedTable>;
}

const columns = {
    node: [
        'parent',
        'taken',
        'buffered',
        'depth',
        'first_call',
        'end_call',
        'first_match',
        'end_match',
        'first_answer',
        'end_answer',
        'first_before',
        'end_before',
    ],
    call: ['rank', 'number', 'kind', 'request', 'requests'],
    request: ['call'],
    before: ['call', 'steps'],
    match: ['after', 'send', 'receive', 'member', 'members'],
    member: ['call'],
    answer: ['call', 'flag', 'source', 'tag', 'bytes', 'position', 'positions'],
    position: ['position'],
    choice: ['node', 'call', 'alternatives'],
    alternative: ['choice', 'taken', 'what', 'call', 'position', 'positions'],
    interleaving: ['node', 'buffered', 'ending'],
    joined: ['interleaving', 'node', 'stands_for', 'more'],
    shown: ['interleaving', 'finding'],
} as const;

type TableName = keyof typeof columns;
type TableOf<Name extends TableName> = Table<(typeof columns)[Name][number]>;

/** `what` of an alternative */
export enum What {
    message,
    subset,
    notYet,
    cancel,
    admit,
}

/** ISP_F_FENCE: the rank waits at this call */
const FENCE = 1;
const NO_KIND: Kind = {
    op: 'unknown',
    mode: null,
    call: null,
    label: 'unknown call',
    site: null,
    thread: null,
    comm: null,
    peer: null,
    tag: null,
    root: null,
    bytes: null,
    data: null,
    flags: null,
    leads: true,
};

export class Trace {
    readonly result: Result;
    readonly endings: string[];
    readonly waiting: Waiting[];
    readonly leftOut: { interleavings: number; nodes: number; calls: number };
    readonly communicators: Communicator[];
    readonly sources: Record<string, [number, string][]>;
    node!: TableOf<'node'>;
    call!: TableOf<'call'>;
    request!: TableOf<'request'>;
    before!: TableOf<'before'>;
    match!: TableOf<'match'>;
    member!: TableOf<'member'>;
    choice!: TableOf<'choice'>;
    alternative!: TableOf<'alternative'>;
    interleaving!: TableOf<'interleaving'>;
    joined!: TableOf<'joined'>;
    shown!: TableOf<'shown'>;
    private readonly lazy = new Map<TableName, Promise<unknown>>();

    private constructor(private readonly written: Written) {
        this.result = written.result;
        this.endings = written.endings;
        this.waiting = written.waiting;
        this.leftOut = written.left_out;
        this.communicators = written.communicators;
        this.sources = written.sources;
    }

    /** What is known at once; the tables follow. */
    static open(text: string): Trace {
        const written = JSON.parse(text) as Written;
        if (written.format !== 3)
            throw new Error(`the data have format ${written.format}, and this page reads 3`);
        return new Trace(written);
    }

    async unpack(): Promise<void> {
        [
            this.node,
            this.call,
            this.request,
            this.before,
            this.match,
            this.member,
            this.choice,
            this.alternative,
            this.interleaving,
            this.joined,
            this.shown,
        ] = await Promise.all([
            this.table('node'),
            this.table('call'),
            this.table('request'),
            this.table('before'),
            this.table('match'),
            this.table('member'),
            this.table('choice'),
            this.table('alternative'),
            this.table('interleaving'),
            this.table('joined'),
            this.table('shown'),
        ]);
    }

    private table<Name extends TableName>(name: Name): Promise<TableOf<Name>> {
        let table = this.lazy.get(name) as Promise<TableOf<Name>> | undefined;
        if (!table) {
            table = unpackTable(
                this.written.tables[name],
                columns[name] as readonly (typeof columns)[Name][number][],
            );
            this.lazy.set(name, table);
        }
        return table;
    }

    /** Only the details of a call need these. */
    answers(): Promise<[TableOf<'answer'>, TableOf<'position'>]> {
        return Promise.all([this.table('answer'), this.table('position')]);
    }

    kind(kind: number): Kind {
        return this.written.kinds[kind] ?? NO_KIND;
    }

    get kinds(): number {
        return this.written.kinds.length;
    }

    site(site: number | null): Site | null {
        return site === null ? null : (this.written.sites[site] ?? null);
    }

    get sites(): (Site | null)[] {
        return this.written.sites;
    }

    output(interleaving: number): string | undefined {
        return this.written.output[interleaving];
    }

    ending(interleaving: number): string {
        return this.endings[this.interleaving.ending[interleaving]] ?? 'unknown';
    }
}

export function isFence(kind: Kind): boolean {
    return ((kind.flags ?? 0) & FENCE) !== 0;
}

/** src/app.c:17, or what else is known of the place */
export function placeOf(site: Site | FindingSite | null): string {
    if (!site) return '';
    if (site.file) return site.line ? `${site.file}:${site.line}` : site.file;
    if ('module' in site && site.module) return `${site.module}+0x${(site.offset ?? 0).toString(16)}`;
    return site.function ?? '';
}

/** where a finding is reported: its call, or what called the wrapper that it is in */
export function headlineOf(finding: Finding): FindingSite | null {
    const site = finding.sites[0];
    return site ? { ...site, ...site.shown } : null;
}

/** app.c:17: where there is little room */
export function shortPlaceOf(site: Site | FindingSite | null): string {
    return placeOf(site).replace(/^.*\//, '');
}
