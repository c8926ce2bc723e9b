# SPDX-License-Identifier: MIT
"""The documents, pages and flowcharts that Corinth makes of containers: those of Tests/Samples/GraphPages."""

import functools
import json
import os
import pathlib
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ROOT / "Benchmarks/Data/debian-bookworm-depends.tsv"
NAMES = ("debian", "none", "part", "ring", "shop", "texts", "unconnected")
folder = None


def make(into):
    global folder
    # With other flags than those of the build that is there, everything would be built again.
    flags = shlex.split(os.environ.get("SWIFT_FLAGS", ""))
    build = ["swift", "build", *flags, "--package-path", ROOT, "--product", "GraphPages"]
    subprocess.run([*build, "--quiet"], check=True)
    products = subprocess.run([*build, "--show-bin-path"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    subprocess.run([f"{products}/GraphPages", PACKAGES, into], check=True)
    folder = into


def text(name, kind):
    return (folder / f"{name}.{kind}").read_text(encoding="utf-8")


@functools.cache
def read(name):
    return json.loads(text(name, "json"))
