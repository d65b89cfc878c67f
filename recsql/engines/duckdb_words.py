"""DuckDB's errors in our words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from recsql.base.errors import BadInput, EngineError, FailedCheck
from recsql.base.types import NUMBERS, REALS
from recsql.base.wording import either, flag

BUSY = "connection: another call is using it; give each thread its own cursor, connection.cursor()"
UNFETCHED = "connection: rows of an execute() are not fetched yet; fetch them first, or pass connection.cursor()"


@contextmanager
def in_words(text: str) -> Iterator[None]:
    """Turns DuckDB's errors into ours: the sentence of a check stays, other errors keep DuckDB's words."""
    try:
        yield
    except duckdb.InvalidInputException as error:
        raise FailedCheck(sentence(str(error))) from None
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        raise
    except duckdb.OutOfMemoryException as error:
        said = first_words(error)
        if "max_temp_directory_size" not in str(error):  # if the disk is full, DuckDB's message names the limit
            limit = either("memory_limit of the connection", flag("memory_limit"))
            said = f"the memory limit is too small: {said}; raise {limit}"
        raise EngineError(said, text) from error
    except duckdb.Error as error:
        if str(error).startswith("Resource In Use Error"):
            raise BadInput(UNFETCHED if "unfinished result" in str(error) else BUSY) from None
        if isinstance(error, duckdb.ConversionException) and (of_file := in_file(str(error))):
            raise BadInput(of_file) from None
        raise EngineError(first_words(error), text) from error


def sentence(message: str) -> str:
    """The sentence of a check, or one for an input that can't be read, such as a text file or a stream."""
    if of_file := in_file(message):
        return of_file
    found = re.sub(r"\n\nLINE \d+: .*| Detail: Python exception: .*", "", message, flags=re.DOTALL)
    return found.removeprefix("Invalid Input Error: ").strip()


def in_file(message: str) -> str | None:
    """What is wrong with a text file, and where; None if the message is about something else."""
    if found := re.search(r"CSV Error on Line: (\d+)\n(.*?)\n *file = ([^\n]+)", message, re.DOTALL):
        line, words, path = found.groups()
        return f"{path}: line {line} {in_line(words)}"
    if found := re.search(r'Error when sniffing file "(.*?)"', message):
        return f"{found[1]}: it can't be read as CSV: no delimiter divides its lines into columns"
    if found := re.search(r'JSON transform error in file "(.*?)", in (?:line|record/value) (\d+): ([^\n]+)', message):
        return f"{found[1]}: line {found[2]}: {found[3].rstrip('. ')}; correct it"
    if found := re.search(r'Malformed JSON in file "(.*?)", at byte \d+ in (?:line|record/value) (\d+): ([^\n]+)', message):
        return f"{found[1]}: it can't be read as JSON: value {found[2]}: {found[3].rstrip('. ')}"
    return None


def in_line(words: str) -> str:
    """What is wrong with a line of CSV, from DuckDB's words."""
    if "not utf-8 encoded" in words:
        return "is not in UTF-8; convert the file first, for example with iconv"
    if found := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", words):
        return f"has {found[2]} fields, and the header has {found[1]}; correct the line"
    if found := re.search(
        r'Error when converting column "(.*?)"\. Could not convert string "(.*?)" to \'(\w+)', words, re.DOTALL
    ):
        column, value, kind = found.groups()
        if re.fullmatch(r"[-+]?\d+,\d+", value):
            way = "write a point, or read it in a view with decimal_separator = ','"
            return f"has {value!r} for {column}, with a decimal comma; {way}"
        what = "is not a number" if kind in (*NUMBERS, *REALS) else f"can't be read as {kind}"
        return f"has {value!r} for {column}, which {what}; correct the value"
    said = [line for line in words.splitlines() if line and not line.startswith(("Original Line:", "Possible"))]
    return f"can't be read: {said[0].rstrip('.') if said else words}"


def first_words(error: BaseException) -> str:
    """The first sentence of DuckDB's message on one line, without the kind of error, the advice and the excerpt of the query."""
    first = re.sub(r"^[A-Z][\w ]* Error: ", "", str(error)).split("\n\n", 1)[0]
    return " ".join(first.strip().splitlines())
