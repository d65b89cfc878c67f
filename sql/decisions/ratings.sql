{# Ratings. #}
{% set by_user = mean == "users" %}
{% set ratings_apart = ratings is not none %}
{% set measured_pairs = "binned_pairs" if needs.bins else "placed_pairs" if needs.places else "pairs" %}
