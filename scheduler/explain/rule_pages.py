# SPDX-License-Identifier: BSD-3-Clause
"""Makes rule_pages.c, so that isp has the pages of docs/rules with it wherever it is: rule_pages.py OUTPUT DEPFILE RULES_H FOLDER

Links between the pages become the names that they point to: in a terminal, or in a report that is read elsewhere, there is nothing to follow."""
import os
import re
import sys


def without_links(text):
    return re.sub(r'\[[^\]]*\]\((?:\.\./|)([\w-]+)\.md\)', lambda link: link[1] if link[1] in names else link[1] + '.md', text)


def without_marks(text):
    """Of the tests: whether the rule must be found there."""
    return re.sub(r'/\* @([a-z-]+)\?? \*/', r'/* \1 */', text)


def c_string(text):
    """One literal for each line."""
    escaped = text.replace('\\', '\\\\').replace('"', '\\"').replace('\t', '\\t').replace('?', '\\?')
    return '\n'.join(f'        "{line}\\n"' for line in escaped.rstrip('\n').split('\n'))


def meaning(page):
    """The whole sentences of the first paragraph, as plain text in one line."""
    text = ' '.join(re.sub(r'[`*]', '', page.split('\n\n')[1]).split())
    return text[:text.rindex('.') + 1] if '.' in text else text.rstrip(':') + '.' # a list follows


output, depfile, rules_h, folder = sys.argv[1:]
with open(rules_h, encoding='utf-8') as stream:
    rules = re.findall(r'X\((\w+), "([a-z-]+)", [A-Z]+\)', stream.read())
with open(os.path.join(folder, 'README.md'), encoding='utf-8') as stream:
    briefs = dict(re.findall(r'^\| \[([a-z-]+)\]\(\1\.md\) \| \w+ \| (.*) \|$', stream.read(), re.M))
names = {rule for _, rule in rules}

with open(output, 'w', encoding='utf-8') as out:
    out.write('/* Made by scheduler/explain/rule_pages.py from docs/rules. */\n#include "explain/rule_pages.h"\n\n'
              'const struct sched_rule_page sched_rule_pages[ISP_RULE_COUNT] = {\n')
    for constant, rule in rules:
        with open(os.path.join(folder, rule + '.md'), encoding='utf-8') as stream:
            page = without_marks(without_links(stream.read()))
        out.write(f'    [ISP_RULE_{constant}] = {{\n{c_string(briefs[rule])[:-3]}",\n{c_string(meaning(page))[:-3]}",\n{c_string(page)}}},\n')
    out.write('};\n')
with open(depfile, 'w', encoding='utf-8') as out:
    out.write(f"{output}: {rules_h} {' '.join(os.path.join(folder, name) for name in sorted(os.listdir(folder)))}\n")
