// SPDX-License-Identifier: BSD-3-Clause
// Colours for a line of C, C++ or Fortran: words of the language, MPI's names, texts, numbers, comments. A
// line is all that is looked at, and where a block comment goes on from line to line it is told from outside.
import { h } from './dom';

const cWords =
    'auto bool break case catch char class const constexpr continue default delete do double else ' +
    'enum extern false float for goto if inline int long namespace new nullptr NULL private ' +
    'public register return short signed sizeof static struct switch template this throw true try ' +
    'typedef typename union unsigned using virtual void volatile while size_t';
const fortranWords =
    'allocatable allocate call case character close contains cycle deallocate dimension do double ' +
    'else elseif end enddo endif exit function if implicit in inout integer intent interface kind ' +
    'logical module none only open out parameter pointer precision print procedure program public ' +
    'private read real return save select stop subroutine target then type use while write';
const c = new Set(cWords.split(' ')),
    fortran = new Set(fortranWords.split(' '));
/* comment, text, directive, word, number */
const rest = /(^\s*#\s*\w+)|([A-Za-z_]\w*)|(\b\d[\w.]*)/.source;
const cToken = new RegExp(
    /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|/.source + rest,
    'g',
);
const fortranToken = new RegExp(/(!.*)|("[^"]*"?|'[^']*'?)|/.source + rest, 'g');

function isFortran(file: string): boolean {
    return /\.f(or|\d\d|pp)?$/i.test(file);
}

/** Of each line, whether it begins within a block comment. */
export function insideComments(file: string, lines: string[]): boolean[] {
    let inside = false;
    return lines.map(line => {
        const before = inside;
        if (isFortran(file)) return false;
        for (const mark of line.replace(/"(?:\\.|[^"\\])*"/g, '').match(/\/\/|\/\*|\*\//g) ?? []) {
            if (inside) inside = mark !== '*/';
            else if (mark === '//') break;
            else inside = mark === '/*';
        }
        return before;
    });
}

/** The parts of a line, as text and elements. */
export function highlighted(file: string, line: string, inComment: boolean): (Node | string)[] {
    const parts: (Node | string)[] = [];
    let at = 0;
    if (inComment) {
        const end = line.indexOf('*/');
        at = end < 0 ? line.length : end + 2;
        parts.push(h('span', { class: 'hl-comment' }, line.slice(0, at)));
    }
    const words = isFortran(file) ? fortran : c;
    for (const match of line.matchAll(isFortran(file) ? fortranToken : cToken)) {
        if (match.index! < at) continue;
        const [text, comment, quoted, directive, word, digits] = match;
        const style = comment
            ? 'comment'
            : quoted
              ? 'string'
              : directive
                ? 'word'
                : word
                  ? /^P?MPIX?_/i.test(word)
                      ? 'mpi'
                      : words.has(isFortran(file) ? word.toLowerCase() : word)
                        ? 'word'
                        : ''
                  : digits
                    ? 'number'
                    : '';
        if (!style) continue;
        parts.push(line.slice(at, match.index), h('span', { class: `hl-${style}` }, text));
        at = match.index! + text.length;
    }
    parts.push(line.slice(at));
    return parts;
}
