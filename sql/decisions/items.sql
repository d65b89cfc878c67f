{# The items of all lists together, the catalogue and train. #}
{% set with_catalog = items is not none or train is not none %}
{% set set_columns = ["share"] + (["root_share"] if needs.root_shares else []) + (["times"] if needs.set_times else []) %}
{% set train_users_counted = (
    (needs.tail and tail_share_part == "interactions")
    or (needs.novelties and novelty_base == "users")
    or (needs.popularities and popularity_base == "users")
) %}
{# Whether a metric counts the rows of train of each listed item, and the call does not say what an item without any is. #}
{% set counts_train = (
    needs.tail
    or needs.popularity_places
    or (needs.novelties and novelty_unseen == "one")
    or (needs.popularities and popularity_unseen == "zero")
) %}
