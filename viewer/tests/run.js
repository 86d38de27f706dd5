// SPDX-License-Identifier: BSD-3-Clause
// Tests the page in Chromium: run.js PAGE.html OUTPUT_FOLDER [name...]. A line `ok NAME` or `FAIL NAME` for
// each test; screenshots are left in OUTPUT_FOLDER.
'use strict';
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');
const fixtures = require('./fixture');
const { describe } = require('./features');

const [template, folder, ...only] = process.argv.slice(2);
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

/** A page that isp itself writes: of a C program, with so many ranks. */
function realPage(program, ranks) {
    const name = path.basename(program, '.c'),
        exe = path.join(folder, name),
        file = `${exe}.html`;
    execFileSync('mpicc', ['-g', '-O0', '-o', exe, program]);
    fs.rmSync(file, { force: true });
    const isp = spawnSync(process.env.ISP, ['-n', String(ranks), '--html', file, exe], {
        timeout: 60000,
        encoding: 'utf-8',
    });
    if (!fs.existsSync(file)) throw new Error(`isp wrote no page: ${isp.stderr}`);
    return file;
}

/** Pages are written once, however many tests look at them. */
const written = new Map();
function pageFile(name) {
    if (!written.has(name) && name.endsWith('.c'))
        written.set(name, realPage(path.join(__dirname, '../..', name.split(' ')[1]), parseInt(name)));
    if (!written.has(name)) {
        const [make, ...sizes] = name.split('-');
        const file = path.join(folder, `${name}.html`);
        fs.writeFileSync(file, fixtures[make](...sizes.map(Number)).page(fs.readFileSync(template, 'utf-8')));
        written.set(name, file);
    }
    return written.get(name);
}

async function run(browser, name, { page: pageName, hash = '', options = {}, test }) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const errors = [];
    page.setDefaultTimeout(8000);
    page.on('pageerror', error => errors.push(error.stack ?? error.message));
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    page.on(
        'request',
        request => /^(file|data|about):/.test(request.url()) || errors.push(`it asked for ${request.url()}`),
    );
    try {
        const file = pageFile(pageName);
        await page.goto(`file://${file}${hash}`);
        await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
        await test(page, {
            file,
            shot: (what = name) =>
                page.screenshot({ path: path.join(folder, `${what.replace(/\W+/g, '-')}.png`) }),
        });
        if (errors.length) throw new Error(errors.join('\n'));
        console.log(`ok ${name}`);
        return true;
    } catch (error) {
        console.log(`FAIL ${name}\n${String(error.stack ?? error).replace(/^/gm, '    ')}`);
        await page
            .screenshot({ path: path.join(folder, `FAILED-${name.replace(/\W+/g, '-')}.png`) })
            .catch(() => {});
        return false;
    } finally {
        await context.close();
    }
}

async function main() {
    fs.mkdirSync(folder, { recursive: true });
    const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--disable-dev-shm-usage', ...(process.getuid() === 0 ? ['--no-sandbox'] : [])],
    });
    let good = true;
    for (const [name, test] of Object.entries(describe()))
        if (!only.length || only.some(word => name.includes(word)))
            good = (await run(browser, name, test)) && good;
    await browser.close();
    process.exit(good ? 0 : 1);
}

main();
