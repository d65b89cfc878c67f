{# The items of all lists together, the catalogue and train. #}
{% set with_catalog = items is not none or train is not none %}
{% set set_columns = ["share"] + (["root_share"] if needs.root_shares else []) + (["times"] if needs.set_times else []) %}
{% set by_popularity = (needs.grouped or needs.shown_rates or needs.hit_rates or needs.group_exposures) and grouped_by == "popularity" %}
{% set popularity_read = needs.popularities or needs.popularity_shares %}
{% set train_users_counted = (
    (needs.tail and tail_share_part == "interactions")
    or by_popularity
    or (needs.novelties and novelty_base == "users")
    or (popularity_read and popularity_base == "users")
    or weights_of_train
    or needs.unpopular_gain
) %}
{# Whether a metric counts the rows of train of each listed item, and the call does not say what an item without any is. #}
{% set counts_train = (
    needs.tail
    or by_popularity
    or needs.popularity_places
    or (needs.novelties and novelty_unseen == "one")
    or (popularity_read and popularity_unseen == "zero")
    or (needs.discoveries and discovery_unseen == "one")
) %}
