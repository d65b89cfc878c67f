{#
row = "one row per model and cut-off: the statistics of the categories in the lists"
grain = "item"
sums = { over = "categories", alias = "q", reader = "run_at_k" }
of_lists = true
when = "needs.categories_at_k and target == 'evaluate'"
#}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k{% for one in statistics.categories %}{% if one.needed %},
    {{ one.text | indent }} as {{ one.name }}{% endif %}{% endfor %}

from category_entropies as y{% if sliced %}

{{ with_segments("y") }}{% endif %}

group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k
