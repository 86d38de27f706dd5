# SPDX-License-Identifier: BSD-3-Clause
"""Makes rule_pages.c, so that isp has the pages of docs/rules with it wherever it is: rule_pages.py OUTPUT
DEPFILE RULES_PY FOLDER

Links between the pages become the names that they point to: in a terminal, or in a report that is read
elsewhere, there is nothing to follow."""
import importlib.util
import os
import re
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("rules", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_links(text, names):
    return re.sub(
        r"\[[^\]]*\]\((?:\.\./|)([\w-]+)\.md\)",
        lambda link: link[1] if link[1] in names else link[1] + ".md",
        text,
    )


def without_marks(text):
    """Of the tests: whether the rule must be found there."""
    return re.sub(r"/\* @([a-z-]+)\?? \*/", r"/* \1 */", text)


def c_string(text):
    """One literal for each line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("?", "\\?")
    return "\n".join(f'        "{line}\\n"' for line in escaped.rstrip("\n").split("\n"))


def meaning(page):
    """The whole sentences of the first paragraph, as plain text in one line."""
    text = " ".join(re.sub(r"[`*]", "", page.split("\n\n")[1]).split())
    return text[: text.rindex(".") + 1] if "." in text else text.rstrip(":") + "."  # a list follows


def page_of(rule, folder, names):
    path = os.path.join(folder, rule.id + ".md")
    if not os.path.exists(path):
        sys.exit(
            f"{path} is not there: include/isp/rules.h has the rule {rule.id}, and each rule has a page. "
            "Write it as the others there are (docs/HACKING.md: Add a rule)"
        )
    with open(path, encoding="utf-8") as stream:
        page = without_marks(without_links(stream.read(), names))
    if not page.startswith(f"# {rule.id} ({rule.severity})\n\n") or len(page.split("\n\n")) < 3:
        sys.exit(
            f'{path}: it must begin with the line "# {rule.id} ({rule.severity})", '
            f"and then say what the rule means"
        )
    return page


def main(output, depfile, rules_py, folder):
    rules = load(rules_py).rules()
    names = {rule.id for rule in rules}
    pages = {rule: page_of(rule, folder, names) for rule in rules}
    with open(output, "w", encoding="utf-8") as out:
        out.write(
            "/* Made by scheduler/explain/rule_pages.py from docs/rules. */\n"
            '#include "explain/rule_pages.h"\n\n'
            "const struct sched_rule_page sched_rule_pages[ISP_RULE_COUNT] = {\n"
        )
        for rule, page in pages.items():
            out.write(
                f'    [ISP_RULE_{rule.name}] = {{\n{c_string(meaning(page))[:-3]}",\n{c_string(page)}}},\n'
            )
        out.write("};\n")
    with open(depfile, "w", encoding="utf-8") as out:
        needs = [
            rules_py,
            rules_py[:-2] + "h",
            *(os.path.join(folder, name) for name in sorted(os.listdir(folder))),
        ]
        out.write(f"{output}: {' '.join(needs)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
