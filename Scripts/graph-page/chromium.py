# SPDX-License-Identifier: MIT
"""A headless Chromium, driven by its DevTools protocol over a pair of pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class ChromiumError(Exception):
    pass


class Chromium:
    def __init__(self, width=1440, height=900):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            raise ChromiumError("there is no chromium")
        self.profile = tempfile.mkdtemp(prefix="corinth-chromium-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # The sandbox needs rights that root in a container does not have; the pages are our own.
        arguments = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", f"--user-data-dir={self.profile}", f"--window-size={width},{height}",
            "--remote-debugging-pipe", "about:blank",
        ]
        # The protocol wants to read from 3 and to write to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", *arguments],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        targets = self.send("Target.getTargets")["targetInfos"]
        target = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Performance.enable", timeDomain="threadTicks")
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.profile, ignore_errors=True)

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        return self.answer(self.number, method)

    def answer(self, number, method):
        while True:
            message = self.receive(60)
            if message is None:
                raise ChromiumError(f"{method} has no answer")
            if message.get("id") == number:
                if "error" in message:
                    raise ChromiumError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def receive(self, seconds):
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], seconds)[0]:
                return None
            data = os.read(self.input, 1 << 20)
            if not data:
                raise ChromiumError("chromium has ended")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, address):
        self.events = []
        self.send("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'", "the page has loaded")

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise ChromiumError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def thread_time(self):
        """The seconds for which the page's thread has had a processor."""
        metrics = self.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")

    def wait(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.evaluate(f"Boolean({condition})"):
                return
            time.sleep(0.02)
        raise ChromiumError(f"waited {seconds} s in vain: {what}")

    def press(self, key, **more):
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def type(self, text):
        for letter in text:
            self.press(letter)

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click_at(self, x, y, count=1):
        for number in range(1, count + 1):
            self.mouse("mousePressed", x, y, button="left", clickCount=number)
            self.mouse("mouseReleased", x, y, button="left", clickCount=number)

    def middle(self, selector):
        return self.evaluate(
            f"(() => {{ const element = document.querySelector({json.dumps(selector)});"
            "if (element === null) return null;"
            "element.scrollIntoView({block: 'nearest'}); const box = element.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()")

    def click(self, selector, count=1):
        middle = self.middle(selector)
        if middle is None:
            raise ChromiumError(f"nothing to click: {selector}")
        self.click_at(*middle, count)

    def dark(self, is_dark):
        value = "dark" if is_dark else "light"
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
