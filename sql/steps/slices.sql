{#
Groups of users: the segments of slices, and the groups that a jackknife leaves out.

Goes in: per_user, the segments of the users, and the columns of clusters. Comes out: user_segments, one row per user,
slice and segment; per_segment, each user once per segment and once among all users; user_groups and list_groups, the
group of each user and list.
#}

-- name: activities
{#
row = "one row per user in train: the number of their rows"
#}
select a.user_id, count(*) as events
from given_train as a
where a.user_id is not null{{ guard("id_types", left="recs", right="train", columns=["user_id"]) }}
group by a.user_id

-- name: segment_values
{#
row = "one row per user with segments (and row of the user in the table segments): the values of the columns"
#}
{# Several LISTs of a row are unnested one after the other, which combines each value with all values of the others. #}
{% macro of_segments(columns, lists) %}
select s.user_id{% for key in columns %}, {{ sql.elements("s." ~ key.ours) ~ " as " ~ key.ours if lists and key == lists[-1] else "s." ~ key.ours }}{% endfor %}

{% if lists | length > 1 %}
from (
    {{ of_segments(columns, lists[:-1]) | trim | indent }}
) as s
{% else %}
from given_segments as s
{% endif %}
{% endmacro %}
{% macro rows(one) %}
{% if one.role == "segments" %}
{{ of_segments(one.columns, one.columns | selectattr("is_list") | list) }}
{% elif one.role == "train" %}
select a.user_id, a.events as {{ one.columns[0].ours }}
from activities as a
{% else %}
select {{ one.alias }}.user_id{% for key in one.columns %}, min({{ one.alias }}.{{ key.ours }}) as {{ key.ours }}{% endfor %}

from given_{{ one.role }} as {{ one.alias }}
group by {{ one.alias }}.user_id
{% endif %}
{% endmacro %}
{% if segment_sources | length == 1 %}
{{ rows(segment_sources[0]) | trim }}
{% else %}
{# A user may be in one of the tables only. #}
{% set users = segment_sources | map(attribute="alias") | join(".user_id, ") ~ ".user_id" %}
select
    coalesce({{ users }}) as user_id{% for one in segment_sources %}{% for key in one.columns %},
    {{ one.alias }}.{{ key.ours }}{% endfor %}{% endfor %}

from (
    {{ rows(segment_sources[0]) | trim | indent }}
) as {{ segment_sources[0].alias }}
{% for one in segment_sources[1:] %}
{% set before = segment_sources[:loop.index] | map(attribute="alias") | join(".user_id, ") ~ ".user_id" %}
full join (
    {{ rows(one) | trim | indent }}
) as {{ one.alias }} on {{ one.alias }}.user_id = {{ "coalesce(" ~ before ~ ")" if loop.index > 1 else before }}
{% endfor %}
{% endif %}

-- name: segment_quantiles
{#
row = "one row per column that is cut into quantiles and value: its quantile among the users with a value"
#}
{# Equal values have the quantile of the first of them. A user with several values counts with each. #}
select
    w.name,
    w.quantiles,
    w.value,
    cast(floor({{ double("w.below * w.quantiles") }} / w.users) as bigint) + 1 as quantile
from (
    select
        n.name,
        n.quantiles,
        n.value,
        cast(sum(n.users) over (partition by n.name, n.quantiles order by n.value asc) - n.users as bigint) as below,
        cast(sum(n.users) over (partition by n.name, n.quantiles) as bigint) as users
    from (
{% for key in quantile_columns %}{% if not loop.first %}

        union all
{% endif %}
        select '{{ key.ours }}' as name, {{ key.cut.quantiles }} as quantiles, d.value, count(*) as users
        from (select distinct v.user_id, {{ number_of(key) }} as value from segment_values as v) as d
        where d.value is not null
        group by d.value{% endfor %}

    ) as n
) as w

-- name: user_segments
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

-- name: slices
{#
row = "one row per slice; slice 0 has all users as one segment"
#}
{% if named %}
select 0 as slice, cast(null as varchar) as name
union all
select n.slice, n.name
from recsql.slice_columns(¦table_columns¦) as n
{% else %}
select 0 as slice{{ ", " ~ sql.text("null") ~ " as otherwise" if by_activity }}

{%- for one in slices %}

union all
select {{ one.place }} as slice{{ ", " ~ (literal(one.otherwise) if one.otherwise is not none else sql.text("null")) ~ " as otherwise" if by_activity }}{% endfor %}
{% endif %}

-- name: per_segment
{#
row = "one row per model, cut-off, user, slice and segment of the user: the metrics"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
    p.k{% for column in user_columns %},
    p.{{ column.name }}{% endfor %}

from per_user as p
{{ with_segments("p") }}

-- name: segment_lists
{#
row = "one row per user with segments: the segment in each slice, or several with commas between them"
#}
select
    g.user_id{% for one in slices %},
    {{ sql.sorted_texts("case when g.slice = " ~ one.place ~ " then g.segment end") }} as slice_{{ one.place }}{% endfor %}

from user_segments as g
group by g.user_id

-- name: grouped_users
{#
row = "one row per user who is in one of the groups that are left out"
also = "item rating"
#}
{% if rating_groups %}
select distinct p.user_id from given_predictions as p
{% elif item_groups and (user_groups or pair_groups) %}
select l.user_id from lists as l
union
select u.user_id from population as u
{% elif item_groups %}
select distinct l.user_id from lists as l
{% else %}
select distinct u.user_id from population as u
{% endif %}

-- name: user_groups
{#
row = "one row per user: the group that the user belongs to, by a hash of the id; if there are few users, a group for each"
kept = true
also = "item rating"
#}
{% set group = sql.group_of(sql.text("g.user_id"), groups) %}
select g.user_id, {{ group }} as part
from grouped_users as g
where (select count(*) from grouped_users as a) >= {{ groups }}
union all
select g.user_id, row_number() over (order by {{ sql.text("g.user_id") }} asc) as part
from grouped_users as g
where (select count(*) from grouped_users as a) < {{ groups }}

-- name: list_groups
{#
row = "one row per list: the group that its user belongs to; if there are few users with a list of the model, a group for each"
grain = "item"
kept = true
#}
{# The groups of a model don't depend on other models. Two models that are compared need the same groups. #}
{% if of_pairs %}
select {{ model("l") }}l.user_id, g.part
from lists as l
inner join user_groups as g on g.user_id = l.user_id
{% else %}
{% set group = sql.group_of(sql.text("l.user_id"), groups) %}
{% macro counting(lists) %}{% if owners_of_lists %}

inner join {{ owners_of_lists }} as u on u.user_id = {{ lists }}.user_id{% endif %}{% endmacro %}
{% macro of_models(part, condition) %}
select {{ model("l") }}l.user_id, {{ part }} as part
from lists as l
inner join (
    select {{ model("c") }}count(*) as users
    from lists as c{{ counting("c") | indent }}{% if modelled %}

    group by c.model{% endif %}

) as n on {{ on_model("n", "l") }}{{ counting("l") }}
where n.users {{ condition }} {{ groups }}
{%- endmacro %}
{{ of_models(group, ">=") }}
union all
{{ of_models("row_number() over (" ~ ("partition by l.model " if modelled else "") ~ "order by " ~ sql.text("l.user_id") ~ " asc)", "<") }}
{% endif %}
