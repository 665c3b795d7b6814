"""Drives Chromium by the DevTools protocol over pipes. Needs only Python's standard library."""
import base64
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ("chromium", "chromium-browser", "google-chrome")
TIMEOUT = 60  # seconds; long, since a loaded machine draws slowly


def find():
    """Returns the path of an installed browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A headless browser with software WebGL and one open page."""

    def __init__(self, program, width=1280, height=800, dark=False, webgl=True):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.sending = os.pipe()
        self.receiving, from_browser = os.pipe()

        def inherit_pipes():  # --remote-debugging-pipe reads descriptor 3 and writes 4
            input_end, output_end = os.dup(to_browser), os.dup(from_browser)
            os.dup2(input_end, 3)
            os.dup2(output_end, 4)

        drawing = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
             *(drawing if webgl else ["--disable-gpu", "--disable-3d-apis"]), "about:blank"],
            pass_fds=(3, 4), close_fds=True, preexec_fn=inherit_pipes,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.last_id, self.session = b"", 0, None
        self.console_messages, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.theme(dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.sending)
        os.close(self.receiving)
        self.profile.cleanup()

    def _receive(self):
        while b"\0" not in self.unread:
            read = os.read(self.receiving, 1 << 20)
            if not read:
                raise RuntimeError("the browser ended")
            self.unread += read
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.console_messages.append(json.dumps(params["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled":
            self.console_messages.append(json.dumps(params["args"])[:600])
        elif method == "Log.entryAdded":
            self.console_messages.append(params["entry"]["text"][:600])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.sending, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") != self.last_id:
                self._note(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def open(self, url):
        self.loaded = False
        self.console_messages, self.requests = [], []
        self.call("Page.navigate", url=url)
        while not self.loaded:
            self._note(self._receive())

    def value(self, expression):
        """Returns the value of a JavaScript expression; awaits promises."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, expression):
        """Waits until a JavaScript expression is true. Raises AssertionError after TIMEOUT."""
        for _ in range(10 * TIMEOUT):
            if self.value(expression):
                return
            time.sleep(0.1)
        raise AssertionError("never became true: " + expression)

    def settle(self):
        """Waits for two frames, so that all requested drawing is finished."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
                   "() => setTimeout(done, 50))))")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def theme(self, dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def drag(self, start, end):
        def mouse(kind, place, buttons):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                      button="left" if kind != "mouseMoved" else "none", buttons=buttons, clickCount=1)

        mouse("mouseMoved", start, 0)
        mouse("mousePressed", start, 1)
        mouse("mouseMoved", [(a + b) / 2 for a, b in zip(start, end)], 1)
        mouse("mouseMoved", end, 1)
        mouse("mouseReleased", end, 0)

    def key(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def screenshot(self, file=None):
        """Returns the page's pixels; also writes them to `file` if it is given."""
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if file:
            with open(file, "wb") as out:
                out.write(data)
        return Picture(data)


class Picture:
    """Pixels of a PNG file: 8 bits a channel, RGB or RGBA, not interlaced."""

    def __init__(self, png):
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        at, packed = 8, b""
        while at < len(png):
            size, kind = struct.unpack(">I4s", png[at:at + 8])
            chunk = png[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", chunk[:10])
                assert depth == 8 and colour in (2, 6) and chunk[12] == 0
                self.channels = 3 if colour == 2 else 4
            elif kind == b"IDAT":
                packed += chunk
            at += 12 + size
        stream, stride = zlib.decompress(packed), self.width * self.channels
        self.rows, above = [], bytearray(stride)
        for y in range(self.height):
            begin = y * (stride + 1)
            above = self._row(stream[begin], bytearray(stream[begin + 1:begin + 1 + stride]), above)
            self.rows.append(above)

    def _row(self, kind, row, above):
        step = self.channels
        if kind == 2:
            return bytearray((a + b) & 255 for a, b in zip(row, above))
        for i, byte in enumerate(row if kind else b""):
            left = row[i - step] if i >= step else 0
            corner = above[i - step] if i >= step else 0
            if kind == 1:
                guess = left
            elif kind == 3:
                guess = (left + above[i]) // 2
            else:
                guess = min((left, above[i], corner),
                            key=lambda value, sum_=left + above[i] - corner: abs(sum_ - value))
            row[i] = (byte + guess) & 255
        return row

    def pixel(self, x, y):
        at = x * self.channels
        return tuple(self.rows[y][at:at + 3])

    def part(self, box):
        """Returns the rows of pixels in `box`: left, top, width, height."""
        left, top, width, height = (round(v) for v in box)
        return [[self.pixel(x, y) for x in range(left, left + width)]
                for y in range(top, min(top + height, self.height))]

    def shrunk(self, factor):
        """Returns a picture whose pixels are means of factor × factor pixels, as rows of RGB bytes."""
        area, rows = factor * factor, []
        for top in range(0, self.height - factor + 1, factor):
            row = bytearray()
            for left in range(0, self.width - factor + 1, factor):
                for channel in range(3):
                    total = 0
                    for y in range(top, top + factor):
                        begin = left * self.channels + channel
                        total += sum(self.rows[y][begin:begin + factor * self.channels:self.channels])
                    row.append((total + area // 2) // area)
            rows.append(row)
        return rows


def png_of(rows):
    """Returns the PNG file of rows of RGB bytes."""
    def chunk(kind, data):
        return struct.pack(">I4s", len(data), kind) + data + struct.pack(">I", zlib.crc32(kind + data))

    stream, above = bytearray(), bytearray(len(rows[0]))
    for row in rows:
        # Choose among PNG's filters None, Sub and Up the one with the smallest sum of absolute values.
        filtered = [row, bytearray((byte - (row[i - 3] if i >= 3 else 0)) & 255 for i, byte in enumerate(row)),
                    bytearray((byte - up) & 255 for byte, up in zip(row, above))]
        kind = min(range(3), key=lambda each: sum(min(byte, 256 - byte) for byte in filtered[each]))
        stream += bytes([kind]) + filtered[kind]
        above = row
    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(stream), 9))
            + chunk(b"IEND", b""))
