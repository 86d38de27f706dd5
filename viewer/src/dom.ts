// SPDX-License-Identifier: BSD-3-Clause
// Elements. Whatever the program wrote only ever becomes text nodes and attribute values here; nothing is
// parsed as HTML.

type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Child = Node | string | number | null | undefined | false;

function fill<E extends Element>(element: E, attributes: Record<string, Value>, children: Child[]): E {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
        else if (value === true) element.setAttribute(name, '');
        else if (value !== false && value !== null && value !== undefined)
            element.setAttribute(name, String(value));
    }
    for (const child of children)
        if (child !== null && child !== undefined && child !== false)
            element.append(child instanceof Node ? child : String(child));
    return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

export function replace(parent: Element, ...children: Child[]): void {
    parent.replaceChildren();
    fill(parent, {}, children);
}

/** A button that copies text, and says so. */
export function copyButton(text: string, what: string): HTMLElement {
    const button = h('button', { type: 'button', class: 'quiet', 'aria-label': `copy ${what}` }, 'Copy');
    button.addEventListener('click', async () => {
        const done = await copy(text);
        button.textContent = done ? 'Copied' : 'Press Ctrl+C';
        setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    return button;
}

/* Pages from disk may not use the clipboard's interface in every browser: then the old way. */
async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = h('textarea', { class: 'unseen', 'aria-hidden': 'true' });
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy');
        area.remove();
        return done;
    }
}

export function plural(n: number, word: string): string {
    return `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
}

/** 1, 2 and 5 */
export function listed(items: (string | number)[], joint = 'and'): string {
    if (items.length < 2) return items.join('');
    return `${items.slice(0, -1).join(', ')} ${joint} ${items[items.length - 1]}`;
}
