{# Labels. If the columns of the tables are unknown, each may be there; `numbered` are requests without an id of their own. #}
{% set with_impressions = impressions is not none %}
{% set by_request = with_impressions and unit == "request" %}
{% set typed = named or "type" in names %}
{% set requested = named or "request_id" in names %}
{% set numbered = named or "request_id" not in names %}
{% set surfaced = named or "surface" in names %}
