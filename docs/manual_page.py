#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A document of this folder as the source of a manual page, so that formats are described in one place.

Reads what these documents use: paragraphs, headings, lists, tables, fenced code, `code`, **bold**, *emphasis*
and links. The title gives way to NAME; a table becomes a list, each row under its first cell.

usage: manual_page.py DOCUMENT.md NAME SECTION "what it is"      (scdoc's language on stdout)
"""
import re
import sys

CELL = re.compile(r"(?<!\\)\|")
# What stands in the text, in this order: code, a link, bold, emphasis.
SPAN = re.compile(r"`([^`]+)`|\[([^\]]+)\]\([^)]+\)|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*(?!\w)")
UNDERLINED, BOLD = "_", "*"


def escape(text):
    return re.sub(r"([\\*_#`~\[\]|<>+.-])", r"\\\1", text)


def words(text):
    """A line of the document as one of scdoc's. It must not begin with what scdoc reads as something else:
    escape() sees to that."""
    out, at = "", 0
    for found in SPAN.finditer(text):
        code, link, bold, emphasis = found.groups()
        out += escape(text[at : found.start()])
        if link is not None:
            out += words(link)
        elif emphasis is not None:
            out += marked(escape(emphasis), UNDERLINED)
        else:
            out += marked(escape(code if code is not None else bold), BOLD)
        at = found.end()
    return out + escape(text[at:])


def marked(text, mark):
    return mark + text + mark


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in CELL.split(line.strip().strip("|"))]


def table(rows):
    """Each row: its first cell, and below it the others; from the second of these on with their column's
    name."""
    head = cells(rows[0])
    for row in rows[2:]:
        first, *rest = cells(row)
        yield words(first)
        texts = [
            words(cell) if i == 0 else f"{words(head[i + 1])}: {words(cell)}"
            for i, cell in enumerate(rest)
            if cell
        ]
        yield "\t" + ". ".join(text.rstrip(".") for text in texts) + "."
        yield ""


def heading(line):
    """`## Words` is a section, `### Views` one below it; the page's title is not here."""
    level, text = line.split(" ", 1)
    return "# " + text.upper() if len(level) == 2 else "## " + text


def convert(text):
    """scdoc's lines of the document without its title"""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            end = lines.index("```", at + 1)
            yield from ["```", *lines[at + 1 : end], "```"]
            at = end
        elif line.startswith("|"):
            end = at
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield from table(lines[at:end])
            at = end - 1
        elif re.match(r"##+ ", line):
            yield heading(line)
        elif line.startswith("- "):
            yield "- " + words(line[2:])
        elif line.startswith("  ") and line.strip():  # goes on with an item
            yield "  " + words(line.strip())
        elif not line.startswith("# "):
            yield words(line)
        at += 1


def main(path, name, section, what):
    with open(path, encoding="utf-8") as stream:
        body = "\n".join(convert(stream.read()))
    print(
        f"{name}({section})\n\n# NAME\n\n{name} - {what}\n\n# DESCRIPTION\n{body}\n\n# SEE ALSO\n\n*isp*(1)"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
