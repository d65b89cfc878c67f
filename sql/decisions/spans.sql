{# The rows of lists are ranges of documents, and the truth has spans of them. #}
{% set of_spans = spans == "true" %}

{# What lists and truth have in common, where one row of the truth is no item of a list. #}
{% set subject = "document" if of_spans else "item_id" %}

{# How much a row `r` of recs reads, where cut-offs are ranks: its tokens, if lists have that column, else positions. #}
{% set in_tokens = "recs" in tables and "cost" in tables.recs.columns %}
{% set reads = "" if budget is not none else "r.cost" if in_tokens else "r.stop - r.start" if of_spans else "" %}

{# What is compared with a cut-off: the rank of a row, or with a budget the sum of its column up to the row. #}
{% set budgeted = budget is not none %}
{% set reach = "place" if budgeted else "rank" %}

{# The further columns of a row of recs, below and behind others. #}
{% macro further(a) %}{{ ", " ~ a ~ ".document, " ~ a ~ ".start, " ~ a ~ ".stop" if of_spans }}{{ ", " ~ a ~ ".cost" if budgeted }}{% endmacro %}
