// SPDX-License-Identifier: BSD-3-Clause
// The list of findings, and what filters it.
import { App } from './app';
import { h, plural, replace } from './dom';
import { Finding, headlineOf, placeOf, shortPlaceOf } from './data';

const AT_ONCE = 200;

interface Filter {
    rule: string;
    severity: string;
    rank: string;
    file: string;
    text: string;
}

function filesOf(finding: Finding): string[] {
    return finding.sites.flatMap(site => [site.file ?? [], site.shown?.file ?? []]).flat();
}

function passes(finding: Finding, filter: Filter): boolean {
    if (filter.rule && finding.rule !== filter.rule) return false;
    if (filter.severity && finding.severity !== filter.severity) return false;
    if (
        filter.rank &&
        !finding.ranks.includes(Number(filter.rank)) &&
        !finding.sites.some(site => site.rank === Number(filter.rank))
    )
        return false;
    if (filter.file && !filesOf(finding).includes(filter.file)) return false;
    const text = filter.text.trim().toLowerCase();
    return (
        !text ||
        [
            finding.message,
            finding.rule,
            finding.story ?? '',
            placeOf(headlineOf(finding)),
            ...finding.sites.map(placeOf),
        ].some(field => field.toLowerCase().includes(text))
    );
}

function choices(
    name: string,
    all: string,
    values: Iterable<string | number>,
    onchange: (value: string) => void,
): HTMLElement {
    const select = h(
        'select',
        { 'aria-label': `findings by ${name}`, 'data-filter': name },
        h('option', { value: '' }, all),
        ...[...new Set(values)].map(value => h('option', { value }, value)),
    );
    select.addEventListener('change', () => onchange(select.value));
    return select;
}

export const severitySign = { error: '✕', warning: '!', note: 'i' };

export function findingsPanel(app: App): HTMLElement {
    const { findings } = app;
    const filter: Filter = { rule: '', severity: '', rank: '', file: '', text: '' };
    let limit = AT_ONCE;
    const list = h('ul', { class: 'findings', 'aria-label': 'findings' });
    const count = h('p', { class: 'muted count', role: 'status' });
    const text = h('input', {
        type: 'search',
        id: 'finding-text',
        placeholder: 'Filter by text',
        'aria-label': 'findings by text',
    });
    const draw = () => {
        const shown = findings
            .map((finding, index) => ({ finding, index }))
            .filter(({ finding }) => passes(finding, filter));
        replace(
            list,
            ...shown.slice(0, limit).map(({ finding, index }) =>
                h(
                    'li',
                    {},
                    h(
                        'button',
                        {
                            type: 'button',
                            class: `finding ${finding.severity}`,
                            'data-finding': index,
                            'aria-current': index === app.finding ? 'true' : null,
                            onclick: () => app.showFinding(index),
                        },
                        h('span', { class: 'sign', 'aria-hidden': 'true' }, severitySign[finding.severity]),
                        h(
                            'span',
                            { class: 'finding-text' },
                            h(
                                'span',
                                { class: 'rule' },
                                h('span', { class: 'unseen' }, `${finding.severity}: `),
                                finding.rule,
                                finding.count > 1 ? ` ×${finding.count}` : '',
                            ),
                            h(
                                'span',
                                {},
                                finding.message.startsWith(`${finding.rule}: `)
                                    ? finding.message.slice(finding.rule.length + 2)
                                    : finding.message,
                            ),
                            h(
                                'span',
                                { class: 'place', title: placeOf(headlineOf(finding)) },
                                shortPlaceOf(headlineOf(finding)),
                            ),
                        ),
                    ),
                ),
            ),
            shown.length > limit &&
                h(
                    'li',
                    {},
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'quiet',
                            onclick: () => {
                                limit *= 4;
                                draw();
                            },
                        },
                        `Show more of ${shown.length}`,
                    ),
                ),
        );
        count.textContent =
            findings.length === 0
                ? 'Nothing was found.'
                : shown.length === findings.length
                  ? ''
                  : `${shown.length} of ${plural(findings.length, 'finding')}`;
    };
    const set = (name: keyof Filter) => (value: string) => {
        filter[name] = value;
        limit = AT_ONCE;
        draw();
    };
    text.addEventListener('input', () => set('text')(text.value));
    const ranks = findings
        .flatMap(f => [...f.ranks, ...f.sites.flatMap(site => (site.rank === null ? [] : [site.rank]))])
        .sort((a, b) => a - b);
    const filters = h(
        'div',
        { class: 'filters' },
        text,
        choices(
            'rule',
            'all rules',
            findings.map(f => f.rule),
            set('rule'),
        ),
        choices(
            'severity',
            'all severities',
            findings.map(f => f.severity),
            set('severity'),
        ),
        choices('rank', 'all ranks', ranks, set('rank')),
        choices('file', 'all files', findings.flatMap(filesOf), set('file')),
    );
    app.on(['finding'], () => {
        for (const button of list.querySelectorAll('[data-finding]')) {
            if (Number(button.getAttribute('data-finding')) === app.finding)
                button.setAttribute('aria-current', 'true');
            else button.removeAttribute('aria-current');
        }
    });
    draw();
    return h(
        'section',
        { class: 'panel findings-panel', 'aria-label': 'Findings' },
        h('h2', {}, 'Findings'),
        findings.length > 1 &&
            h('details', { class: 'filter', open: findings.length > 5 }, h('summary', {}, 'Filter'), filters),
        count,
        list,
    );
}
