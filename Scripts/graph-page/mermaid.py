# SPDX-License-Identifier: MIT
"""A copy of Mermaid, from a wheel of PyPI that carries it unchanged, with which a browser reads flowcharts."""

import hashlib
import json
import pathlib
import subprocess
import sys
import zipfile

WHEEL = "artoo-mermaid==11.16.0"
MEMBER = "artoo_mermaid/assets/mermaid.min.js"
DIGEST = "74d7c46dabca328c2294733910a8aa1ed0c37451776e8d5295da38a2b758fb9b"
KEPT = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/mermaid"

# Its limits are for pages of strangers: a flowchart with more is refused.
LIMITS = {"maxEdges": 100_000, "maxTextSize": 10_000_000}


def source(python):
    """The code of Mermaid, which is fetched once."""
    code = KEPT / MEMBER
    if not code.exists():
        print(f"corinth: fetching {WHEEL} (reads flowcharts) with pip", file=sys.stderr)
        # The code is for browsers: which Python the wheel is for does not matter.
        subprocess.run(
            [python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--python-version", "3.12",
             "--dest", KEPT, WHEEL], check=True)
        with zipfile.ZipFile(next(KEPT.glob("*.whl"))) as wheel:
            wheel.extract(MEMBER, KEPT)
    text = code.read_bytes()
    if hashlib.sha256(text).hexdigest() != DIGEST:
        raise AssertionError(f"{code} is not the Mermaid that was expected")
    return text.decode("utf-8")


class Mermaid:
    def __init__(self, browser, address, python):
        self.browser = browser
        browser.open(address)
        browser.evaluate(source(python))

    def complaint(self, text, **limits):
        """What Mermaid says against a flowchart; empty if it takes it."""
        return self.browser.evaluate(
            f"(async () => {{ mermaid.initialize({json.dumps({'startOnLoad': False, **limits})});"
            f"try {{ await mermaid.parse({json.dumps(text)}); return ''; }} catch (error) {{ return String(error.message); }} }})()")

    def draw(self, text):
        """The texts of the nodes, and the numbers of arrows, boxes and links that Mermaid draws."""
        return self.browser.evaluate(
            f"(async () => {{ mermaid.initialize({json.dumps({'startOnLoad': False, **LIMITS})});"
            f"const {{ svg }} = await mermaid.render('flowchart', {json.dumps(text)});"
            "document.body.innerHTML = svg; const all = (what) => [...document.querySelectorAll(what)];"
            "return { nodes: all('.node').map((node) => node.textContent.trim()), arrows: all('.edgePaths path').length,"
            "boxes: all('.cluster').map((box) => box.textContent.trim()), links: all('svg a, svg script, svg img').length }; })()")
