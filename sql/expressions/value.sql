{#
about = "a metric's value for a user in the mean: its expression, or the value that no_truth gives to a user without relevant items"
of_all = true
needs = ["relevant if no_truth not in ['skip', 'error'] or users == 'union'", "listed if no_truth == 'one_if_both_empty'"]

[options.no_truth]
about = "what happens to a user without relevant items, unless no_recs = skip leaves them out because they have no list"
topic = "population"
default = "skip"

[options.no_truth.values]
skip = "left out"
zero = "counted as 0 if the user has a list, or a row in the truth or in the table of users"
zero_below_threshold = "counted as 0 if the user has a row in the truth, else left out"
one = "counted as 1 by metrics between 0 and 1, else as 0"
one_if_both_empty = "counted as 1 by metrics between 0 and 1 if the user has no list, else as 0"
error = "an error"
#}
{% set cut = uncut and column.needs_cutoff %}
{# An expression that is never NULL has the same value in both branches, and 0 is no value of a metric that begins at 1. #}
{% set truthless = truthless and column.grain != "list" and (zero_ideal == "skip" or column.bounded or column.header.get("empty") != "0e0") and 1 not in column.header.bounds[:1] %}
{{ "case when s.k < " ~ whole ~ " then " if cut -}}
{{ "case when s.relevant > 0 then " if truthless -}}
{{ "case when s.idcg > 0 then " if zero_ideal == "skip" }}{{ natural }}{{ " end" if zero_ideal == "skip" -}}
{% if truthless %}{% if not column.bounded %} else coalesce({{ natural }}, 0e0){% elif no_truth == "one" %} else 1e0
{%- elif no_truth == "one_if_both_empty" %} when s.listed = 0 then 1e0 else 0e0{% else %} else 0e0{% endif %} end{% endif -%}
{{ " end" if cut }}
