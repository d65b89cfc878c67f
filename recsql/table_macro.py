"""The macros over tables: their names, parameters and targets."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from recsql.catalog import catalog
from recsql.grammar import DEFAULT_CUTOFF, DEFAULT_CUTOFFS, DEFAULT_LENGTH
from recsql.headers import Value
from recsql.intervals import COMPARED as INTERVAL
from recsql.intervals import TARGETS


@dataclass(frozen=True)
class TableMacro:
    """A macro over tables."""

    name: str
    about: str
    target: str
    tables: Mapping[str, str]  # by role: the parameter or the option that names the table
    grain: str = ""  # of its metrics
    k: object = None  # the default cut-offs
    fixed: Mapping[str, Value] = field(default_factory=dict)  # options that are no parameters
    usual: Mapping[str, Value] = field(default_factory=dict)  # the defaults of options, where they differ from the catalogue's
    sliced: bool = False  # it has slices
    needed: Collection[str] = ()  # its tables without a default that are options of other macros

    @property
    def known(self) -> dict[str, Value]:
        """The options that are no parameters: fixed ones, those of slices without slices, and of intervals without means."""
        topics = [*([] if self.sliced else ["slices"]), *(["intervals"] if self.target not in TARGETS else [])]
        without = {name: option.default for topic in topics for name, option in catalog().topics[topic].options.items()}
        return {**{name: value for name, value in without.items() if name not in self.usual}, **self.fixed}

    @property
    def grains(self) -> list[str]:
        """The grains whose options it has."""
        return [*filter(None, [self.grain]), *(["pair"] if self.target == "paired" else [])]

    @property
    def several(self) -> bool:
        """Whether it takes several cut-offs."""
        return isinstance(self.k, list)

    @property
    def given(self) -> list[str]:
        """The parameters besides the options."""
        return [*self.positional, *([f"k := {self.k}"] if self.k else [])]

    @property
    def positional(self) -> list[str]:
        """The parameters without a default: its tables that are no options of it."""
        known = catalog().options
        return [parameter for parameter in self.tables.values() if parameter not in known or parameter in self.needed]


def of_leave_one_out() -> dict[str, Value]:
    """The options of a split that leave_one_out doesn't take."""
    others = {name: one.default for name, one in catalog().options_of(["interaction"]).items() if name not in OF_LEAVE_ONE_OUT}
    return {**others, "protocol": "leave_one_out"}


OF_LEAVE_ONE_OUT = ("order_by", "seed", "single")  # the options of leave_one_out
LEFT_OUT = {"train": "train", "candidates": "candidates"}  # what items of the lists are looked up in
TRUTH = {"recs": "recs", "truth": "truth"}
USERS = TRUTH | {"users": "users", "segments": "segments"} | LEFT_OUT
ITEMS = {"recs": "recs", "items": "items", "segments": "segments"} | LEFT_OUT
TRAIN = {"past": "train"}
RATINGS = {"predictions": "predictions", "ratings": "ratings"}
KS = list(DEFAULT_CUTOFFS)
EACH_USER = {"f1_average": "per_user"}
EACH = "the metrics of each user, one column per metric"
HITS = "every recommended row in the top k, with the running hits, precision and dcg of its list"
IDEAL = "the best possible list of each user, up to rank k, with its running dcg"
COMPARED = "models in pairs, user by user, with an interval and a test of each difference"
POPULAR = "the most popular items that each user lacks, as lists"
SEGMENTS = "the segments of each user: activity, warm and mainstream"
DRAWN = "the truth of each user and n items that are new to them"
SPLIT = "every interaction with its part, by a protocol: train, truth and others"
HELD_OUT = "every interaction, labelled as train or truth; the last of each user is truth"
LABELS = "the truth from a log of events, alone or with what was shown"
RANKED = "scored items ranked, the top k of each list; ties by item id"
TABLE_MACROS = (
    TableMacro("evaluate", "the metrics averaged over users", "evaluate", USERS, "user", KS, sliced=True),
    TableMacro("per_user", EACH, "per_user", USERS, "user", KS, EACH_USER, sliced=True),
    TableMacro("compare", COMPARED, "paired", USERS, "user", KS, EACH_USER, {"interval": INTERVAL}, sliced=True),
    TableMacro(
        "item_metrics", "the metrics of all lists together", "evaluate", ITEMS, "item", KS, {"users": "truth"}, sliced=True
    ),
    TableMacro("rating_metrics", "how far predictions are from ratings", "rating_metrics", RATINGS, "rating"),
    TableMacro("hits", HITS, "hits", TRUTH | LEFT_OUT, k=DEFAULT_CUTOFF),
    TableMacro("ideal", IDEAL, "ideal", {"truth": "truth"}, k=DEFAULT_CUTOFF),
    TableMacro("split", SPLIT, "split", {"interactions": "interactions"}),
    TableMacro("leave_one_out", HELD_OUT, "split", {"interactions": "interactions"}, fixed=of_leave_one_out()),
    TableMacro("labels", LABELS, "labels", {"events": "events", "impressions": "impressions"}),
    TableMacro(
        "popularity", POPULAR, "popularity", TRAIN | {"users": "users"}, k=DEFAULT_LENGTH, usual={"users": None}, needed=["train"]
    ),
    TableMacro("segments", SEGMENTS, "segments", TRAIN | {"truth": "truth"}, needed=["train"]),
    TableMacro("candidates", DRAWN, "candidates", {"truth": "truth", "items": "items"} | TRAIN, needed=["items", "train"]),
    TableMacro(
        "rank_by_score", RANKED, "rank_by_score", {"recs": "scored"} | LEFT_OUT, k=DEFAULT_LENGTH, fixed={"rank_by": "score"}
    ),
)
TESTS = TableMacro(  # what joins the queries of a comparison
    "tests",
    "the tests and intervals of a comparison",
    "compare",
    {"paired": "queries"},
    usual={"interval": INTERVAL},
    sliced=True,
)
ABOUT = {one.name: one.about for one in TABLE_MACROS}  # also of the commands of the same name
