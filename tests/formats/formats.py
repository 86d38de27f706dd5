# SPDX-License-Identifier: BSD-3-Clause
"""Checks the files that isp writes for programs: each against its schema, and that each of them tells the
same findings."""

import json
import os
import subprocess
import urllib.parse
import xml.etree.ElementTree

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NAMES = ("json", "sarif", "junit")  # the options, and what the files end with


class Wrong(Exception):
    pass


def options(folder):
    """Options that make isp write all files into the folder."""
    return [word for name in NAMES for word in (f"--{name}", os.path.join(folder, f"result.{name}"))]


def load(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def check_schema(validator, value, what):
    for error in validator.iter_errors(value):
        raise Wrong(f"{what}: at {'/'.join(map(str, error.path))}: {error.message[:300]}")


class Schemas:
    """SARIF's is the standard's own (./dev test fetches it); JSON's is in docs; JUnit has none, so there is
    ours."""

    def __init__(self, sarif):
        if not os.path.exists(sarif):
            raise Wrong(f"{sarif} is not there: ./dev test fetches it")
        formats = jsonschema.FormatChecker()
        self.sarif = jsonschema.Draft4Validator(load(sarif), format_checker=formats)
        self.json = jsonschema.Draft202012Validator(
            load(os.path.join(ROOT, "docs/result.schema.json")), format_checker=formats
        )

    def check(self, folder):
        check_schema(self.json, load(os.path.join(folder, "result.json")), "json")
        check_schema(self.sarif, load(os.path.join(folder, "result.sarif")), "sarif")
        done = subprocess.run(
            [
                "xmllint",
                "--nonet",
                "--noout",
                "--schema",
                os.path.join(HERE, "junit.xsd"),
                os.path.join(folder, "result.junit"),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Wrong(f"junit: {done.stderr[:300]}")


def same(what, one, other):
    if one != other:
        raise Wrong(f"{what}: {one!r} and {other!r}")


# ---- SARIF ----


def path_of(location):
    """(path, line, function) of a SARIF location, as the JSON has them."""
    physical = location.get("physicalLocation", {})
    artifact = physical.get("artifactLocation", {})
    uri = artifact.get("uri")
    path = urllib.parse.unquote(uri) if uri else None
    if uri and uri.startswith("file://"):
        path = path[len("file://") :]
    elif uri:
        same("base of a relative path", artifact.get("uriBaseId"), "SRCROOT")
    logical = location.get("logicalLocations", [{}])
    return path, physical.get("region", {}).get("startLine"), logical[0].get("name")


def place_of(site):
    return site["file"], site["line"], site["function"]


def literal(text):
    """As a SARIF message writes it."""
    return text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")


def check_sarif_result(result, finding, rules, program):
    what = f"sarif: {finding['rule']}: "
    same(what + "rule", (result["ruleId"], result["level"]), (finding["rule"], finding["severity"]))
    same(what + "index", rules[result["ruleIndex"]]["id"], finding["rule"])
    text = result["message"]["text"]
    if not text.startswith(literal(finding["message"]) + "\n") or literal(finding["story"]) not in text:
        raise Wrong(what + "message or story is not in its text")
    for key in "ranks", "count", "interleaving", "buffered", "critical", "replay":
        same(what + key, result["properties"].get(key), finding[key])
    sites = finding["sites"] or [{"file": None, "line": None, "function": None}]
    first = path_of(result["locations"][0])
    same(
        what + "place",
        first if sites[0]["file"] else first[1:],
        place_of(sites[0]) if sites[0]["file"] else (None, sites[0]["function"]),
    )
    same(what + "program as place", first[0] == program, sites[0]["file"] is None)
    critical = finding["critical"]
    others = [place_of(site) for site in sites[1:]] + (
        [(critical["file"], critical["line"], None)] if critical else []
    )
    same(what + "other places", [path_of(place) for place in result.get("relatedLocations", [])], others)


def check_flow(result, finding, ranks):
    """The interleaving: one flow for each of its ranks, in order."""
    what = f"sarif: {finding['rule']}: code flow: "
    flows = {flow["id"]: flow["locations"] for flow in result["codeFlows"][0]["threadFlows"]}
    shown = {int(name.split()[1].rstrip(",")) for name in flows}
    # else a rank may have died before its first call, nobody knows where
    known = any(site["file"] for site in finding["sites"])
    if ranks <= 16 and not (set(finding["ranks"]) if known else set()) <= shown <= set(range(ranks)):
        raise Wrong(what + f"ranks {finding['ranks']}, shown {shown}")
    for name, locations in flows.items():
        orders = [location["executionOrder"] for location in locations if "executionOrder" in location]
        if (
            orders != sorted(set(orders))
            or not locations
            or "executionOrder" in locations[-1]
            and len(orders) < len(locations)
        ):
            raise Wrong(what + f"{name} is not in order: {orders}")
    essential = {
        int(name.split()[1].rstrip(","))
        for name, locations in flows.items()
        if locations[-1]["importance"] == "essential"
    }
    if finding["rule"] == "deadlock" and not set(finding["ranks"]) <= essential:
        raise Wrong(what + f"ranks {finding['ranks']} are stuck, essential are the last calls of {essential}")


def check_sarif(result, sarif):
    same("sarif: runs", len(sarif["runs"]), 1)
    run = sarif["runs"][0]
    rules, found = run["tool"]["driver"]["rules"], run["results"]
    same("sarif: number of findings", len(found), len(result["findings"]))
    for one, finding in zip(found, result["findings"]):
        check_sarif_result(one, finding, rules, result["command"][0])
        same(
            f"sarif: {finding['rule']}: an interleaving as code flow",
            "codeFlows" in one,
            finding["interleaving"] is not None and result["calls"] > 0 and not finding["predicted"],
        )
        if "codeFlows" in one:
            check_flow(one, finding, result["ranks"])
    same("sarif: rules", {rule["id"] for rule in rules}, {finding["rule"] for finding in result["findings"]})
    prints = [one["partialFingerprints"]["isp/v1"] for one in found]
    same("sarif: different fingerprints", len(set(prints)), len(prints))
    invocation = run["invocations"][0]
    same(
        "sarif: exit code",
        (invocation["exitCode"], invocation["executionSuccessful"]),
        (result["invocation"]["exit_code"], True),
    )
    told = [
        (one["level"], one["descriptor"]["id"]) for one in invocation.get("toolExecutionNotifications", [])
    ]
    same(
        "sarif: incomplete, and assumptions",
        told,
        [("warning", "incomplete")] * (not result["complete"])
        + [("note", "assumption")] * len(result["assumptions"]),
    )


# ---- JUnit ----


def block(finding):
    """A finding as it stands in a failure."""
    site = (finding["sites"] or [{"file": None, "line": None}])[0]
    place = f"{site['file']}:{site['line']}: " if site["file"] and site["line"] else ""
    replay = f"replay: {finding['replay']}\n" if finding["replay"] else ""
    return (
        f"{place}{finding['severity']}: {finding['message']} [{finding['rule']}]\n{finding['story']}{replay}"
    )


def check_junit(result, root):
    suite = root.find("testsuite")
    cases, told = suite.findall("testcase"), []
    findings = [finding for finding in result["findings"] if finding["severity"] != "note"]
    for case in cases:
        for outcome in list(case):
            rest = outcome.text or ""
            for number, finding in enumerate(findings):
                if number not in told and block(finding) in rest:
                    rest = rest.replace(block(finding), "", 1)
                    told.append(number)
            same(f"junit: {case.get('name')}: text that is no finding", rest.strip(), "")
    same("junit: findings", sorted(told), list(range(len(findings))))
    counts = {
        key: len(suite.findall(f"testcase/{element}"))
        for key, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    for element in root, suite:
        same(
            "junit: counts",
            {key: int(element.get(key)) for key in ("tests", *counts)},
            {"tests": len(cases), **counts},
        )
    same("junit: red", counts["failures"] + counts["errors"] > 0, result["verdict"] != "clean")
    return {case.get("name") for case in cases if list(case)}


def check(folder, schemas):
    """All that there is to check of the files of one run; the names of the test cases that are not green."""
    schemas.check(folder)
    result = load(os.path.join(folder, "result.json"))
    check_sarif(result, load(os.path.join(folder, "result.sarif")))
    return check_junit(result, xml.etree.ElementTree.parse(os.path.join(folder, "result.junit")).getroot())
