"""The programs `recsql` and `warm-python` for tests that run many: they fork from one process that has loaded all of recsql.

A process of its own spends most of its time on imports and on compiling templates. What such a process does is tested in
test_cli, test_examples and test_package.
"""

import atexit
import contextlib
import json
import os
import select
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
STREAMS = (0, 1, 2)
CLIENT = f"""#!{sys.executable} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({{address!r}})
    asked = json.dumps([os.path.basename(sys.argv[0]), sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(asked).to_bytes(8, "big")], {STREAMS})
    server.sendall(asked)
    sys.exit(int(server.recv(16) or 1))
"""


@cache
def programs() -> str:
    """A folder with the programs, which run until this process ends."""
    folder = Path(tempfile.mkdtemp())
    address = str(folder / "socket")
    for name in ("recsql", "warm-python"):
        (folder / name).write_text(CLIENT.format(address=address))
        (folder / name).chmod(stat.S_IRWXU)
    command = [sys.executable, "-m", "tests.warm", address]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout and server.stdout.readline() == b"ready\n"
    atexit.register(server.communicate)
    atexit.register(shutil.rmtree, folder)
    return str(folder)


def serve(address: str) -> None:
    """Forks for each connection, until the process that started this one ends, which closes stdin."""
    import recsql
    from recsql.cli import main

    recsql.macros()  # compiles all templates
    assert callable(main)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        os.write(1, b"ready\n")
        while server.fileno() in select.select([server.fileno(), 0], [], [])[0]:
            connection, _ = server.accept()
            with connection:
                if os.fork() == 0:
                    server.close()
                    answer(connection)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def answer(connection: socket.socket) -> None:
    """Runs what a program asks for with its arguments, folder, environment and streams, and ends with its status."""
    size, streams, *_ = socket.recv_fds(connection, 8, len(STREAMS))
    with connection.makefile("rb") as sent:
        name, arguments, folder, environment = json.loads(sent.read(int.from_bytes(size, "big")))
    for stream, given in zip(STREAMS, streams, strict=True):
        os.dup2(given, stream)
        os.close(given)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", 1, errors="backslashreplace")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [name, *arguments]
    status = run(name, arguments)
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    connection.sendall(str(status).encode())
    os._exit(0)


def run(name: str, arguments: list[str]) -> int:
    """The status of `recsql`, or of Python code."""
    from recsql.cli import main

    try:
        if name == "recsql":
            return main()
        exec(compile(arguments[0], "<block>", "exec"), {"__name__": "__main__"})
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])
