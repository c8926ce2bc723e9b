# SPDX-License-Identifier: MIT
"""The page as the checks see and use it."""

import json


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def same(found, expected, what):
    expect(found == expected, f"{what}: expected {expected!r}, found {found!r}")


class Reader:
    """What a person sees and does, in the words of the checks."""

    def __init__(self, browser, pages):
        self.browser = browser
        self.pages = pages
        self.run = browser.evaluate

    def open(self, name, fragment=""):
        self.pages.requests.clear()
        self.browser.send("Page.navigate", url="about:blank")
        # A page may have the thread of the one before.
        self.blank_time = self.browser.thread_time()
        self.browser.open(self.pages.address(name) + fragment)
        self.browser.wait("performance.getEntriesByName('graph-drawn').length > 0", f"the page '{name}' is drawn")
        return self.run("performance.getEntriesByName('graph-drawn')[0].startTime") / 1000

    def drawn(self):
        """The keys of what stands in the picture, without boxes."""
        return set(self.run("[...document.querySelectorAll('.item:not(.box)')].map((item) => item.dataset.key)"))

    def names(self):
        """The texts of the items in the picture, without the marks that isolate them."""
        names = self.run("[...document.querySelectorAll('.item .name')].map((text) => text.textContent)")
        return {name.strip("\u2068\u2069") for name in names}

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def facts(self):
        """What the details tell, by their terms."""
        return self.run(
            "Object.fromEntries([...document.querySelectorAll('#details dt')]"
            ".map((term) => [term.textContent, term.nextElementSibling.textContent]))")

    def count(self, selector):
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def go(self, action):
        """Does what changes the view, and waits until the picture has changed."""
        self.run("window.before = document.querySelector('#world').firstChild")
        action()
        self.browser.wait("window.before !== document.querySelector('#world').firstChild", "the picture changes")

    def click_button(self, text, within="body"):
        found = self.run(
            f"(() => {{ const all = [...document.querySelectorAll({json.dumps(within + ' button')})];"
            f"const one = all.find((button) => button.textContent.trim() === {json.dumps(text)});"
            "if (one === undefined) return false; document.querySelector('[data-wanted]')?.removeAttribute('data-wanted');"
            "one.dataset.wanted = ''; return true; })()")
        expect(found, f"no button '{text}' in {within}")
        self.browser.click("[data-wanted]")

    def complaints(self):
        found = []
        for event in self.browser.events:
            if event["method"] == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"]["exception"].get("description", "exception"))
            if event["method"] in ("Log.entryAdded", "Runtime.consoleAPICalled"):
                entry = event["params"].get("entry", event["params"])
                found.append(entry.get("text") or json.dumps(entry.get("args")))
        return found

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event["method"] == "Network.requestWillBeSent"]
