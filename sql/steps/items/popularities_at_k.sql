{#
row = "one row per model and cut-off: the statistics of the novelty and popularity of the items in the lists"
grain = "item"
sums = { over = "popularities", alias = "p", reader = "run_at_k" }
of_lists = true
when = "train_counted"
#}
select
{% if modelled %}
    y.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    y.k{% for one in statistics.popularities %}{% if one.needed %},
    {{ one.text | indent }} as {{ one.name }}{% endif %}{% endfor %}

from list_popularities as y{% if sliced %}

{{ with_segments("y") }}{% endif %}

group by {{ model("y") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}y.k
