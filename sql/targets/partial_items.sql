{# How often each item is recommended, to be added to the counts of other users. The models and the counts of the report follow; of segments also the numbers of lists. #}
{% macro keys_of(x) %}
    {{ x }}.model,
    true as has_lists,
{% if sliced %}
    {{ x }}.slice,
    {{ x }}.segment,
{% endif %}
{% endmacro %}
{% macro no_items() %}
    null as k,
    null as item_id,
    null as times,
{% if needs.exposures %}
    null as exposure,
{% endif %}
{% endmacro %}
{% macro no_sums() %}
    {{ sql.text("null") }} as metric,
    cast(null as bigint) as headcount,
    cast(null as bigint) as served,
    cast(null as bigint) as users,
    cast(null as decimal(38, 0)) as sum,
    cast(null as decimal(38, 0)) as squares,
    cast(null as bigint) as zeros,
{% endmacro %}
select
{{ keys_of("b") }}
{{ no_sums() }}
    b.k,
    b.item_id,
    b.times,
{% if needs.exposures %}
    b.exposure,
{% endif %}
    cast(null as bigint) as users_with_truth,
    cast(null as bigint) as lists,
    cast(null as bigint) as lists_without_truth,
    cast(null as bigint) as longest_list,
    cast(null as integer) as place{% if sliced %},
    cast(null as bigint) as lists_of_users{% endif %}

from item_bands as b
union all
select
    nullif(m.model, chr(1)) as model,
    m.model is distinct from chr(1) as has_lists,
{% if sliced %}
    0 as slice,
    null as segment,
{% endif %}
{{ no_sums() }}
{{ no_items() }}
    n.users_with_truth,
    n.lists,
    n.lists_without_truth,
    n.longest_list,
    {{ item_columns | map(attribute="order") | min }} as place{% if sliced %},
    null as lists_of_users{% endif %}

from models as m
left join report as n on n.model is not distinct from m.model
where {{ measurable() }}
{% if sliced %}
union all
select
{{ keys_of("c") }}
{{ no_sums() }}
{{ no_items() }}
    null as users_with_truth,
    null as lists,
    null as lists_without_truth,
    null as longest_list,
    null as place,
    c.lists as lists_of_users
from list_counts as c
{% endif %}
