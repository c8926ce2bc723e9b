# SPDX-License-Identifier: MIT
"""The pictures of the documentation, in few colours so that they stay small."""

import pathlib
import subprocess

import graphs

REQUIRE = pathlib.Path(__file__).resolve().parent.parent / "require-apt-package"


def take(reader, folder):
    subprocess.run([REQUIRE, "pngquant", "makes pictures small", "command", "-v", "pngquant"], check=True)
    folder.mkdir(parents=True, exist_ok=True)
    pool = next(node["id"] for node in graphs.services()["nodes"] if node["type"] == "ConnectionPool")
    views = [
        ("graph-overview", "services", ""),
        ("graph-focus", "services", f"#view=focus&node={pool}"),
        ("graph-modules", "debian", ""),
    ]
    reader.browser.size(1440, 900)
    for name, graph, fragment in views:
        reader.open(graph, fragment)
        picture = folder / f"{name}.png"
        reader.browser.screenshot(picture)
        subprocess.run(["pngquant", "--force", "--strip", "--ext", ".png", "128", picture], check=True)
