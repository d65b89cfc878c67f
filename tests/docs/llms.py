"""llms.txt: the pages for agents that read the web, in the form of llmstxt.org, made from README and the index of the pages."""

import re
from collections.abc import Iterator

from tests.docs.pages import README, ROOT

INDEX = ROOT / "docs/README.md"
FILES = "https://raw.githubusercontent.com/OWNER/recsql/main/"  # the text alone; github.com puts a page of HTML around it
SECTION = re.compile(r"^## (.*)\n\n\| (.*?) ?\|.*\n.*\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| (.*) \| \[(.*?)\]\((.*?)\)", re.MULTILINE)  # the question, and the first page that answers it
COMMAND = re.compile(r"^.*\brecsql\b.*\n", re.MULTILINE)
OPENING = """\
The last of these commands prints what an agent needs: the commands, the macros of SQL, and what to report.

```console
{}recsql help
recsql skill
```"""


def llms() -> str:
    return "\n\n".join(paragraphs(README.read_text(encoding="utf-8"), INDEX.read_text(encoding="utf-8"))) + "\n"


def paragraphs(readme: str, index: str) -> Iterator[str]:
    """What recsql is, how to begin, and the pages in the sections of the index."""
    about = next(one for one in readme.split("\n\n") if one.startswith("recsql "))
    to_install = readme.partition("```console\n")[2].partition("```")[0]
    yield "# recsql"
    yield f"> {' '.join(about.split())}"
    yield OPENING.format("".join(COMMAND.findall(to_install)))
    for title, kind, rows in SECTION.findall(index):
        before = f"if {kind} " if kind.startswith("you") else ""
        yield f"## {title}"
        yield "\n".join(f"- [{page}]({FILES}docs/{path}): {before}{note}" for note, page, path in ROW.findall(rows))
