// SPDX-License-Identifier: BSD-3-Clause
// isp dap with the client that Visual Studio Code's own adapters are tested with
// (@vscode/debugadapter-testsupport): one session from the start of a program, one at a finding. What was
// said is written down, and printed if something is not as expected.
//
// usage: session.js ISP PROGRAM SOURCE
const assert = require('assert');
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [isp, program, source] = process.argv.slice(2).map(name => path.resolve(name));
const here = fs.mkdtempSync(path.join(os.tmpdir(), 'dap-'));
const said = [];

const lines = fs.readFileSync(source, 'utf8').split('\n');
const lineOf = text => lines.findIndex(line => line.includes(text)) + 1;

// Requests and events, as a transcript.
function record(client) {
    const send = client.send.bind(client);
    client.send = async (command, args) => {
        said.push(`-> ${command} ${JSON.stringify(args ?? {})}`);
        const response = await send(command, args);
        said.push(`<- ${JSON.stringify(response.body ?? {})}`);
        return response;
    };
    for (const name of ['stopped', 'output', 'terminated', 'exited', 'initialized'])
        client.on(name, event => said.push(`   ${name} ${JSON.stringify(event.body ?? {})}`));
}

// isp dap, up to where it is configured.
async function begin(request, args, configure = async () => {}) {
    const c = new DebugClient(isp, 'dap', 'isp', { env: { ...process.env, TMPDIR: here } });
    c.defaultTimeout = 60000;
    record(c);
    await c.start();
    const can = (await c.initializeRequest()).body;
    const initialized = c.waitForEvent('initialized');
    await c.send(request, args);
    await initialized;
    await configure(c);
    const stopped = c.waitForEvent('stopped');
    await c.configurationDoneRequest();
    return { c, can, at: (await stopped).body };
}

// A request that moves ranks: where they have stopped then.
async function move(c, command, args) {
    const stopped = c.waitForEvent('stopped');
    const response = await c.send(command, args);
    return { ...(await stopped).body, response: response.body };
}

async function frameOf(c, threadId) {
    return (await c.stackTraceRequest({ threadId })).body.stackFrames[0];
}

async function valueOf(c, expression, frameId) {
    return (await c.evaluateRequest({ expression, frameId, context: 'watch' })).body.result;
}

async function end(c) {
    const terminated = c.waitForEvent('terminated');
    await c.send('terminate', {});
    await terminated;
    await c.stop(); // by disconnect
}

async function checkVariables(c, frame) {
    const scope = (await c.scopesRequest({ frameId: frame.id })).body.scopes[0];
    const variables = (await c.variablesRequest({ variablesReference: scope.variablesReference })).body
        .variables;
    const second = variables.find(v => v.name === 'second');
    const parts = (await c.variablesRequest({ variablesReference: second.variablesReference })).body
        .variables;
    assert.deepStrictEqual(
        parts.map(p => p.name),
        ['index', 'weight', 'next'],
    );
    const next = await c.variablesRequest({ variablesReference: parts[2].variablesReference });
    assert.strictEqual(next.body.variables[0].value, '1');
    assert.strictEqual(await valueOf(c, next.body.variables[0].evaluateName, frame.id), '1');
    const change = { variablesReference: second.variablesReference, name: 'index', value: '7' };
    assert.strictEqual((await c.setVariableRequest(change)).body.value, '7');
    assert.strictEqual(await valueOf(c, 'second.index', frame.id), '7');
}

async function checkSteps(c) {
    const line = lineOf('add(value);');
    const at = async () => (await frameOf(c, 1)).line;
    assert.strictEqual(await at(), line);
    assert.strictEqual((await move(c, 'stepIn', { threadId: 1 })).reason, 'step');
    assert.strictEqual((await frameOf(c, 1)).name, 'add');
    await move(c, 'stepOut', { threadId: 1 });
    await move(c, 'stepBack', { threadId: 1 });
    assert.strictEqual(await at(), line);
    await move(c, 'next', { threadId: 1, singleThread: true });
    assert.strictEqual(await at(), lineOf('if (argc > 1)'));
    await move(c, 'stepBack', { threadId: 1 });
    await move(c, 'stepBack', { threadId: 1 });
    assert.strictEqual((await frameOf(c, 1)).name, 'main, in MPI_Recv');
}

// Forward over all changes of a variable, and back.
async function checkData(c) {
    const name = (await c.send('dataBreakpointInfo', { name: 'total' })).body;
    const set = await c.send('setDataBreakpoints', {
        breakpoints: [{ dataId: name.dataId, accessType: 'write' }],
    });
    assert.strictEqual(set.body.breakpoints[0].verified, true);
    for (const text of ['total: 0 -> 10', 'total: 10 -> 30']) {
        const stop = await move(c, 'continue', { threadId: 1 });
        assert.deepStrictEqual([stop.reason, stop.text], ['data breakpoint', text]);
    }
    assert.strictEqual((await move(c, 'reverseContinue', { threadId: 1 })).text, 'total: 0 -> 10');
    assert.strictEqual((await move(c, 'reverseContinue', { threadId: 1 })).reason, 'entry');
    await c.send('setDataBreakpoints', { breakpoints: [] });
}

// Of the third hit of a function that each rank calls once or twice there is none.
async function checkConditions(c) {
    const set = { name: 'add', hitCondition: '2', condition: 'value == 20' };
    await c.send('setFunctionBreakpoints', { breakpoints: [set] });
    assert.strictEqual((await move(c, 'continue', { threadId: 1 })).reason, 'end');
    await move(c, 'isp/goto', { to: 'start' });
    await c.send('setFunctionBreakpoints', { breakpoints: [{ name: 'add', hitCondition: '2' }] });
    for (let i = 0; i < 2; i++) {
        const stop = await move(c, 'continue', { threadId: 1 });
        assert.deepStrictEqual([stop.reason, stop.hitBreakpointIds.length], ['breakpoint', 1]);
        assert.strictEqual(await valueOf(c, 'value', (await frameOf(c, 1)).id), '20');
        await move(c, 'isp/goto', { to: 'start' });
    }
    await c.send('setFunctionBreakpoints', { breakpoints: [] });
}

async function checkGoto(c) {
    const line = lineOf('MPI_Send(');
    const { targets } = (await c.send('gotoTargets', { source: { path: source }, line })).body;
    assert.deepStrictEqual(
        targets.map(t => t.label.split(' MPI')[0]),
        ['rank 1, call 1:0', 'rank 2, call 2:0', 'the next time that the rank comes to this line'],
    );
    assert.strictEqual((await move(c, 'goto', { threadId: 1, targetId: targets[1].id })).threadId, 3);
    assert.strictEqual((await frameOf(c, 3)).line, line);
}

async function fromTheStart() {
    const breakpoints = [{ line: lineOf('add(value);') }];
    const { c, can, at } = await begin('launch', { program, n: 3 }, async client => {
        const set = await client.setBreakpointsRequest({ source: { path: source }, breakpoints });
        assert.strictEqual(set.body.breakpoints[0].verified, true);
    });
    assert.ok(can.supportsStepBack && can.supportsDataBreakpoints && can.supportsGotoTargetsRequest);
    assert.deepStrictEqual([at.reason, at.threadId, at.allThreadsStopped], ['breakpoint', 1, true]);
    const { threads } = (await c.threadsRequest()).body;
    assert.deepStrictEqual(
        threads.map(t => [t.id, t.name.split(':')[0]]),
        [0, 1, 2].map(r => [r + 1, `rank ${r}`]),
    );
    await checkSteps(c);
    await c.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await checkData(c);
    await checkConditions(c);
    await checkGoto(c);
    await checkVariables(c, await frameOf(c, 3));
    const typed = await c.evaluateRequest({ expression: ':where', context: 'repl' });
    assert.match(typed.body.result, /^rank 2 stands in/);
    await end(c);
}

async function checkOwnRequests(c) {
    const ask = async (request, args = {}) => (await c.send(request, args)).body;
    const finding = await ask('isp/finding');
    assert.deepStrictEqual([finding.ending, finding.interleaving], ['deadlock', [1]]);
    assert.match(finding.finding, /waits in MPI_Recv for rank 2/);
    const { ranks } = await ask('isp/ranks');
    assert.deepStrictEqual(
        ranks.map(r => [r.standing, r.call]),
        [
            ['waits', 'MPI_Recv(from 2, tag 0)'],
            ['waits', 'MPI_Send(to 0, tag 0)'],
            ['stands', 'MPI_Finalize'],
        ],
    );
    const { queue } = await ask('isp/queue');
    assert.deepStrictEqual(
        queue.map(o => [o.rank, o.kind, o.matched]),
        [
            [0, 'receive', false],
            [1, 'send', false],
        ],
    );
    const cause = await move(c, 'isp/goto', { to: 'choice' });
    assert.strictEqual(cause.threadId, 1);
    const sender = await move(c, 'isp/sender', { threadId: 1 });
    assert.deepStrictEqual([sender.response.event, sender.threadId], ['2:0', 3]);
    const receive = await move(c, 'isp/follow', { threadId: 3 });
    assert.deepStrictEqual([receive.response.event, receive.threadId], ['0:0', 1]);
    const { choices } = await ask('isp/choices', { threadId: 1 });
    assert.deepStrictEqual(
        choices.map(k => k.taken),
        [false, true],
    );
}

async function atAFinding() {
    const result = path.join(here, 'result.json');
    try {
        execFileSync(isp, ['-q', '-n', '3', '--json', result, program], { stdio: 'ignore', cwd: here });
    } catch {
        // it has findings
    }
    const { c, at } = await begin('attach', { result });
    assert.strictEqual(at.reason, 'exception');
    assert.match(at.text, /\[deadlock\]/);
    assert.strictEqual(
        (await c.send('exceptionInfo', { threadId: at.threadId })).body.exceptionId,
        'deadlock',
    );
    await checkOwnRequests(c);
    await move(c, 'isp/choose', { threadId: 1, choice: 0 });
    const stop = await move(c, 'continue', { threadId: 1 });
    assert.strictEqual(stop.reason, 'end');
    await move(c, 'stepBack', { threadId: 1 });
    const frame = await frameOf(c, 1);
    assert.strictEqual(frame.name, 'main, in MPI_Finalize');
    const why = await move(c, 'isp/why', { threadId: 1, expression: 'value' });
    assert.deepStrictEqual([why.response.kind, why.response.sent, why.threadId], ['given', '2:0', 3]);
    const line = await move(c, 'isp/why', {});
    assert.strictEqual(line.response.kind, 'line');
    await end(c);
}

(async () => {
    try {
        await fromTheStart();
        await atAFinding();
        fs.writeFileSync('dap-session.txt', said.join('\n') + '\n');
        console.log(`${said.length} messages, in dap-session.txt`);
    } catch (error) {
        console.log(said.join('\n'));
        console.log(error);
        process.exitCode = 1;
    }
    fs.rmSync(here, { recursive: true, force: true });
    process.exit(); // isp dap ends with its input
})();
