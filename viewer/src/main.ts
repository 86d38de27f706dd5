// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together.
import { App } from './app';
import { callTable } from './calltable';
import { findingCard, messageOf } from './card';
import { Comparison } from './compare';
import { detailsPanel, outputPanel } from './details';
import { h, replace } from './dom';
import { Trace } from './data';
import { findingsPanel } from './findings';
import { header } from './header';
import { legend } from './legend';
import { installKeys, restoreTheme, switchTheme } from './keys';
import { sourcePanel } from './source';
import { splitter } from './splitter';
import { Timeline } from './timeline';
import { actionsOf, toolbar } from './toolbar';
import { treePanel } from './treeview';
import { describe, endingWords, shortName } from './words';

/** The nearest good interleaving, below the bad one. */
function besidePart(app: App, comparison: Comparison): HTMLElement {
    const name = h('h3', { class: 'beside-name' });
    const timeline = new Timeline(
        app,
        () => comparison.beside,
        'beside',
        'The nearest good interleaving, as a space-time diagram: a click on a call goes there.',
    );
    const part = h('div', { class: 'beside', hidden: true }, name, timeline.element);
    app.on(['run', 'compare'], () => {
        const { beside } = comparison;
        part.hidden = beside === null;
        if (!beside) return;
        const { interleaving } = beside.run;
        name.textContent =
            `The nearest good one, interleaving ${shortName(app.tree.name(interleaving))}: ` +
            `${endingWords[app.trace.ending(interleaving)]}`;
    });
    return part;
}

function build(app: App): void {
    const live = h('div', { class: 'unseen', 'aria-live': 'polite', id: 'live' });
    app.speakThrough(live);
    const actions = actionsOf(app);
    const comparison = new Comparison(app);
    const diagram = new Timeline(
        app,
        () => comparison.shown,
        'diagram',
        'Space-time diagram: a row for each rank or group of equal ranks, time to the right. ' +
            'Arrow keys go from call to call; the same as a list: the button Table.',
    );
    const beside = besidePart(app, comparison);
    const signs = legend(app);
    const table = callTable(app);
    table.element.hidden = true;
    const details = detailsPanel(app);
    const zoom = {
        by: (factor: number) => diagram.zoomBy(factor),
        fit: () => diagram.fit(),
    };
    const steps = toolbar(app, actions, zoom, on => {
        diagram.element.hidden = signs.hidden = on;
        beside.classList.toggle('covered', on);
        table.element.hidden = !on;
        table.show(on);
        if (!on) diagram.revealSelected(true);
    });
    const missing = h('p', { class: 'missing', role: 'status', hidden: true });
    const keys = installKeys(app, actions, {
        before: () => details.dispatchEvent(new Event('isp-before')),
        allBefore: () => details.dispatchEvent(new Event('isp-all-before')),
        table: () => document.getElementById('as-table')?.click(),
        zoom: zoom.by,
        fit: zoom.fit,
    });
    const { rows } = app.trace.interleaving;
    document.title = `isp: ${app.trace.result.command[0]?.replace(/.*\//, '') ?? 'report'}`;
    replace(
        document.body,
        h(
            'a',
            {
                class: 'skip',
                href: '#diagram',
                onclick: (event: Event) => {
                    event.preventDefault();
                    diagram.scroller.focus();
                },
            },
            'Skip to the picture',
        ),
        h(
            'header',
            { class: 'top' },
            header(app.trace),
            h(
                'div',
                { class: 'top-buttons' },
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'quiet',
                        id: 'theme',
                        title: 'light or dark (t)',
                        onclick: switchTheme,
                    },
                    'Light / dark',
                ),
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'quiet',
                        id: 'help',
                        title: 'keys and signs (?)',
                        onclick: keys.openHelp,
                    },
                    'Help',
                ),
            ),
        ),
        h(
            'div',
            { class: `columns${rows > 0 ? '' : ' no-run'}` },
            h(
                'main',
                {},
                findingCard(app),
                rows > 0 &&
                    h(
                        'section',
                        { class: 'run', 'aria-label': 'The interleaving' },
                        steps,
                        missing,
                        diagram.element,
                        beside,
                        signs,
                        table.element,
                    ),
            ),
            h(
                'aside',
                { class: 'side', 'aria-label': 'Findings and interleavings' },
                findingsPanel(app),
                rows > 0 && treePanel(app),
            ),
            rows > 0 && h('aside', { class: 'side middle', 'aria-label': 'Source' }, sourcePanel(app)),
            rows > 0 &&
                h(
                    'aside',
                    { class: 'side right', 'aria-label': 'The selected call' },
                    splitter('width of the call beside the source', '--call-width', {
                        least: 160,
                        most: () => Math.max(200, innerWidth * 0.6),
                        at: 320,
                    }),
                    details,
                    outputPanel(app),
                ),
        ),
        live,
        ...document.querySelectorAll('dialog'),
    );
    app.on(['run'], () => {
        missing.hidden = !app.run?.leftOut;
        missing.textContent = app.run?.leftOut
            ? 'The calls of this interleaving did not fit into the page: isp replay shows it.'
            : '';
    });
    app.on(['call'], () => {
        if (app.run && app.selected >= 0) app.say(describe(app.run, app.selected));
    });
    addEventListener('hashchange', () => app.followFragment());
    if (app.followFragment()) return;
    const first = app.findings.findIndex(
        finding => finding.severity !== 'note' && app.tree.interleavingOf(finding) >= 0,
    );
    const any = app.findings.findIndex(finding => finding.severity !== 'note');
    if (first >= 0) app.showFinding(first);
    else {
        if (rows > 0) app.showInterleaving(0);
        if (any >= 0) app.showFinding(any);
    }
}

/** Verdict and headline, before anything else is unpacked. */
function first(trace: Trace): void {
    const finding = trace.result.findings.find(f => f.severity !== 'note');
    replace(
        document.body,
        h('header', { class: 'top' }, header(trace)),
        finding
            ? h(
                  'div',
                  { class: `card ${finding.severity}` },
                  h('p', { class: 'sentence' }, messageOf(finding)),
              )
            : null,
        ...document.querySelectorAll('dialog'),
    );
}

async function start(): Promise<void> {
    restoreTheme();
    try {
        const data = document.getElementById('isp-data');
        const trace = Trace.open(data?.textContent ?? '');
        data?.remove();
        first(trace);
        await new Promise(painted => requestAnimationFrame(() => setTimeout(painted)));
        await trace.unpack();
        build(new App(trace));
        requestAnimationFrame(() =>
            setTimeout(
                () => (document.documentElement.dataset.ready = String(Math.round(performance.now()))),
            ),
        );
    } catch (error) {
        replace(
            document.body,
            h(
                'p',
                { class: 'broken', role: 'alert' },
                `This page is broken, or the browser is too old (needed: one of 2023 or later): ` +
                    `${error instanceof Error ? error.message : error}`,
            ),
        );
        throw error;
    }
}

void start();
