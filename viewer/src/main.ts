// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together.
import { App } from './app';
import { callTable } from './calltable';
import { findingCard } from './card';
import { Diagram, legend } from './diagram';
import { detailsPanel, outputPanel } from './details';
import { h, replace } from './dom';
import { Trace } from './data';
import { findingsPanel } from './findings';
import { header } from './header';
import { installKeys, restoreTheme, switchTheme } from './keys';
import { sourcePanel } from './source';
import { actionsOf, toolbar } from './toolbar';
import { treePanel } from './treeview';
import { describe } from './words';

function build(app: App): void {
    const live = h('div', { class: 'unseen', 'aria-live': 'polite', id: 'live' });
    app.speakThrough(live);
    const actions = actionsOf(app);
    const diagram = new Diagram(app);
    const signs = legend(app);
    const table = callTable(app);
    table.element.hidden = true;
    const details = detailsPanel(app);
    const steps = toolbar(app, actions, on => {
        diagram.element.hidden = signs.hidden = on;
        table.element.hidden = !on;
        table.show(on);
        if (!on) diagram.revealSelected(true);
    });
    const missing = h('p', { class: 'missing', role: 'status', hidden: true });
    const keys = installKeys(app, actions, {
        before: () => details.dispatchEvent(new Event('isp-before')),
        allBefore: () => details.dispatchEvent(new Event('isp-all-before')),
        table: () => document.getElementById('as-table')?.click(),
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
                    diagram.element.focus();
                },
            },
            'Skip to the picture',
        ),
        h(
            'header',
            { class: 'top' },
            header(app),
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
            { class: 'columns' },
            h(
                'aside',
                { class: 'side', 'aria-label': 'Findings and interleavings' },
                findingsPanel(app),
                rows > 0 && treePanel(app),
            ),
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
                        signs,
                        table.element,
                    ),
            ),
            rows > 0 &&
                h(
                    'aside',
                    { class: 'side right', 'aria-label': 'The selected call' },
                    sourcePanel(app),
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

async function start(): Promise<void> {
    restoreTheme();
    try {
        const data = document.getElementById('isp-data');
        const trace = await Trace.read(data?.textContent ?? '');
        data?.remove();
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
