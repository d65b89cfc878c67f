{# The rows of lists are ranges of documents, and the truth has spans of them. #}
{% set of_spans = spans == "true" %}

{# What is compared with a cut-off: the rank of a row, or with a budget the sum of its column up to the row. #}
{% set budgeted = budget is not none %}
{% set reach = "place" if budgeted else "rank" %}

{# The further columns of a row of recs, below and behind others. #}
{% macro further(a) %}{{ ", " ~ a ~ ".document, " ~ a ~ ".start, " ~ a ~ ".stop" if of_spans }}{{ ", " ~ a ~ ".cost" if budgeted }}{% endmacro %}
