# SPDX-License-Identifier: MIT
"""Serves the pages that Corinth makes, and the same page with each of the graphs; notes what is asked for."""

import http.server
import json
import re
import subprocess
import threading

import documents
import graphs


def escaped(text):
    """JSON in a script element: no text in it can end the element, or hide its end."""
    return text.replace("<", "\\u003c")


def escaped_as_agreed(text):
    """The least that an encoder has to do, for texts that do not open a comment."""
    return text.replace("</", "<\\/")


class Pages:
    def __init__(self, build, folder):
        template = folder / "page.html"
        subprocess.run([build, "--html", template], check=True)
        self.template = template.read_text(encoding="utf-8")
        self.placeholder = re.search(r'id="graph">([^<]+)<', self.template).group(1)
        self.requests = []
        self.made = {}

    def __enter__(self):
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                pages.requests.append(self.path)
                body = pages.page(self.path.lstrip("/"))
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def address(self, name):
        return f"http://127.0.0.1:{self.server.server_port}/{name}"

    def page(self, name):
        if name not in self.made:
            self.made[name] = self.make(name)
        return self.made[name]

    def make(self, name):
        if name in documents.NAMES:
            return documents.text(name, "html").encode()
        graph = self.json(name)
        return None if graph is None else self.template.replace(self.placeholder, graph).encode()

    def json(self, name):
        if name == "placeholder":
            return self.placeholder
        if name == "newer":
            return json.dumps({"format": "corinth-graph", "version": 2})
        if name == "agreed_escape":
            return escaped_as_agreed(json.dumps(graphs.hostile(graphs.HOSTILE_WITHOUT_COMMENT), ensure_ascii=False))
        make = getattr(graphs, name, None)
        return None if make is None else escaped(json.dumps(make(), ensure_ascii=False))
