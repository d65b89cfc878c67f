{#
about = "a metric's value for a user in the mean: its expression, or the value that no_truth gives to a user without relevant items"
of_all = true

[options.no_truth]
about = "what happens to a user without relevant items, unless no_recs = skip leaves them out because they have no list"
topic = "population"
default = "skip"
list_length = ["one_if_both_empty"]

[options.no_truth.values]
skip = "left out"
zero = "counted as 0 if the user has a list, or a row in the truth or in the table of users"
zero_below_threshold = "counted as 0 if the user has a row in the truth, else left out"
one = "counted as 1 by metrics between 0 and 1, else as 0"
one_if_both_empty = "counted as 1 by metrics between 0 and 1 if the user has no list, else as 0"
error = "an error"
#}
{% set truthless = condition(no_truth="zero zero_below_threshold one one_if_both_empty") %}
{% set joined = condition(users="union") %}
{% set has_ideal = rendering.expression("expressions/has_ideal.sql") %}
{% set zero = "coalesce(" ~ natural ~ ", 0e0)" %}
{% set natural = natural if has_ideal == "true" else "case when " ~ has_ideal ~ " then " ~ natural ~ " end" %}
{% set bounded = column.header.bounds == [0, 1] %}
{% if truthless.possible or joined.possible %}
case
    when s.relevant > 0 then {{ natural }}
    else {{ zero if not bounded else choose("no_truth",
        one="1e0",
        one_if_both_empty="case when s.listed = 0 then 1e0 else 0e0 end",
        otherwise="0e0",
    ) }}
end
{% else %}
{{ natural }}
{% endif %}
