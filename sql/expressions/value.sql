{#
about = "a metric's value for a user of the mean: its expression, or what no_truth says for a user with nothing relevant"
of_all = true

[options.no_truth]
about = "a user with nothing relevant, unless no_recs = skip leaves them out for lack of a list"
topic = "population"
default = "skip"
list_length = ["one_if_both_empty"]

[options.no_truth.values]
skip = "left out"
zero = "counted as 0, with a list, a row in the truth or one in the table of users"
zero_below_threshold = "counted as 0 with a row in the truth; left out with a list alone"
one = "counted as 1, for metrics between 0 and 1"
one_if_both_empty = "counted as 1 without a list, for metrics between 0 and 1; else as 0"
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
