{# The items of all lists together, the catalogue and train. #}
{% set with_catalog = items is not none or train is not none %}
{% set catalog_read = valued and ((needs.catalog_count and catalog_size is none) or (with_catalog and needs.catalog)) %}
{% set train_read = (valued and needs.train) or (catalog_read and (items is none or named)) %}
{% set items_counted = item_metrics and (target == "partial_items" or (valued and (needs.items_at_k or needs.exposures_at_k))) %}
{% set train_counted = of_lists and needs.popularities_at_k %}
{% set train_users_counted = (needs.novelties and novelty_base == "users") or (needs.popularities and popularity_base == "users") %}
