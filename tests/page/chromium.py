"""The page in headless Chromium, without a driver: a script in the page gives it files and posts what it shows.

`python -m tests.page.chromium FOLDER` prints the verdict on the small example.
"""

import functools
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
OWN = ("/cases.json", "/before.js", "/watch.js", "/given/", "/result")  # of the tests, and not of the page
LIMIT = 180  # seconds, also on a machine that does other work
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
Case = Mapping[str, Any]


class Server(ThreadingHTTPServer):
    """Serves the page with two scripts of the tests. Once it is `off`, it answers for the tests alone."""

    def __init__(self, folder: str, given: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.given, self.off, self.asked = given, False, list[str]()
        self.cases: dict[str, object] = {}
        self.result: dict[str, Any] = {}
        self.posted = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(SimpleHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        path = unquote(self.path.partition("?")[0])
        if not path.startswith(OWN):
            self.server.asked.append(path)
            if self.server.off:
                return self.send_error(503)
        if path in ("/", "/index.html"):
            page = Path(self.directory, "index.html").read_text(encoding="utf-8")
            page = page.replace("<head>", '<head><script src="before.js"></script>')
            return self.answer(
                page.replace("</body>", '<script type="module" src="watch.js"></script></body>').encode(), "text/html"
            )
        if path == "/cases.json":
            return self.answer(json.dumps(self.server.cases).encode(), "application/json")
        if path.startswith("/given/"):
            return self.answer((self.server.given / path.removeprefix("/given/")).read_bytes(), "application/octet-stream")
        if path in OWN:
            return self.answer((HERE / path[1:]).read_bytes(), "text/javascript")
        return super().do_GET()

    def do_POST(self) -> None:
        self.server.result = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(b"", "text/plain")
        self.server.posted.set()

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[None]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def shown(server: Server, cases: Sequence[Case], profile: str, *, width: int = 1200, foreign: str = "") -> dict[str, Any]:
    """What the page shows for each case, by name; `foreign` is the address of another server, which it is made to ask."""
    server.cases = {"cases": cases, "foreign": foreign}
    server.posted.clear()
    command = [
        shutil.which("chromium") or "chromium",
        "--headless",
        *FLAGS,
        f"--user-data-dir={profile}",
        f"--window-size={width},900",
    ]
    with subprocess.Popen([*command, server.address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
        try:
            assert server.posted.wait(LIMIT), f"the page has shown nothing within {LIMIT} seconds"
        finally:
            browser.terminate()
    return server.result


if __name__ == "__main__":
    small = {"name": "small", "recs": ["small/ease.csv"], "truth": "small/truth.csv", "metrics": "ndcg", "k": "5"}
    server = Server(sys.argv[1], EXAMPLES)
    with serving(server), tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        sys.stdout.write(shown(server, [small], profile)["small"]["headline"] + "\n")
