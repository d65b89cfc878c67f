{# Ratings. #}
{% set by_user = mean == "users" %}
{% set ratings_apart = ratings is not none %}
