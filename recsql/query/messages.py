"""The sentences of checks as SQL expressions."""

import re
from collections.abc import Mapping
from types import SimpleNamespace

from recsql.base.text import LITERAL, indented, quoted
from recsql.catalog import catalog

NAMED = re.compile(r"'(\w+)'")  # the name of a column in an expression
OURS = re.compile(r"`(\w+)`")  # the name of a column in a message
IDS = ("user", "item", "one", "other")  # their names in a check; an empty id is shown in quotes
OF_ONE_LIST = {  # the words about a user in sentences, and their replacement if there is one list and no user
    "`user_id` {user}, ": "",
    " user {user}, item": " item",
    "user {user} alone has {found} items in list and truth": "the two lists alone have {found} items",
    " of user {user}{model}": "",
    " of user {user}": "",
    " for user {user}": "",
    "; or does the table hold several lists of a user, such as one a day? give each its own user_id, or use a column fold": "",
}


def sentence_of(
    check: str,
    tables: Mapping[str, str],
    sql: SimpleNamespace,
    found: Mapping[str, object],
    *,
    columns: Mapping[str, str] | None = None,
    single: bool = False,
    modelled: bool = True,
) -> str:
    """The message of a check as an expression, with `found` (expressions) put in.

    `tables` has the name of each table as an SQL literal, and `columns` the names that our columns have in the table that the
    sentence is about: in the message, these stand between backticks. `single` leaves out the words about users.
    """
    message = str(catalog().checks[check].header["message"])

    def theirs(name: str) -> str:
        return (columns or {}).get(name, name)

    for said, left in OF_ONE_LIST.items() if single else ():
        message = message.replace(said, left)
    pieces: list[str] = []
    for place, piece in enumerate(re.split(r"\{(\w+)\}", message)):
        if place % 2 and (modelled or piece != "model"):
            text = str(found.get(piece, ""))
            text = NAMED.sub(lambda one: quoted(theirs(one[1])), text) if piece == "column" else text
            pieces.append(said_as(piece, text, sql) if piece in found else tables[piece])
        elif piece and not place % 2:
            pieces.append(quoted(OURS.sub(lambda one: theirs(one[1]), piece)))
    return "\n|| ".join(pieces).replace("'\n|| '", "").replace("; or ", "; '\n|| 'or ")  # which begins a line of its own


def said_as(name: str, text: str, sql: SimpleNamespace) -> str:
    """One expression as text in a sentence."""
    return text if LITERAL.fullmatch(text) or text.startswith("«") else str(sql.spoken(text, name in IDS))


def failing(sentence: str, sql: SimpleNamespace) -> str:
    """An expression that fails with a sentence, for problems that appear inside another expression."""
    return str(sql.error(f"\n{indented(sentence)}\n"))
