{# The items of all lists together, the catalogue and train. #}
{% set with_catalog = items is not none or train is not none %}
{% set set_columns = ["share"] + (["root_share"] if needs.root_shares else []) + (["times"] if needs.set_times else []) %}
{% set train_users_counted = (
    (needs.tail and tail_share_part == "interactions")
    or (needs.novelties and novelty_base == "users")
    or (needs.popularities and popularity_base == "users")
) %}
