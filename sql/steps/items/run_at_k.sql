{#
row = "one row per model and cut-off: the statistics that the metrics of all lists together read"
grain = "item"
when = "item_metrics and target == 'evaluate'"
#}
select
{% if modelled %}
    m.model,
{% endif %}
    c.k{% for kind in [statistics.items, statistics.exposures, statistics.lists, statistics.categories, statistics.popularities, statistics.run] %}{% for one in kind %}{% if one.needed %},
    {{ one.column | indent }}{% endif %}{% endfor %}{% endfor %}

from models as m
cross join cutoffs as c{% if needs.items_at_k %}

left join items_at_k as i on {{ same_model("i", "m") }}i.k = c.k{% endif %}{% if needs.exposures_at_k %}

left join exposures_at_k as e on {{ same_model("e", "m") }}e.k = c.k{% endif %}{% if needs.lists_at_k %}

left join lists_at_k as l on {{ same_model("l", "m") }}l.k = c.k{% endif %}{% if needs.categories_at_k %}

left join categories_at_k as q on {{ same_model("q", "m") }}q.k = c.k{% endif %}{% if needs.popularities_at_k %}

left join popularities_at_k as p on {{ same_model("p", "m") }}p.k = c.k{% endif %}
