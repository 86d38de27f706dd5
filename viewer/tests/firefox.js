// SPDX-License-Identifier: BSD-3-Clause
// The page in Debian's Firefox, by its own remote protocol (Marionette: length, colon, JSON). firefox.js
// FIREFOX PAGE.html OUTPUT_FOLDER: all pages are shown, nothing overlaps or is cut off, steps go where they
// do in Chromium.
'use strict';
const assert = require('assert').strict;
const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { layoutFaults } = require('./layout');
const { pagesIn } = require('./pages');

const [firefox, template, folder] = process.argv.slice(2);
const PAGES = ['race', 'miss-16', 'miss-512-6', 'farm-64', 'irregular-3000-4', 'late-6'];
const PATIENCE_MS = 60000;

const later = ms => new Promise(done => setTimeout(done, ms));

/** Messages of Marionette as they come. */
class Marionette {
    constructor(socket) {
        this.socket = socket;
        this.bytes = Buffer.alloc(0);
        this.waiting = [];
        this.last = 0;
        socket.on('data', data => {
            this.bytes = Buffer.concat([this.bytes, data]);
            for (let colon; (colon = this.bytes.indexOf(':')) >= 0; ) {
                const end = colon + 1 + Number(this.bytes.subarray(0, colon));
                if (this.bytes.length < end) return;
                const message = JSON.parse(this.bytes.subarray(colon + 1, end));
                this.bytes = this.bytes.subarray(end);
                this.waiting.shift()?.(message);
            }
        });
    }

    next() {
        return new Promise(done => this.waiting.push(done));
    }

    async ask(name, parameters = {}) {
        const text = JSON.stringify([0, ++this.last, name, parameters]);
        this.socket.write(`${Buffer.byteLength(text)}:${text}`);
        const [, , error, result] = await this.next();
        if (error) throw new Error(`${name}: ${error.message}`);
        return result;
    }

    async run(script) {
        return (await this.ask('WebDriver:ExecuteScript', { script, args: [] })).value;
    }
}

function freePort() {
    return new Promise(done => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });
}

async function connect(port) {
    for (const until = Date.now() + PATIENCE_MS; ; await later(100)) {
        try {
            return await new Promise((done, failed) => {
                const socket = net.connect(port, '127.0.0.1', () => done(socket));
                socket.on('error', failed);
            });
        } catch (error) {
            if (Date.now() > until) throw error;
        }
    }
}

async function look(marionette, pageFile) {
    await marionette.next();
    await marionette.ask('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
    await marionette.ask('WebDriver:SetWindowRect', { width: 1280, height: 885 });
    for (const name of PAGES) {
        await marionette.ask('WebDriver:Navigate', { url: `file://${pageFile(name)}` });
        for (const until = Date.now() + PATIENCE_MS; ; await later(50)) {
            if (await marionette.run('return document.documentElement.dataset.ready')) break;
            assert.ok(Date.now() < until, `${name} is not shown`);
        }
        assert.deepEqual(await marionette.run(`${layoutFaults}; return layoutFaults();`), [], name);
        const shot = await marionette.ask('WebDriver:TakeScreenshot', { full: false });
        fs.writeFileSync(path.join(folder, `firefox-${name}.png`), Buffer.from(shot.value, 'base64'));
        const went = await marionette.run(`
            const at = () => document.querySelector('.toolbar .position').textContent;
            const seen = [];
            for (const action of ['first', 'next', 'last']) {
                document.querySelector('[data-action=' + action + ']').click();
                seen.push(at(), document.querySelectorAll('#diagram .call.selected').length);
            }
            return seen;`);
        assert.deepEqual([went[0], went[2]], ['call 0:0', 'call 0:1'], name);
        assert.deepEqual([went[1], went[3], went[5]], [1, 1, 1], `${name}: the selected call is drawn`);
        console.log(`ok ${name} in Firefox`);
    }
    await marionette.ask('Marionette:Quit', { flags: ['eForceQuit'] });
}

async function main() {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'isp-firefox-'));
    const port = await freePort();
    fs.writeFileSync(path.join(profile, 'user.js'), `user_pref("marionette.port", ${port});\n`);
    const browser = spawn(firefox, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
        stdio: 'ignore',
        env: { ...process.env, HOME: profile },
    });
    const ended = new Promise(done => browser.on('exit', done));
    try {
        await look(new Marionette(await connect(port)), pagesIn(template, folder));
        await ended;
    } finally {
        browser.kill();
        await ended;
        fs.rmSync(profile, { recursive: true, force: true });
    }
}

main().then(
    () => process.exit(0),
    error => {
        console.error(error);
        process.exit(1);
    },
);
