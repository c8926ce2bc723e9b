# SPDX-License-Identifier: MIT
"""The pictures of the documentation, for light and for dark pages, in few colors so that they stay small: of the example
service, and of the packages."""

import json
import os
import pathlib
import re
import subprocess
import urllib.request

import documents

REQUIRE = documents.ROOT / "Scripts/require-apt-package"
SERVICE = documents.ROOT / "Examples/Orders"
TOKEN = "for-the-pictures-only"
RUNS = 8


def asked(port, path, body=None):
    headers = {"Authorization": f"Bearer {TOKEN}", "X-User": "ada"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=body, headers=headers)
    with urllib.request.urlopen(request) as response:
        return response.read()


def build_orders():
    """The folder of the example service's program."""
    subprocess.run(["make", "--quiet", "-C", SERVICE, "set-up"], check=True)
    build = ["swift", "build", "--package-path", SERVICE, "--product", "OrdersService"]
    subprocess.run([*build, "--quiet"], check=True)
    return subprocess.run([*build, "--show-bin-path"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def orders(products, database):
    """The page and the document of the example service after some requests."""
    settings = {"PORT": "0", "DATABASE": str(database), "ADMIN_TOKEN": TOKEN, "SYNCHRONOUS": "NORMAL"}
    service = subprocess.Popen(
        [f"{products}/OrdersService"], env={**os.environ, **settings}, stderr=subprocess.PIPE, text=True)
    try:
        port = next(found[1] for line in service.stderr if (found := re.search(r"listening on port (\d+)", line)))
        for _ in range(25):
            asked(port, "/orders", b'{"lines":[{"item":"pen","quantity":1}]}')
            asked(port, "/price/book")
        return asked(port, "/container"), json.loads(asked(port, "/container.json"))
    finally:
        service.terminate()
        service.wait()


def time_of_pool(document):
    return next(node["counts"]["constructionTime"] for node in document["nodes"] if node["type"] == "ConnectionPool")


def quickest_orders(folder):
    """Of some runs of the service, the one that the work of other programs has delayed least: a picture shows a time."""
    products = build_orders()
    runs = [orders(products, folder / f"orders-{number}.db") for number in range(RUNS)]
    return min(runs, key=lambda run: time_of_pool(run[1]))


def take(reader, folder):
    subprocess.run([REQUIRE, "pngquant", "makes pictures small", "command", "-v", "pngquant"], check=True)
    reader.pages.made["orders"], document = quickest_orders(folder)
    at = {node["type"]: node["id"] for node in document["nodes"]}
    packages = {node["name"]: node["id"] for node in documents.read("debian")["nodes"]}
    views = [
        ("Corinth", "graph-overview", "orders", ""),
        ("Corinth", "graph-focus", "orders", f"#view=focus&node={at['ConnectionPool']}"),
        ("Corinth", "graph-modules", "debian", ""),
        ("CorinthDrawing", "graph-path", "debian",
         f"#view=path&from={packages['gnome-shell']}&to={packages['libssl3']}&ways=shortest"),
    ]
    # The manual shows them at about half of this width.
    reader.browser.size(1200, 750)
    for catalog, name, page, fragment in views:
        for is_dark, suffix in ((False, ""), (True, "~dark")):
            reader.browser.dark(is_dark)
            reader.open(page, fragment)
            picture = documents.ROOT / f"Sources/{catalog}/{catalog}.docc/Resources/{name}{suffix}.png"
            reader.browser.screenshot(picture)
            subprocess.run(["pngquant", "--force", "--strip", "--ext", ".png", "128", picture], check=True)
    reader.browser.dark(False)
