{# The items of all lists together, the catalogue and train. #}
{% set with_catalog = items is not none or train is not none %}
{% set catalog_read = valued and ((needs.catalog_count and catalog_size is none) or (with_catalog and needs.catalog)) %}
{% set train_read = ((valued or of_users) and needs.train) or (catalog_read and (items is none or named)) %}
{% set categories_counted = (of_lists and needs.categories_at_k and not parts) or (of_users and (needs.list_categories_at_k or needs.list_tastes_at_k)) %}
{% set categories_read = categories_counted or (of_users and needs.list_pairs_at_k) %}
{% set weight_columns = (["weight"] if needs.weights else []) + (["root_weight"] if needs.root_weights else []) %}
{% set items_counted = item_metrics and (target == "partial_items" or (valued and (needs.items_at_k or needs.exposures_at_k))) %}
{% set train_counted = (of_lists and needs.popularities_at_k) or (of_users and (needs.tail or needs.popularity_places)) %}
{% set train_users_counted = (needs.tail and tail_share_part == "interactions") or (needs.novelties and novelty_base == "users") or (needs.popularities and popularity_base == "users") %}
