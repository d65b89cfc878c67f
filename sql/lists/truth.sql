{#
about = "the judged items in order, with NULL for each item that is not relevant"
#}
{% set relevance = "coalesce(l.relevance[j], 1e0)" if inputs.graded else "1e0" %}
{% set is_relevant = rendering.expression("expressions/is_relevant.sql", x=relevance) %}
{% set given = "" if not inputs.graded else "l.relevance is null" %}
{% set plain = is_given("relevance_threshold").negated %}
{% set conditions = [given, plain.sql if plain.possible and not plain.certain] | select | join(" and ") %}
{% set relevant = "list_transform(l.judged, lambda x, j: case when " ~ is_relevant ~ " then x end)" %}
{{ relevant if not plain.possible else "case when " ~ conditions ~ " then l.judged else " ~ relevant ~ " end" if conditions else "l.judged" }}
