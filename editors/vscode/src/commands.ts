// SPDX-License-Identifier: BSD-3-Clause
// Commands that go through time: requests of isp's own.
import * as vscode from 'vscode';
import { Operation, Rank } from './views';

// Of the item of a view that was clicked, or of the thread that is looked at.
function threadOf(item?: Rank): { threadId?: number } {
    if (item?.threadId) return { threadId: item.threadId };
    const active = (vscode.debug as { activeStackItem?: { threadId?: number } }).activeStackItem;
    return active?.threadId ? { threadId: active.threadId } : {};
}

async function ask(request: string, args: object): Promise<any> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== 'isp') {
        void vscode.window.showErrorMessage('isp: nothing is debugged with isp');
        return undefined;
    }
    try {
        return await session.customRequest(request, args);
    } catch (error) {
        void vscode.window.showErrorMessage(`isp: ${(error as Error).message}`);
        return undefined;
    }
}

function selected(): string {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return '';
    const word = editor.document.getWordRangeAtPosition(editor.selection.active);
    return editor.document.getText(editor.selection.isEmpty ? word : editor.selection);
}

async function why() {
    const value = selected();
    const expression = await vscode.window.showInputBox({
        prompt: 'Where does the value come from? Nothing: on from the last message',
        value,
    });
    if (expression === undefined) return;
    const answer = await ask('isp/why', expression ? { ...threadOf(), expression } : {});
    const words: { [kind: string]: string } = {
        line: 'written just before this place',
        given: `it came with ${answer?.sent}; there it is ${answer?.name ?? 'not named'}`,
        reduced: `${answer?.received} has made it of what each rank gave`,
        call: `${answer?.call ?? 'a function of MPI'} has written it`,
        never: 'nobody has changed it since MPI_Init',
        left: 'nobody has set it: it is what others have left there',
        others: 'another rank has written it, by MPI_Put or shared memory',
    };
    if (answer) void vscode.window.showInformationMessage(`isp: ${words[answer.kind] ?? answer.kind}`);
}

async function choose(item?: Rank) {
    const answer = await ask('isp/choices', threadOf(item));
    if (!answer) return;
    const picked = await vscode.window.showQuickPick(
        answer.choices.map((c: { choice: number; text: string; taken: boolean }) => ({
            label: c.text,
            description: c.taken ? 'taken' : '',
            choice: c.choice,
        })) as (vscode.QuickPickItem & { choice: number })[],
        { title: `isp: what ${answer.event} could take` },
    );
    if (picked) await ask('isp/choose', { ...threadOf(item), choice: picked.choice });
}

async function goto(item?: Operation) {
    const to =
        item?.event ??
        (await vscode.window.showInputBox({ prompt: 'RANK:CALL, or start, end, finding, choice' }));
    if (to) await ask('isp/goto', { to });
}

export function registerCommands(context: vscode.ExtensionContext) {
    const commands: { [name: string]: (item?: any) => unknown } = {
        'isp.follow': item => ask('isp/follow', threadOf(item)),
        'isp.sender': item => ask('isp/sender', threadOf(item)),
        'isp.cause': item => ask('isp/cause', threadOf(item)),
        'isp.gotoFinding': () => ask('isp/goto', { to: 'finding' }),
        'isp.why': why,
        'isp.choose': choose,
        'isp.goto': goto,
    };
    for (const [name, run] of Object.entries(commands))
        context.subscriptions.push(vscode.commands.registerCommand(name, run));
}
