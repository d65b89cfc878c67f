{#
row = "one row per model and cut-off: the statistics that the metrics of all lists together read"
grain = "item"
#}
select
{% if modelled %}
    m.model,
{% endif %}
{% if sliced %}
    n.slice,
    n.segment,
{% endif %}
    c.k{% if item_groups %},
    o.part{% endif %}{% for step in sums("run_at_k") %}{% for one in statistics(step.over) %},
    {{ column_of(one) | indent }}{% endfor %}{% endfor %}{% for one in statistics("run") %},
    {{ column_of(one) | indent }}{% endfor %}

from models as m{% if sliced %}

cross join segments_of_lists as n{% endif %}

cross join cutoffs as c{% if item_groups %}

{{ with_left_out("n", of="m") }}{% endif %}{% for step in sums("run_at_k") %}

left join {{ step.name }} as {{ step.alias }} on {{ same_model(step.alias, "m") }}{{ step.alias ~ ".slice = n.slice and " ~ step.alias ~ ".segment is not distinct from n.segment and " if sliced }}{{ step.alias }}.k = c.k{% if item_groups %} and {{ step.alias }}.part is not distinct from o.part{% endif %}{% endfor %}

