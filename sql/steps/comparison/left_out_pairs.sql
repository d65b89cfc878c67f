{#
row = "one row per pair of models, cut-off, model of the pair and group of users that is left out (NULL: none): the sums over all other users who have both values"
grain = "pair"
when = "pair_groups and not partial"
#}
{% set of_means = by_groups(user_columns)[0].name %}
{% macro sums_of(suffix) %}
select
    s.pair,
    s.k,
    o.part,
    {{ "true" if suffix else "false" }} as is_baseline,
    cast(sum(s.{{ of_means }}_users) as bigint) as users{% for column in user_columns %},
    {{ sql.of_units("sum(s." ~ column.name ~ suffix ~ ")") }} as {{ column.name }},
    sum(s.{{ of_means }}_users - s.{{ column.name }}_users) as {{ column.name }}_missing{% endfor %}

from paired_groups as s
inner join (
    select g.pair, g.k, g.part from paired_groups as g where g.{{ of_means }}_users > 0
    union all
    select distinct g.pair, g.k, null as part from paired_groups as g
) as o on o.pair = s.pair and o.k = s.k and o.part is distinct from s.part
group by s.pair, s.k, o.part
{% endmacro %}
{{ sums_of("") | trim }}
union all
{{ sums_of("_base") | trim }}
