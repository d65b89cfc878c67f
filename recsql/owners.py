"""A truth whose users belong to one model each: requests, of which each was answered by one model."""

from collections.abc import Mapping, Sequence

from recsql.errors import BadInput
from recsql.given import Given
from recsql.headers import Value
from recsql.spoken import option

SHOWN_BY = "shown_by"  # the column of such a truth, which `labels` writes if there are several models


def refuse_others_requests(
    found: Mapping[str, Given], options: Mapping[str, Value], grains: Sequence[str], *, sums: bool
) -> None:
    """Raises BadInput for a call that would pair models on such a truth, or count the requests of others as 0."""
    truth = found.get("truth")
    if truth is None or SHOWN_BY not in truth.types or not found.get("recs", truth).has("model"):
        return
    owned = f"{truth.name}: each request belongs to the model in its column {SHOWN_BY}"
    if "pair" in grains and not sums:
        raise BadInput(f"{owned}, so none has lists of two models to compare; evaluate has the mean of each")
    if options["no_recs"] != "skip":
        raise BadInput(f"{owned}, and would count as 0 for the others; give {option('no_recs', 'skip')}")
