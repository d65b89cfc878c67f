{#
about = "the mean of 1 / rank at which a reader stops, 0 for one who reads to the end"
needs = ["found", "entries if gained", "k if deep"]
#}
{% set chance = stop_chance("h.gain" if gained else "1e0") %}
{% set reached = "list_product(list_transform((" ~ found_at_k ~ ")[:n - 1], lambda h: 1 - " ~ chance ~ "))" %}
{% set highest = "list_max(list_transform(l.entries, lambda e: e.gain))" %}
{% if gained %}
case
    when {{ stop_chance(highest) }} > 1 - power(2e0, -{{ err_max_grade }})
        then {{ refusal("grade", gain=highest, most=err_max_grade) | indent(8) }}
    else {{ sql.exact_total(found_at_k, "h, n", "coalesce(" ~ reached ~ ", 1e0) * " ~ chance ~ " / h.rank") }}
end
{% else %}
{{ sql.exact_total(found_at_k, "h, n", "coalesce(" ~ reached ~ ", 1e0) * " ~ chance ~ " / h.rank") }}
{% endif %}
