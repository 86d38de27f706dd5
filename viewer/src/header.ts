// SPDX-License-Identifier: BSD-3-Clause
// The verdict: what was found, how much of all there is was explored, under which assumption on buffering,
// and by which command.
import { copyButton, h, listed, plural } from './dom';
import { Result, Trace } from './data';

function counts(result: Result): string {
    const of = (severity: string, word: string) => {
        const n = result.findings.filter(finding => finding.severity === severity).length;
        return n ? plural(n, word) : '';
    };
    return listed([of('error', 'error'), of('warning', 'warning')].filter(Boolean));
}

function verdict(result: Result): { sign: string; words: string; kind: string } {
    switch (result.verdict) {
        case 'clean':
            return { sign: '✓', words: 'No error found', kind: 'fine' };
        case 'findings':
            return {
                sign: '✕',
                words: `${counts(result)} found`,
                kind: result.findings.some(f => f.severity === 'error') ? 'error' : 'warning',
            };
        case 'unsupported':
            return {
                sign: '?',
                words: 'Not judged: isp cannot model a call of this program',
                kind: 'warning',
            };
        default:
            return { sign: '?', words: 'No error found so far', kind: 'warning' };
    }
}

/** 24, or 5e121: what is known of such a number */
function magnitude(n: number): string {
    return n < 10000 ? n.toLocaleString('en') : n.toExponential(0).replace('+', '');
}

function completeness(result: Result): string {
    if (result.complete) return 'Complete: every interleaving that MPI allows was explored.';
    const estimate = result.estimated_interleavings
        ? ` There may be about ${magnitude(result.estimated_interleavings)} interleavings.`
        : '';
    const most = result.most_orders?.words;
    const orders = most ? ` ${most[0].toUpperCase()}${most.slice(1)}.` : '';
    return `Incomplete: ${result.incomplete_because ?? 'not everything was explored'}.${estimate}${orders}`;
}

function buffering(result: Result): string {
    switch (result.buffering) {
        case 'zero':
            return 'Assumption: standard sends wait for their receives (MPI buffers nothing).';
        case 'infinite':
            return 'Assumption: standard sends never wait (MPI buffers every message).';
        default:
            return result.buffered_interleavings
                ? 'Buffering: explored with standard sends that wait for their receives, ' +
                      'and with buffered ones.'
                : `Buffering: explored with standard sends that wait for their ` +
                      `receives${result.complete ? '; buffering them would change nothing' : ''}.`;
    }
}

function prediction(result: Result): string {
    const buffers = ', and that MPI buffers all standard sends or none';
    return (
        'No deadlock is possible in any order of the calls of these runs (prediction; it assumes that the ' +
        `calls do not depend on who was first${result.buffering === 'auto' ? buffers : ''}).`
    );
}

/** Of those that are counted; null: as many as there are interleavings (poe/STATES.md). */
function fewerRuns(result: Result): number | null {
    const runs = (result.runs ?? 0) - result.redundant_runs;
    return runs > 0 && runs < result.interleavings + result.buffered_interleavings ? runs : null;
}

export function header({ result, leftOut }: Trace): HTMLElement {
    const { sign, words, kind } = verdict(result);
    const command = result.command.join(' '),
        runs = fewerRuns(result);
    const numbers = [
        plural(result.ranks, 'rank'),
        plural(result.interleavings, 'interleaving'),
        runs === null ? '' : `for which ${plural(runs, 'run')} stand`,
        result.buffered_interleavings
            ? `${result.buffered_interleavings.toLocaleString('en')} more with buffered sends`
            : '',
        result.deadlocked_interleavings
            ? `${result.deadlocked_interleavings.toLocaleString('en')} deadlocked`
            : '',
        plural(result.choice_points, 'choice'),
        plural(result.calls, 'call'),
        result.redundant_runs ? plural(result.redundant_runs, 'redundant run') : '',
        result.states ? `${plural(result.states, 'state')} kept` : '',
        result.suppressed ? `${result.suppressed.toLocaleString('en')} suppressed` : '',
        `${result.seconds.toFixed(result.seconds < 10 ? 2 : 0)} s`,
    ].filter(Boolean);
    const most = [
        plural(result.ranks, 'rank'),
        plural(result.interleavings, 'interleaving'),
        result.deadlocked_interleavings
            ? `${result.deadlocked_interleavings.toLocaleString('en')} deadlocked`
            : '',
        leftOut.interleavings + leftOut.calls > 0 ? 'not all of it is in this page' : '',
    ].filter(Boolean);
    const facts = h(
        'div',
        { class: 'verdict-facts', id: 'verdict-facts', hidden: true },
        h('p', {}, h('strong', {}, completeness(result)), ' ', buffering(result)),
        result.no_deadlock_predicted && h('p', {}, prediction(result)),
        ...(result.assumptions ?? []).map(words => h('p', { class: 'assumption' }, `Assumption: ${words}.`)),
        h(
            'p',
            { class: 'muted' },
            h('code', { class: 'command' }, command),
            copyButton(command, 'the command'),
            h('span', {}, numbers.join(' · ')),
        ),
        leftOut.interleavings + leftOut.calls > 0 &&
            h(
                'p',
                { class: 'left-out' },
                listed(
                    [
                        leftOut.interleavings
                            ? plural(leftOut.interleavings, runs === null ? 'interleaving' : 'run')
                            : '',
                        leftOut.calls ? plural(leftOut.calls, 'call') : '',
                    ].filter(Boolean),
                ) + ` did not fit into this page; their findings are here all the same.`,
            ),
    );
    const more = h(
        'button',
        {
            type: 'button',
            class: 'quiet',
            id: 'about',
            'aria-expanded': 'false',
            'aria-controls': 'verdict-facts',
            title: 'what was explored, under which assumptions, by which command',
            onclick: () => {
                facts.hidden = !facts.hidden;
                more.setAttribute('aria-expanded', String(!facts.hidden));
            },
        },
        'About this run',
    );
    return h(
        'div',
        { class: `verdict ${kind}` },
        h('h1', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, sign), words),
        h(
            'p',
            { class: 'verdict-line' },
            h('strong', {}, result.complete ? 'Complete.' : completeness(result)),
            ' ',
            most.join(' · '),
            ' ',
            more,
        ),
        facts,
    );
}
