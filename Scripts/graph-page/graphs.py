# SPDX-License-Identifier: MIT
"""Graphs that are not made of containers: with texts of a stranger in each field, with modules as the checks want them. They
have the form of graph.schema.json."""

import copy
import pathlib
import re

import documents

HERE = pathlib.Path(__file__).resolve().parent


def graph(nodes, edges, cycles=(), findings=(), **more):
    return {
        "format": "corinth-graph", "version": 1, "nodes": nodes, "edges": edges,
        "cycles": list(cycles), "findings": list(findings), **more,
    }


def node(identifier, type_name, module="App", scope="singleton", name=None, kind="factory", arguments=None, **more):
    made = {
        "id": identifier, "key": type_name if name is None else f'{type_name} named "{name}"', "type": type_name,
        "scope": scope, "kind": kind, "module": module, "location": f"{module}/{module}Assembly.swift:{12 + identifier}",
        "level": 0, "isEager": False, "isBuilt": False, "areDependenciesKnown": True, **more,
    }
    if name is not None:
        made["name"] = name
    if arguments is not None:
        made["arguments"] = arguments
    return made


# Types that implement a protocol, in the application of `services`.
IMPLEMENTATIONS = {"Log": "LineLog", "Clock": "SystemClock", "MailTransport": "SMTPTransport", "Mailer": "QueueingMailer",
                   "Database": "PooledDatabase", "PriceList": "StoredPriceList"}
# Two modules that one assembly registers, and one that none does.
ASSEMBLIES = {"Catalog": "ShopAssembly", "Ordering": "ShopAssembly", "Configuration": None}


def edge(source, target, key, kind="direct", evidence="known"):
    made = {"source": source, "key": key, "kind": kind, "evidence": evidence}
    if target is not None:
        made["target"] = target
    return made


def services():
    """60 services of an application: a cycle, two missing keys, a captive dependency, a snapshot, a timeline."""
    nodes, wanted = [], []
    for line in (HERE / "services.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        module, scope, kind, key, dependencies = [field.strip() for field in line.split("|")]
        type_name, name = re.fullmatch(r'(\w+)(?: "(\w+)")?', key).groups()
        identifier = len(nodes)
        known = {"implementation": IMPLEMENTATIONS.get(type_name), "assembly": ASSEMBLIES.get(module, f"{module}Assembly")}
        nodes.append(node(
            identifier, type_name, module, scope, name, kind, "(Percent)" if kind == "factoryWithArguments" else None,
            isBuilt=scope in ("singleton", "weak") and identifier % 7 != 3, isEager=type_name in ("Server", "Migration"),
            areDependenciesKnown=kind != "factoryWithArguments",
            **{member: text for member, text in known.items() if text is not None},
            counts={"resolves": 40 + identifier, "constructions": 1 + identifier % 3, "failures": int(identifier == 43),
                    "constructionTime": 0.0004 * (identifier + 1)}))
        wanted.append(dependencies.split())
    by_key = {made["type"] + ('"%s"' % made["name"] if "name" in made else ""): made["id"] for made in nodes}
    edges = []
    for source, dependencies in enumerate(wanted):
        for dependency in dependencies:
            key, _, kind = dependency.partition(":")
            target = by_key.get(key)
            shown = nodes[target]["key"] if target is not None else key
            evidence = "declared" if source % 9 == 4 else "recorded" if source % 3 == 1 else "known"
            edges.append(edge(source, target, shown, kind or "direct", evidence))
    at = {made["type"]: made["id"] for made in nodes}
    cycle = [at["Stock"], at["Warehouse"]]
    findings = [
        {"kind": "missing", "nodes": [at["MailTransport"]],
         "text": "MailTransport depends on TransportSecurity, and nothing is registered under that key.\n"
                 "Register it in Mail/MailAssembly.swift, or import the assembly that does."},
        {"kind": "missing", "nodes": [at["TokenIssuer"]],
         "text": "TokenIssuer depends on KeyRing, and nothing is registered under that key."},
        {"kind": "captive", "nodes": [at["OrderReports"], at["OrderHistory"]],
         "text": "OrderReports (singleton) keeps OrderHistory (scoped), which ends with its scope.\n"
                 "Give OrderReports a provider of it, or a shorter scope."},
    ]
    snapshot = {
        "openScopes": 3, "isDraining": False, "isClosed": False, "instances": {"singleton": 31, "weak": 1},
    }
    order = ["Environment", "Clock", "Settings", "Log", "ConnectionPool", "Migration", "Router", "Server", "Mailer",
             "OutboxWorker", "HealthCheck", "Application"]
    entries, start = [], 0.0
    for position, name in enumerate(order):
        duration = 0.004 + 0.031 * (position % 4) + (0.24 if name == "ConnectionPool" else 0)
        entries.append({
            "node": at[name], "start": round(start, 4), "duration": round(duration, 4),
            "waitedFor": [at["ConnectionPool"]] if name in ("Migration", "OutboxWorker") else [],
            "task": "eager services" if position % 2 else "main",
        })
        start += duration * (0.4 if position % 3 == 1 else 0.9)
    critical = [at[name] for name in ("Settings", "ConnectionPool", "Migration", "Application")]
    return graph(nodes, edges, [cycle], findings, snapshot=snapshot,
                 timeline={"entries": entries, "criticalPath": critical})


HOSTILE = [
    "<script>window.hostile = 1</script>", "</script><script>window.hostile = 2</script>", "<!--<script>", "]]>&amp;&#x3c;",
    '"quoted" \'twice\' `thrice`', "two\nlines\tand\r\nmore", "\u202eright to left\u202c", "מסד נתונים", "قاعدة البيانات",
    "<img src=x onerror=window.hostile=3>", "a" * 3000, "\u0000\u0007", "__proto__", "constructor", "",
    "👩‍👩‍👧‍👦 e\u0301", "${window.hostile=4}", "@CORINTH-GRAPH@", "javascript:window.hostile=5", "\\", "$& $1 $`",
]


# Inside of a script element, a comment that opens a script hides its end.
HOSTILE_WITHOUT_COMMENT = [text for text in HOSTILE if "<!--" not in text]


def hostile(texts=HOSTILE):
    nodes = [node(position, text, text, text, text, text, text, location=text, implementation=text, assembly=text) for position, text in enumerate(texts)]
    edges = [edge(position, position + 1 if position + 1 < len(nodes) else None, text, text, text)
             for position, text in enumerate(texts)]
    edges += [edge(0, None, text) for text in texts] + [edge(1, 1, "itself")]
    findings = [{"kind": text, "text": text, "nodes": [position]} for position, text in enumerate(texts)]
    timeline = {"entries": [{"node": position, "start": 0, "duration": 1, "waitedFor": [0], "task": text}
                            for position, text in enumerate(texts)], "criticalPath": [0]}
    return graph(nodes, edges, [[2, 3]], findings, timeline=timeline)


def one_module():
    """1,216 services of one module in 30 files: grouped by file, since one box would show nothing."""
    made = copy.deepcopy(documents.read("debian"))
    for position, item in enumerate(made["nodes"]):
        item["module"] = "App"
        item["location"] = f"App/Assembly{position // 41}.swift:{position}"
    return made


def many_modules():
    """1,216 services in 608 modules: too many groups for the library."""
    made = copy.deepcopy(documents.read("debian"))
    for position, item in enumerate(made["nodes"]):
        item["module"] = f"Module{position // 2}"
    return made
