"""README and the pages in docs/: runs their blocks, and fills the parts that are made from the headers."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from recsql.catalog import catalog
from tests.docs import reference
from tests.shell.test_shell import run as run_in_shell

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / "AGENTS.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
BLOCK = re.compile(r"^```(sh|python|sql)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^(\| `[^\n]*` \| `(evaluate\w*\([^\n]*\))` \|)([^|\n]*)\|$", re.MULTILINE)  # their call, ours, its value
MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
COUNTED = re.compile(r"(returns ([^.]*) and |there are )\d+( other metrics| such presets)")  # in the README
ON_SPARK = re.compile(r"\bpyspark\b|connection=spark\b")
VALUE = 'print(format({}["value"][0].as_py(), ".4f"))\n'
END = "\x1e"  # printed after each block
# The command for sh asks a process that forks for each: to import recsql would take most of a small command's time.
COMMAND = f"""#!{sys.executable} -SE
import json, os, socket, sys
one = socket.socket(socket.AF_UNIX)
one.connect(sys.argv[0] + ".socket")
socket.send_fds(one, [json.dumps([os.getcwd(), sys.argv]).encode()], [0, 1, 2])
sys.exit(one.recv(1)[0])
"""
FORKS = """
import json, os, select, shutil, socket, sys, recsql, recsql.cli
recsql.macros()  # loads what a command needs
listening = socket.create_server(sys.argv[1] + ".socket", family=socket.AF_UNIX)
print(flush=True)
while listening in select.select([listening, sys.stdin], [], [])[0]:
    one = listening.accept()[0]
    if os.fork() == 0:
        text, streams, *_ = socket.recv_fds(one, 65536, 3)
        folder, sys.argv = json.loads(text)
        os.chdir(folder)
        [os.dup2(stream, n) for n, stream in enumerate(streams)]
        try:
            status = recsql.cli.main()
        except SystemExit as stopped:
            status = stopped.code or 0
        sys.stdout.flush()
        one.send(bytes([status]))
        os._exit(0)
    one.close()
shutil.rmtree(os.path.dirname(sys.argv[1]))
"""


@dataclass(frozen=True)
class Block:
    """Code on a page, and what it says that the code prints; None where it says nothing."""

    language: str
    code: str
    output: str | None

    @property
    def on_spark(self) -> bool:
        return self.language == "python" and ON_SPARK.search(self.code) is not None


def blocks(text: str) -> list[Block]:
    """The blocks of a page, then the calls in its tables, each as a block that prints the value."""
    fenced = [Block(*found.groups()) for found in BLOCK.finditer(text)]
    calls = [Block("python", VALUE.format(found[2]), found[3].strip()) for found in ROW.finditer(text)]
    return fenced + calls


def printed(found: Sequence[Block]) -> list[str | None]:
    """What each block prints; None for those that need Spark.

    The blocks of one language share a session and what they define, and all blocks a folder beside `examples` and `sql`.
    """
    outputs: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "sql"):
            (Path(folder) / name).symlink_to(ROOT / name)
        for language, run in RUNNERS.items():
            places = [place for place, one in enumerate(found) if one.language == language and not one.on_spark]
            if places:
                texts = run([found[place].code for place in places], folder)
                outputs |= dict(zip(places, (f"{tidy(text)}\n" for text in texts), strict=True))
    return [outputs.get(place) for place in range(len(found))]


def tidy(text: str) -> str:
    """A text without empty lines around it; the columns of its first line stay where they are."""
    return text.rstrip().lstrip("\n")


def in_sh(codes: Iterable[str], folder: str) -> list[str]:
    """The blocks in one sh, with stderr where the terminal has it."""
    script = "".join(f"{code}printf '\\036'\n" for code in codes)
    settings = os.environ | {"PATH": f"{command()}{os.pathsep}{PROGRAMS}", "COLUMNS": "120"}
    given = ["sh", "-c", f"exec 2>&1\nset -e\n{script}"]
    return cut(subprocess.run(given, cwd=folder, env=settings, capture_output=True, text=True, check=False))


@cache
def command() -> Path:
    """The folder of the command, which works until this process ends."""
    program = Path(tempfile.mkdtemp(prefix="recsql-")) / "recsql"
    program.write_text(COMMAND)
    program.chmod(0o755)
    settings, pipe = os.environ | {"COLUMNS": "120"}, subprocess.PIPE
    started = subprocess.Popen([sys.executable, "-c", FORKS, program], env=settings, stdin=pipe, stdout=pipe, stderr=pipe)
    assert started.stdout and started.stdout.read(1)
    return program.parent


def in_python(codes: Sequence[str], folder: str) -> list[str]:
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for code in codes:
        with chdir(folder), redirect_stdout(StringIO()) as out:
            exec(compile(code, "<block>", "exec"), names)
        found.append(out.getvalue())
    return found


def in_shell(codes: Sequence[str], folder: str) -> list[str]:
    done = run_in_shell("".join(f"{code}.print {END}\n" for code in codes), "-bail", folder=folder)
    return cut(done)


RUNNERS = {"sh": in_sh, "python": in_python, "sql": in_shell}


def cut(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What each block printed."""
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout.split(END)[:-1]


def filled(text: str) -> str:
    """A page with the parts that are made from the headers, and the numbers of metrics and presets."""
    return COUNTED.sub(counted, MADE.sub(made, text))


def made(found: re.Match[str]) -> str:
    """A part of a page between its two marks."""
    paragraphs = getattr(reference, found[2])()
    return "\n\n".join([found[1].rstrip(), *filter(None, paragraphs), found[3]])


def counted(found: re.Match[str]) -> str:
    """A clause with the number of presets, or of the metrics that it doesn't name."""
    number = len(catalog().metrics) - len(found[2].split(", ")) if found[2] else len(catalog().presets)
    return f"{found[1]}{number}{found[3]}"


def rewritten(text: str) -> str:
    """A page with its parts and its outputs made anew."""
    outputs = iter(printed(blocks(text)))

    def block(found: re.Match[str]) -> str:
        output = next(outputs)
        return found[0] if found[3] is None or output is None else found[0].replace(f"```text\n{found[3]}", f"```text\n{output}")

    fenced = BLOCK.sub(block, text)
    return filled(ROW.sub(lambda found: f"{found[1]} {str(next(outputs)).strip()} |", fenced))
