// SPDX-License-Identifier: BSD-3-Clause
// The views "MPI ranks" and "MPI queues": what isp/ranks and isp/queue answer when ranks have stopped.
import * as path from 'path';
import * as vscode from 'vscode';

export interface Rank {
    rank: number;
    threadId: number;
    standing: 'stands' | 'waits' | 'over';
    event: string;
    place?: string;
    path?: string;
    line?: number;
    call?: string;
    what?: string;
    focus: boolean;
}

export interface Operation {
    rank: number;
    event: string;
    kind: 'send' | 'receive';
    matched: boolean;
    call: string;
    place: string;
}

const icons = { stands: 'debug-pause', waits: 'watch', over: 'circle-slash' };

// Relative paths are those of the folder in which the program was compiled; only whole ones can be opened.
function opens(rank: Rank): vscode.Command | undefined {
    if (!rank.path || !rank.line || !path.isAbsolute(rank.path)) return undefined;
    const at = new vscode.Range(rank.line - 1, 0, rank.line - 1, 0);
    return {
        command: 'vscode.open',
        title: 'open',
        arguments: [vscode.Uri.file(rank.path), { selection: at }],
    };
}

function rankItem(rank: Rank): vscode.TreeItem {
    const item = new vscode.TreeItem(`rank ${rank.rank}`);
    item.description = [rank.call ?? rank.place, rank.call && rank.place, rank.what]
        .filter(t => t)
        .join('  ');
    item.tooltip = `${rank.event} ${rank.standing} ${item.description}`;
    item.iconPath = new vscode.ThemeIcon(rank.focus ? 'debug-stackframe-focused' : icons[rank.standing]);
    item.contextValue = 'isp.rank';
    item.command = opens(rank);
    return item;
}

function operationItem(operation: Operation): vscode.TreeItem {
    const item = new vscode.TreeItem(`${operation.event}  ${operation.call}`);
    item.description = `${operation.matched ? 'matched' : 'unmatched'}  ${operation.place}`;
    item.iconPath = new vscode.ThemeIcon(operation.kind === 'send' ? 'arrow-up' : 'arrow-down');
    item.contextValue = 'isp.event';
    return item;
}

// A list without levels; empty while nothing is debugged, or ranks move.
class View<T> implements vscode.TreeDataProvider<T> {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;
    private items: T[] = [];

    constructor(private readonly item: (element: T) => vscode.TreeItem) {}

    show(items: T[]) {
        this.items = items;
        this.changed.fire();
    }

    getTreeItem(element: T): vscode.TreeItem {
        return this.item(element);
    }

    getChildren(element?: T): T[] {
        return element ? [] : this.items;
    }
}

export class Views {
    private readonly ranks = new View<Rank>(rankItem);
    private readonly queue = new View<Operation>(operationItem);

    constructor(context: vscode.ExtensionContext) {
        context.subscriptions.push(
            vscode.window.registerTreeDataProvider('isp.ranks', this.ranks),
            vscode.window.registerTreeDataProvider('isp.queue', this.queue),
            vscode.debug.registerDebugAdapterTrackerFactory('isp', {
                createDebugAdapterTracker: session => ({
                    onDidSendMessage: message => this.hear(session, message),
                    onExit: () => this.clear(),
                }),
            }),
        );
    }

    private clear() {
        this.ranks.show([]);
        this.queue.show([]);
    }

    private hear(session: vscode.DebugSession, message: { type: string; event?: string }) {
        if (message.type !== 'event') return;
        if (message.event === 'stopped') void this.refresh(session);
        if (message.event === 'terminated') this.clear();
    }

    private async refresh(session: vscode.DebugSession) {
        try {
            this.ranks.show((await session.customRequest('isp/ranks')).ranks);
            this.queue.show((await session.customRequest('isp/queue')).queue);
        } catch {
            this.clear(); // it has ended meanwhile
        }
    }
}
