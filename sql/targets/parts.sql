{#
The rows of a part: sums that merge adds up.
#}

-- name: partial
{# The sums behind the means over users, to be added to those of other users. One extra model stands for models without a list in this part. #}
select
    nullif(p.model, chr(1)) as model,
    p.model is distinct from chr(1) as has_lists,
{% if sliced %}
    p.slice,
    p.segment,
{% endif %}
    p.metric,
    p.k,
    p.headcount,
    p.served,
    p.users,
    p.sum,
    p.squares,
    p.zeros,
{% if clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    n.users_with_truth,
    n.lists,
    n.lists_without_truth,
    n.longest_list,
    p.place,
    p.definition
from portions as p
left join report as n on n.model is not distinct from p.model
where {{ measurable() }}
order by p.model asc nulls first, {{ "p.slice asc, p.segment asc nulls last, " if sliced }}p.place asc, p.k asc

-- name: partial_items
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
    {{ keys_of("b") | trim }}
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
    {{ keys_of("c") | trim }}
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

-- name: origin
{# The origin of a part: number of rows, a fingerprint that ignores their order, and the smallest hashes of its users, and of its clusters. #}
{% macro smallest(column, name) %}
select {{ sql.ordered_list("s.hash", "s.hash") }} as {{ name }}
from (
    select substr(md5({{ sql.text("t." ~ column) }}), 1, 16) as hash
    from given_truth as t
    where t.{{ column }} is not null
    group by t.{{ column }}
    order by hash asc
    limit 256
) as s
{% endmacro %}
select
    r.row_count,
    r.fingerprint,
    u.users{% if clustered %},
    c.clusters{% endif %}

from (
    select
        count(*) as row_count,
        {{ sql.text("sum(cast(o.hash as decimal(38, 0)))") }} as fingerprint
    from (
        select {{ sql.hash_of("'recs', r.model, r.user_id, r.item_id, r.rank, r.score") }} as hash
        from given_recs as r
        union all
        select {{ sql.hash_of("'truth', t.user_id, t.item_id, t.relevance, t.rank") }} as hash
        from given_truth as t
    ) as o
) as r
cross join (
    {{ smallest("user_id", "users") | trim | indent }}
) as u{% if clustered %}

cross join (
    {{ smallest("cluster", "clusters") | trim | indent }}
) as c{% endif %}
