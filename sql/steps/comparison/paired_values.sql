{#
row = "one row per pair of models, metric that is not a mean, cut-off and group of users that is left out (NULL: none): both values, and the number of users"
grain = "pair"
kept = true
#}
{# For a metric of all lists together, users with a list count: the smaller number of both models. #}
{% macro of(alias, columns, suffix="") %}
case a.place
{% for column in columns %}
        when {{ column.place }} then {{ alias }}.{{ column.name }}{{ suffix }}
{% endfor %}
    end
{%- endmacro %}
{% if item_metrics %}
select
    p.model,
    p.baseline,
{% if pairs_sliced %}
    m.slice,
    m.segment,
{% endif %}
    a.place,
    m.k,
    m.part,
    least(
        coalesce({{ of("m", by_groups(item_columns), "_users") | indent }}, o.users, 0),
        coalesce({{ of("b", by_groups(item_columns), "_users") | indent }}, q.users, 0)
    ) as users,
    {{ of("m", by_groups(item_columns)) }} as value,
    {{ of("b", by_groups(item_columns)) }} as baseline_value
from model_pairs as p
inner join per_run as m on m.model is not distinct from p.model
inner join per_run as b on b.model is not distinct from p.baseline and {{ same_segment("b", of="m") }}b.k = m.k and b.part is not distinct from m.part
left join served_users as o on {{ same_segment("o", of="m") }}o.model is not distinct from p.model
left join served_users as q on {{ same_segment("q", of="m") }}q.model is not distinct from p.baseline
cross join asked as a
where a.place in ({{ by_groups(item_columns) | map(attribute="place") | join(", ") }})
{% endif %}
{% if item_metrics and pair_groups %}
union all
{% endif %}
{% if pair_groups %}
select
    p.model,
    p.baseline,
{% if pairs_sliced %}
    g.slice,
    g.segment,
{% endif %}
    a.place,
    m.k,
    m.part,
    max(m.users) as users,
    max(case when not m.is_baseline then {{ of("m", by_groups(user_columns)) | indent }} end) as value,
    max(case when m.is_baseline then {{ of("m", by_groups(user_columns)) | indent }} end) as baseline_value
from paired_means as m
{% if pairs_sliced %}
inner join segment_pairs as g on g.number = m.pair
inner join model_pairs as p on p.pair = g.pair
{% else %}
inner join model_pairs as p on p.pair = m.pair
{% endif %}
cross join asked as a
where a.place in ({{ by_groups(user_columns) | map(attribute="place") | join(", ") }})
group by p.model, p.baseline, {{ "g.slice, g.segment, " if pairs_sliced }}a.place, m.k, m.part
{% endif %}
