// SPDX-License-Identifier: BSD-3-Clause
// The extension: isp dap as a debugger, and results of isp as problems.
import * as path from 'path';
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Problem, problemsOf } from './problems';
import { Views } from './views';

const severities = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    note: vscode.DiagnosticSeverity.Information,
};

// ---- results ----

const lineOf = (line: number) => new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);

function diagnosticOf(problem: Problem): vscode.Diagnostic {
    const d = new vscode.Diagnostic(lineOf(problem.at.line), problem.message, severities[problem.severity]);
    d.source = 'isp';
    d.code = problem.rule;
    d.relatedInformation = problem.related.map(
        p =>
            new vscode.DiagnosticRelatedInformation(
                new vscode.Location(vscode.Uri.file(p.file), lineOf(p.line)),
                p.text,
            ),
    );
    return d;
}

class Results {
    private readonly diagnostics = vscode.languages.createDiagnosticCollection('isp');
    private problems: Problem[] = [];
    private file?: vscode.Uri;

    constructor(context: vscode.ExtensionContext) {
        context.subscriptions.push(
            this.diagnostics,
            vscode.commands.registerCommand('isp.loadResult', (file?: vscode.Uri) => this.load(file)),
            vscode.commands.registerCommand('isp.clearResult', () => this.clear()),
            vscode.commands.registerCommand('isp.debugFinding', () => this.debug()),
        );
    }

    private clear() {
        this.diagnostics.clear();
        this.problems = [];
        this.file = undefined;
    }

    private async load(given?: vscode.Uri): Promise<boolean> {
        const picked = given
            ? [given]
            : await vscode.window.showOpenDialog({
                  title: 'A result of isp --json or --sarif',
                  filters: { 'Results of isp': ['json', 'sarif'] },
              });
        if (!picked?.length) return false;
        try {
            const content = Buffer.from(await vscode.workspace.fs.readFile(picked[0])).toString('utf8');
            this.show(picked[0], problemsOf(content, path.dirname(picked[0].fsPath)));
            return true;
        } catch (error) {
            void vscode.window.showErrorMessage(`isp: ${picked[0].fsPath}: ${(error as Error).message}`);
            return false;
        }
    }

    private show(file: vscode.Uri, problems: Problem[]) {
        this.clear();
        this.file = file;
        this.problems = problems;
        const files = new Map<string, vscode.Diagnostic[]>();
        for (const p of problems) files.set(p.at.file, [...(files.get(p.at.file) ?? []), diagnosticOf(p)]);
        for (const [name, list] of files) this.diagnostics.set(vscode.Uri.file(name), list);
    }

    private async debug() {
        if (!this.file && !(await this.load())) return;
        const picked = await vscode.window.showQuickPick(
            this.problems
                .filter(p => p.finding !== undefined)
                .map(p => ({
                    label: p.message.split('\n')[0],
                    description: `${path.basename(p.at.file)}:${p.at.line} [${p.rule}]`,
                    finding: p.finding,
                })),
            { title: 'isp: which finding? (SARIF has no words to run it again: load the JSON result)' },
        );
        if (picked && this.file)
            await vscode.debug.startDebugging(undefined, {
                type: 'isp',
                request: 'attach',
                name: picked.label,
                result: this.file.fsPath,
                finding: picked.finding,
            });
    }
}

// ---- the debugger ----

function describeAdapter(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const port = session.configuration.port;
    if (typeof port === 'number') return new vscode.DebugAdapterServer(port, '127.0.0.1');
    const isp = vscode.workspace.getConfiguration('isp').get<string>('path') || 'isp';
    const folder = session.workspaceFolder?.uri.fsPath;
    return new vscode.DebugAdapterExecutable(isp, ['dap'], folder ? { cwd: folder } : undefined);
}

export function activate(context: vscode.ExtensionContext) {
    new Results(context);
    new Views(context);
    registerCommands(context);
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory('isp', {
            createDebugAdapterDescriptor: describeAdapter,
        }),
        vscode.debug.registerDebugConfigurationProvider('isp', {
            provideDebugConfigurations: () => [
                {
                    type: 'isp',
                    request: 'launch',
                    name: 'isp: 3 ranks',
                    program: '${workspaceFolder}/app',
                    n: 3,
                },
            ],
        }),
    );
}
