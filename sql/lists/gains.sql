{#
about = "the gain of each item of the truth, NULL for those that are not relevant"
needs = ["truth", "relevance if graded", "stated_once if graded"]
#}
{% set highest = "list_max(list_filter(l.relevance, lambda y, i: l.truth[i] = x))" %}
{% set relevance = "coalesce(case when l.stated_once then l.relevance[j] else " ~ highest ~ " end, 1e0)" if graded else "1e0" %}
list_transform(
    list_transform(
        list_transform(l.truth, lambda x, j: case when x is not null then {{ relevance }} end),
        lambda y, j: case when y is not null then {{ gain_of("y", "l.truth[j]") | indent(8) }} end
    ),
    lambda g, j: case
        when g is null or g = 0 or (abs(g) >= 1e-6 and abs(g) < 1e9) then g
        else {{ refusal("gains_out_of_range", item="l.truth[j]", gain="g", user="null") | indent(8) }}
    end
)
