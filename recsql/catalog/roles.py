"""The roles of tables in a call, and the columns that each role has."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

ORDERS = ("rank", "score")  # a list needs one of these columns
EITHER = {one: f"{one}, else {other}" for one, other in zip(ORDERS, reversed(ORDERS), strict=True)}  # where models differ
# Columns of truth: `unread` is likely a relevance by another name; with `rated`, every row is often relevant.
LIKELY = {"unread": ("score", "grade", "label", "rel", "gain"), "rated": ("rating", "stars")}


@dataclass(frozen=True)
class Names:
    """The column names in your tables."""

    user: str = "user_id"
    item: str = "item_id"
    truth_user: str | None = None  # those of the truth, if they differ
    truth_item: str | None = None
    rank: str = "rank"
    score: str | None = None
    model: str = "model"
    relevance: str | None = "relevance"  # None: every row of truth counts
    truth_rank: str = "rank"
    category: str = "category"
    vector: str | None = None
    rating: str = "rating"
    prediction: str = "prediction"
    cluster: str | None = None
    propensity: str | None = None  # the column of truth with the chance that an item could have been seen
    dataset: str = "dataset"  # none: no column keeps data sets apart
    document: str = "document"
    start: str = "start"
    end: str = "end"
    budget: str | None = None  # the column of lists whose sums are compared with the cut-offs
    ts: str = "ts"
    type: str = "type"
    request: str = "request_id"
    surface: str = "surface"
    examination: str = "examination"

    @property
    def of_lists(self) -> dict[str, str]:
        """The columns of lists and of tables of users, by our names: those of results that are given back."""
        ids = {"user_id": self.user, "item_id": self.item, "request_id": self.request, "surface": self.surface}
        ids |= {"document": self.document, "start": self.start, "stop": self.end}
        return {**ids, "model": self.model, "rank": self.rank, "score": self.score or "score"}


NAMES: Mapping[str, Mapping[str, str]] = {  # the columns of others' files, for the argument `names`
    "beir": {"user": "query-id", "item": "corpus-id", "score": "score", "relevance": "score"},
}


@dataclass(frozen=True)
class Column:
    """A column that the steps read: our name, the argument for yours, and the value if the column is absent."""

    ours: str
    argument: str
    absent: str | None = None  # {text} is the dialect's text type, {span} the document, start and end of the row
    cast: str = ""
    is_number: bool = False
    is_time: bool = False
    unnested: bool = False
    on_request: bool = False  # read only if the call names it
    counted: bool = False  # only counted: the table may lack it, and its type need not be that of other tables

    @property
    def needed(self) -> bool:
        """Whether a table must have it; of rank and score, one is enough."""
        return self.absent is None or self.ours in ORDERS

    @property
    def usual(self) -> str | None:
        return str(getattr(Names, self.argument)) if getattr(Names, self.argument) else None


@dataclass(frozen=True)
class Role:
    """A table that a call takes: its columns, and its alias in SQL."""

    name: str  # also in sentences, if the table has no name of its own
    alias: str
    columns: tuple[Column, ...]
    distinct: bool = False
    is_sliced: bool = False  # it can have columns whose values are segments of users
    own_id: str = ""  # the column of ids in BEIR's file of these; its other tables call them query-id and corpus-id
    told: tuple[str, ...] = ()  # the columns that can say for people what an id stands for
    truth: str = ""  # in a call about spans, the name of the table that has them

    def needed(self, names: Names) -> list[str]:
        """The names of the columns that a table must have."""
        return [str(getattr(names, column.argument)) for column in self.columns if column.absent is None]

    @property
    def readable(self) -> tuple[Column, ...]:
        """All columns that can be read."""
        return (*self.columns, *SEGMENTS, UNREAD) if self.is_sliced else self.columns


SEGMENTS = tuple(Column(f"segment_{n}", "by", absent="cast(null as {text})", on_request=True) for n in range(1, 17))
UNREAD = Column("unread", "relevance", cast="double", is_number=True, on_request=True)
USER, ITEM = Column("user_id", "user"), Column("item_id", "item")
MODEL = Column("model", "model", absent="cast(null as {text})", cast="{text}")
TIME = Column("ts", "ts", is_time=True)
RATING = Column("rating", "rating", absent="cast(null as double)", cast="double", is_number=True)
EACH = (
    Role(
        "recs",
        "r",
        (
            MODEL,
            USER,
            ITEM,
            Column("rank", "rank", absent="cast(null as bigint)", is_number=True),
            Column("score", "score", absent="cast(null as double)", is_number=True),
            Column("cost", "budget", absent="cast(null as bigint)", is_number=True, on_request=True),
        ),
        is_sliced=True,
    ),
    Role(
        "truth",
        "t",
        (
            replace(USER, argument="truth_user"),
            replace(ITEM, argument="truth_item"),
            Column("relevance", "relevance", absent="1e0", cast="double", is_number=True),
            Column("rank", "truth_rank", absent="cast(null as bigint)", is_number=True),
            Column("cluster", "cluster", absent="cast(null as {text})", on_request=True),
            Column("propensity", "propensity", absent="cast(null as double)", cast="double", is_number=True, on_request=True),
        ),
        is_sliced=True,
    ),
    Role("users", "g", (USER,), distinct=True),
    Role("segments", "s", (USER,), is_sliced=True),
    Role(
        "items",
        "i",
        (
            ITEM,
            Column("category", "category", absent="cast(null as {text})", unnested=True),
            Column("vector", "vector", absent="cast(null as {text})", on_request=True),
        ),
        own_id="_id",
        told=("title", "name"),
    ),
    Role("texts", "x", (USER,), own_id="_id", told=("text", "title")),
    Role("train", "t", (replace(USER, absent="cast(null as {text})", counted=True), ITEM)),
    Role("candidates", "c", (USER, ITEM)),
    Role(
        "predictions",
        "p",
        (MODEL, USER, ITEM, Column("prediction", "prediction", cast="double", is_number=True), RATING),
    ),
    Role("ratings", "t", (USER, ITEM, replace(RATING, absent=None))),
    Role("interactions", "t", (USER, ITEM)),
    Role("events", "e", (USER, ITEM, TIME, Column("type", "type", absent="cast(null as {text})", cast="{text}"))),
    Role(
        "impressions",
        "i",
        (
            MODEL,
            USER,
            Column("request_id", "request", absent="cast(null as bigint)"),
            ITEM,
            TIME,
            Column("rank", "rank", is_number=True),
            Column("surface", "surface", absent="cast(null as {text})", cast="{text}"),
        ),
    ),
    Role(
        "curve",
        "c",
        (Column("rank", "rank", is_number=True), Column("examination", "examination", cast="double", is_number=True)),
    ),
)
RANGE = (Column("document", "document"), Column("start", "start", is_number=True), Column("stop", "end", is_number=True))
ROLES = {
    role.name: role
    for role in (*EACH, Role("corpus", "c", (replace(ITEM, absent="{span}", counted=True), *RANGE), truth="the truth"))
}
ROLES["past"] = Role("train", "t", (USER, ITEM))  # train, where its users are needed


def of_spans(role: Role, truth: str) -> Role:
    """The role in a call about the spans of a truth: each row has a range of a document, which is its item if it has no other."""
    columns = (
        replace(one, absent="{span}", counted=role.name == "truth") if one.ours == "item_id" else one for one in role.columns
    )
    return replace(role, columns=(*columns, *RANGE), truth=truth)


UNRATED = replace(ROLES["predictions"], columns=ROLES["predictions"].columns[:-1])  # for ratings in a table of their own
