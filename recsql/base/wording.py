"""Words in sentences: Python, or the command line while a command runs; users and items, or queries and documents."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

FUNCTIONS = {  # with their commands
    "evaluate": "recsql evaluate",
    "per_user": "recsql per-user",
    "item_metrics": "recsql item-metrics",
    "evaluate_ratings": "recsql rate",
}
FLAGS = {"k": "-k", "metrics": "-m"}  # of the arguments that have a flag of another name
# An argument in a sentence: duplicates=, ties='item', relevance='...' or margin=0.1; not a path such as day=5/x.parquet, nor an
# option in a metric's brackets, as in f1(beta=2).
ARGUMENT = re.compile(
    r"\w\([^()]*\)|(?<![\w/.-])(?P<name>[a-z]\w*)=(?:'(?P<text>[^']*)'|(?P<value>[TFN][a-z]+|-?\d[\d.]*))?(?=[\s,;:.)]|$)"
)
STATED = re.compile(r" (does not|needs?|gives|with) |: ")  # after an option that holds already
COMMAND = ContextVar("COMMAND", default=False)
USER, QUERY, PASSAGE = "user", "query", "passage"
ITEMS = {QUERY: "document", PASSAGE: "passage"}  # what a query has in place of items, by the words of a call
OF_QUERIES = {"for whom": "for which", "whom": "that", "who": "that", "Who": "What"}
# A word for users or items. What is quoted stays, as does what names an option, a file, a column, or the tables items and users.
NOUN = re.compile(
    r"(?<!\w)(?:'[^']*'|\"[^\"]*\"|(?:in|them to|recommends from|train and|without) items\b|(?:table|=) users\b)"
    r"|\b(?:(?:for )?whom|[Ww]ho)\b|(?<![\w.=/@-])(?P<an>[Aa]n )?(?P<noun>[Uu]ser|[Ii]tem)(?P<many>s?)(?![\w=]|[./@-]\w)"
)
SPOKEN = ContextVar[tuple[str, frozenset[str]]]("SPOKEN", default=(USER, frozenset()))  # the words, and the caller's names


@contextmanager
def as_command() -> Iterator[None]:
    """Makes sentences use the command line's spelling."""
    before = COMMAND.set(True)
    try:
        yield
    finally:
        COMMAND.reset(before)


@contextmanager
def spoken(words: str, names: Iterable[str | None] = ()) -> Iterator[None]:
    """Makes sentences say these words. In `names` of the caller nothing changes, nor in those that are known already."""
    before = SPOKEN.set((words, SPOKEN.get()[1].union(name for name in names if name and NOUN.search(name))))
    try:
        yield
    finally:
        SPOKEN.reset(before)


def said(sentence: str) -> str:
    """A sentence of recsql in the words in force: of users and items, or of queries and documents or passages."""
    words, names = SPOKEN.get()

    def put(found: re.Match[str]) -> str:
        if not found["noun"]:
            return OF_QUERIES.get(found[0], found[0])
        noun = QUERY if found["noun"] in "User user" else ITEMS[words]
        noun = re.sub("y?$", "ies" if noun == QUERY else "s", noun, count=1) if found["many"] else noun
        return f"{(found['an'] or '').replace('n', '')}{noun.capitalize() if found['noun'].istitle() else noun}"

    kept = (rf"(?<!\w)(?<!\d ){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True))  # 5 users are counted
    return sentence if words == USER else re.sub("|".join([*kept, NOUN.pattern]), put, sentence)


def functions() -> Mapping[str, str]:
    """How sentences call each function."""
    return FUNCTIONS if COMMAND.get() else {name: name for name in FUNCTIONS}


def flag(name: str) -> str:
    return FLAGS.get(name) or "--" + name.replace("_", "-")


def in_macro(sentence: str, parameters: Mapping[str, str]) -> str:
    """Replaces arguments by parameters of a macro or its file: `recsql macros --ties item -o FILE` for `ties='item'`."""

    def said(found: re.Match[str]) -> str:
        name = found["name"]
        if not name or name in parameters:
            return parameters.get(name, found[0])
        told = f"{flag(name)} {found['text'] or (found['value'] or '...').lower()}"
        return told if STATED.match(sentence, found.end()) else f"recsql macros {told} -o FILE"

    return ARGUMENT.sub(said, sentence).replace(" -o FILE and recsql macros", "")


def either(python: str, command: str) -> str:
    """What to write in Python, or on the command line while a command runs."""
    return command if COMMAND.get() else python


def all_rows() -> str:
    """How to get the rows that a shortened table leaves out."""
    return either("the result itself has all", "--format csv or -o FILE gives all")
