"""LensKit: its holdouts of the last interactions of each user."""

from collections.abc import Iterator

from lenskit.data import from_interactions_df
from lenskit.splitting import LastFrac, LastN, crossfold_users
from pandas import DataFrame
from parting import FRACTIONS, NUMBERS, Split, give

FIELDS = {"user_col": "user_id", "item_col": "item_id", "timestamp_col": "timestamp"}


def splits(rows: DataFrame) -> Iterator[Split]:
    """One fold has the test rows of all users."""
    data = from_interactions_df(rows, **FIELDS)
    places = {(user, item): row for row, (user, item) in enumerate(zip(rows["user_id"], rows["item_id"], strict=True))}
    fractions = [one for one in FRACTIONS if 3 * one > 0.5]  # of three rows, a smaller part is none, and LastFrac then gives all
    asked = [
        *(({"protocol": "last_n", "n": n}, LastN(n)) for n in NUMBERS),
        *(({"protocol": "last_fraction", "fraction": fraction}, LastFrac(fraction)) for fraction in fractions),
    ]
    for options, holdout in asked:
        [fold] = crossfold_users(data, 1, holdout)
        truth = {places[key.user_id, item] for key, items in fold.test.items() for item in items.ids()}
        yield options, set(places.values()) - truth, truth


give(splits)
