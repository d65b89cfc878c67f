{# The sums behind a comparison, to be added to those of other users. For metrics that are not means, those of each group of users follow. #}
{% macro of_metric(text) %}
case a.place
{% for column in user_columns %}
        when {{ column.place }} then {{ text.format(name=column.name, order=column.order) }}
{% endfor %}
    end
{%- endmacro %}
{% macro of_pair(x) %}
    nullif({{ x }}.model, chr(1)) as model,
    {{ x }}.model is distinct from chr(1) as has_lists,
    {{ literal(baseline) }} as baseline,
{% endmacro %}
{% if pair_sums %}
select
{{ of_pair("s") }}
{% if pairs_sliced %}
    s.slice,
    s.segment,
{% endif %}
{% if pair_groups %}
    {{ sql.text("null") }} as user_group,
{% endif %}
    s.metric,
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products,
{% for name in pair_counts %}
    n.{{ name }},
{% endfor %}
{% if clustered %}
    s.cluster_squares,
    s.base_cluster_squares,
    s.base_cluster_products,
    s.cluster_products,
    s.cluster_sizes,
    s.clusters,
{% endif %}
    cast(null as double) as difference,
    s.place,
    s.definition
from paired as s
left join pair_reports as n on n.model is not distinct from s.model and n.baseline is not distinct from s.baseline
where {{ measurable() }}
{% endif %}
{% if pair_sums and pair_groups %}
union all
{% endif %}
{% if pair_groups %}
select
{{ of_pair("p") }}
{% if pairs_sliced %}
    s.slice,
    s.segment,
{% endif %}
    g.part as user_group,
    a.metric,
    g.k,
    {{ of_metric("g.{name}_users") }} as users,
    cast(null as bigint) as unpaired,
    cast(null as bigint) as wins,
    cast(null as bigint) as losses,
    {{ of_metric("g.{name}") }} as sum,
    {{ of_metric("o.{name}") }} as base_sum,
    cast(null as decimal(38, 0)) as squares,
    cast(null as decimal(38, 0)) as base_squares,
    cast(null as decimal(38, 0)) as products,
{% for name in pair_counts %}
    cast(null as bigint) as {{ name }},
{% endfor %}
    cast(null as double) as difference,
    {{ of_metric("{order}") }} as place,
    a.definition
from paired_groups as g
inner join paired_groups as o on o.pair = g.pair and o.k = g.k and o.part = g.part and not g.is_baseline and o.is_baseline
{% if pairs_sliced %}
inner join segment_pairs as s on s.number = g.pair
inner join model_pairs as p on p.pair = s.pair
{% else %}
inner join model_pairs as p on p.pair = g.pair
{% endif %}
cross join asked as a
where {{ measurable() }} and {{ of_metric("true") }}
{% endif %}
{% if not pair_sums %}
{% if pair_groups %}
union all
{% endif %}
{# Without sums, the counts have a row of their own. #}
select
{{ of_pair("n") }}
{% if pairs_sliced %}
    0 as slice,
    null as segment,
{% endif %}
{% if pair_groups %}
    null as user_group,
{% endif %}
    {{ sql.text("null") }} as metric,
    cast(null as integer) as k,
{% for name in ["users", "unpaired", "wins", "losses"] %}
    cast(null as bigint) as {{ name }},
{% endfor %}
{% for name in ["sum", "base_sum", "squares", "base_squares", "products"] %}
    cast(null as decimal(38, 0)) as {{ name }},
{% endfor %}
{% for name in pair_counts %}
    n.{{ name }},
{% endfor %}
    cast(null as double) as difference,
    cast(null as integer) as place,
    {{ sql.text("null") }} as definition
from pair_reports as n
where {{ measurable() }}
{% endif %}
