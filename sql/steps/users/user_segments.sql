{#
kept = true
row = "one row per user with segments, slice and segment of the user"
#}
{% if named %}
select distinct p.user_id, n.slice, p.segment
from (
    from (select s.user_id, cast(columns(s.* exclude (user_id)) as varchar) from given_segments as s)
    unpivot include nulls (segment for name in (columns(* exclude (user_id))))
) as p
inner join recsql.slice_columns(¦table_columns¦) as n on n.name = p.name
where p.user_id is not null{{ guard("id_types", left="recs", right="segments", columns=["user_id"]) }}
{% else %}
{% for one in slices %}{% if one.place > 1 %}

union all
{% endif %}
select{{ " distinct" if by_table }}
    v.user_id,
    {{ one.place }} as slice,
    {{ segment_of(one) | indent }} as segment
from segment_values as v{% for key in one["keys"] %}{% if key.cut.quantiles %}
{% set q = key.ours ~ "_q" ~ key.cut.quantiles %}

left join segment_quantiles as {{ q }}
    on {{ q }}.name = '{{ key.ours }}' and {{ q }}.quantiles = {{ key.cut.quantiles }} and {{ q }}.value = {{ number_of(key) }}{% endif %}{% endfor %}{% endfor %}
{% endif %}
