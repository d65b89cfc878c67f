{#
Groups of items: how often each group is shown, and how often it could be.

Goes in: listed, train, the table of items, and relevant. Comes out: grouped_items, the groups of each item;
list_exposures, the exposure of each group in a list; group_rates, one row per model, cut-off and group, whose differences
rsp and reo measure; per_group, the metrics with a value for each group.
#}
{% set group_columns = (
    (["shown", "pairs"] if needs.shown_rates else [])
    + (["hits", "relevant"] if needs.hit_rates else [])
    + (["exposure", "all_exposure"] if needs.group_exposures else [])
) %}

-- name: grouped_items
{#
row = "one row per item and group of items: the part of the item that counts there, and an equal part of it"
grain = "item"

[options.grouped_by]
about = "the groups of items"
topic = "exposure"
default = "category"
aliases = ["group"]

[options.grouped_by.values]
category = "the column category of items, which may be a list"
popularity = "head and tail of train: the most popular items, by users, up to the one that reaches 80 % of the users of all, and the others"

[options.several_groups]
about = "how an item of several groups counts"
topic = "exposure"
default = "equal"
aliases = ["several"]
where = { grouped_by = "category" }

[options.several_groups.values]
equal = "in equal parts, one for each of its groups"
whole = "fully in each of its groups"
#}
{% set equal = "1e0 / count(*) over (partition by g.item_id)" %}
{% if grouped_by == "popularity" %}
select n.item_id, case when n.before >= cast(8e-1 as decimal(2, 1)) * n.total then 'tail' else 'head' end as item_group, 1e0 as part, 1e0 as equal_part
from most_popular_first as n
{% if named or items is not none %}
inner join catalog as c on c.item_id = n.item_id
{% endif %}
{% else %}
select
    g.item_id,
    {{ sql.text("g.category") }} as item_group,
    {{ equal if several_groups == "equal" else "1e0" }} as part,
    {{ equal }} as equal_part
from item_categories as g
{% if rsp_ungrouped == "group" %}
union all
select c.item_id, {{ sql.text("null") }} as item_group, 1e0 as part, 1e0 as equal_part
from catalog as c
where c.item_id not in (select g.item_id from item_categories as g)
{% endif %}
{% endif %}

-- name: group_sizes
{#
row = "one row per group of items: its items, and the items that have a group"
grain = "item"
#}
{% set grouped = "case when g.item_group is not null then g.equal_part end" %}
select
    g.item_group,
    {{ sql.exact_sum("g.part") }} as items,
    {{ sql.of_units("sum(" ~ sql.exact_units(grouped) ~ ") over ()") }} as all_items
from grouped_items as g
group by g.item_group

-- name: group_targets
{#
row = "one row per group of items: the share of exposure that awrf compares its own with"
grain = "list"
#}
select t.item_group, {{ double("t.parts") }} / {{ double("sum(t.parts) over ()") }} as share
from (
    select g.item_group, {{ "1" if awrf_target == "uniform" else sql.exact_units("g.part") }} as parts
    from grouped_items as g
{% if awrf_target == "train" %}
    inner join given_train as t on t.item_id = g.item_id
{% endif %}
    where g.item_group is not null
    group by g.item_group
) as t

-- name: list_exposures
{#
row = "one row per model, user, cut-off and group of the list's items: its share of the exposure, and what it should have"
grain = "list"
#}
select
{% if modelled %}
    e.model,
{% endif %}
    e.user_id,
    e.k,
    {{ double("e.exposure") }} / {{ double("sum(e.exposure) over (partition by " ~ model("e") ~ "e.user_id, e.k)") }} as share,
    coalesce(t.share, 0e0) as target
from (
    select
{% if modelled %}
        r.model,
{% endif %}
        r.user_id,
        c.k,
        g.item_group,
        {{ sql.exact_units(discount_at("r.rank") ~ " * g.part") }} as exposure
    from listed as r
    inner join cutoffs as c on c.k >= r.rank
    inner join grouped_items as g on g.item_id = r.item_id
    where g.item_group is not null
    group by {{ model("r") }}r.user_id, c.k, g.item_group
) as e
left join group_targets as t on t.item_group = e.item_group

-- name: list_exposures_at_k
{#
row = "one row per model, user and cut-off: the sums over the groups of the list's items"
grain = "list"
sums = { over = "list_exposures", alias = "x", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_exposures", row="e", kind="list_exposures") }}

-- name: train_groups
{#
row = "one row per user in train and group of items: how many items of the group the user has there"
grain = "item"
#}
select t.user_id, g.item_group, {{ sql.exact_sum("g.part") }} as items
from (
    select distinct t.user_id, t.item_id
    from given_train as t
    where t.user_id is not null{{ guard("id_types", left="recs", right="train", columns=["user_id", "item_id"]) | indent(8) }}
) as t
inner join grouped_items as g on g.item_id = t.item_id
group by t.user_id, g.item_group

-- name: group_rows
{#
row = "one row per model, user, cut-off and group of items, of each kind: what counts there of the list, of all that could be shown, and of the truth"
grain = "item"
inline = true
#}
{% macro columns(row, of, group="g") %}
{% if modelled %}
    {{ row }}.model,
{% endif %}
    {{ row }}.user_id,
    c.k,
    {{ group }}.item_group{% for one in group_columns %},
    {{ of.get(one, "0e0") }} as {{ one }}{% endfor %}
{% endmacro %}
{% macro lists() %}
from lists as l
{% if owners_of_lists %}
inner join {{ owners_of_lists }} as u on u.user_id = l.user_id
{% endif %}
cross join cutoffs as c
{% endmacro %}
select
{{ columns("r", {
    "shown": "g.part",
    "hits": "case when t.item_id is not null then g.part else 0e0 end",
    "exposure": discount_at("r.rank") ~ " * g.part",
    "all_exposure": discount_at("r.rank") ~ " * g.equal_part",
}) }}
from listed as r
inner join cutoffs as c on c.k >= r.rank
inner join grouped_items as g on g.item_id = r.item_id
{% if needs.hit_rates %}
left join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
{% endif %}
{% if needs.shown_rates %}
union all
select
{{ columns("l", {"pairs": "s.items - coalesce(t.items, 0e0)"}, group="s") }}
{{ lists() | trim }}
cross join group_sizes as s
left join train_groups as t on t.user_id = l.user_id and t.item_group is not distinct from s.item_group
{% endif %}
{% if needs.hit_rates %}
union all
select
{{ columns("l", {"relevant": "g.part"}) }}
{{ lists() | trim }}
inner join relevant as t on t.user_id = l.user_id
inner join grouped_items as g on g.item_id = t.item_id
{% endif %}

-- name: group_parts
{#
row = "one row per model, cut-off, group of items and group of users: the sums of what counts there, in units of 1e-18"
plain_row = "one row per model, cut-off, group of items and group of users: the sums of what counts there"
grain = "item"
#}
{{ shares_added("group_rows", columns=group_columns, of="item_group", group="u") }}

-- name: group_sums
{#
row = "one row per model, cut-off and group of items: the sums of what counts there, in units of 1e-18"
plain_row = "one row per model, cut-off and group of items: the sums of what counts there"
grain = "item"
#}
{% if item_groups %}
select
    {{ key_columns("g") }}g.k,
    g.item_group{% for one in group_columns %},
    sum(g.{{ one }}) as {{ one }}{% endfor %}

from group_parts as g
group by {{ keys("g") }}g.k, g.item_group
{% else %}
{{ shares_added("group_rows", columns=group_columns, of="item_group") }}
{% endif %}

-- name: group_rates
{#
row = "one row per model, cut-off and group of items (and group of users that is left out): its rates, as multiples of those of all groups together, and their means"
plain_row = "one row per model, cut-off and group of items: its rates, as multiples of those of all groups together, and their means"
grain = "item"
#}
{# Rates of a large catalogue are too small for sums in units of 1e-18; what compares groups is the same for their multiples. #}
{% macro over(of) %}over (partition by {{ keys(of) }}{{ of }}.k{{ ", " ~ of ~ ".part" if item_groups }}){% endmacro %}
{% macro multiple(of, to) %}
{{ double("d." ~ of) }} / nullif({{ double("d." ~ to) }}, 0e0)
* {{ double("sum(d." ~ to ~ ") " ~ over("d")) }}
/ nullif({{ double("sum(d." ~ of ~ ") " ~ over("d")) }}, 0e0)
{%- endmacro %}
{% set rates = (["shown_rate"] if needs.shown_rates else []) + (["hit_rate"] if needs.hit_rates else []) %}
select
    {{ key_columns("x") }}x.k{% if item_groups %},
    x.part{% endif %}{% for one in rates %},
    x.{{ one }},
    {{ sql.of_units("sum(" ~ sql.in_units("x." ~ one) ~ ") " ~ over("x")) }}
    / nullif(count(x.{{ one }}) {{ over("x") }}, 0) as mean_{{ one }}{% endfor %}

from (
    select
        {{ key_columns("d") | indent(4) }}d.k{% if item_groups %},
        d.part{% endif %}{% if needs.shown_rates %},
        {{ multiple("shown", "pairs") | indent(8) }} as shown_rate{% endif %}{% if needs.hit_rates %},
        case
            when d.item_group is not null
                then
                    {{ multiple("hits", "relevant") | indent(20) }}
        end as hit_rate{% endif %}

{% if item_groups %}
    from (
        select
            {{ key_columns("w") | indent(8) }}w.k,
            o.part,
            w.item_group{% for one in group_columns %},
            w.{{ one }} - coalesce(g.{{ one }}, 0) as {{ one }}{% endfor %}

        from group_sums as w
        {{ with_left_out("w") }}
        left join group_parts as g on {{ same_keys("g", "w") }}g.k = w.k and g.item_group is not distinct from w.item_group and g.part = o.part
    ) as d
{% else %}
    from group_sums as d
{% endif %}
) as x

-- name: groups_at_k
{#
row = "one row per model and cut-off: the statistics of how far apart the groups of items are"
grain = "item"
sums = { over = "groups", alias = "r", reader = "run_at_k" }
#}
select
    {{ key_columns("x") }}x.k{% if item_groups %},
    x.part{% endif %}{% for one in statistics("groups") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from group_rates as x
group by {{ keys("x") }}x.k{{ ", x.part" if item_groups }}

-- name: train_shares
{#
row = "one row per group of items (and segment, for slices): its share of the rows of train"
grain = "item"
#}
{% set segments = "s.slice, " ~ segment_joined() if sliced else "" %}
select
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    g.item_group,
    {{ sql.exact_sum("g.part") }} / ({{ sql.of_units("sum(" ~ sql.exact_units("g.equal_part") ~ ") over (" ~ ("partition by " ~ segments if sliced) ~ ")") }}) as share
from given_train as t
inner join grouped_items as g on g.item_id = t.item_id
{% if sliced %}
{{ with_segments("t") }}
{% endif %}
where g.item_group is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) }}
group by {{ segments ~ ", " if sliced }}g.item_group

-- name: groups_of_run
{#
row = "one row per model, cut-off and group of items: the statistics that the metrics of each group read"
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
    c.k,
    x.item_group{% for one in statistics("item_group") %},
    {{ column_of(one) }}{% endfor %}

from models as m
{% if sliced %}
cross join segments_of_lists as n
{% endif %}
cross join cutoffs as c
inner join group_sizes as x on x.item_group is not null
left join group_sums as y on {{ same_model("y", "m") }}{{ "y.slice = n.slice and y.segment is not distinct from n.segment and " if sliced }}y.k = c.k and y.item_group = x.item_group
{% if needs.train_shares %}
left join train_shares as t on {{ "t.slice = n.slice and t.segment is not distinct from n.segment and " if sliced }}t.item_group = x.item_group
{% endif %}

-- name: per_group
{#
row = "one row per model, cut-off and group of items: the metrics"
grain = "item"
#}
select
    {{ key_columns("s") }}s.k,
    s.item_group{% for column in item_group_columns %},
    {{ aliased(column.natural, column.name) | indent }},
    {{ column.users }} as {{ column.name }}_users{% endfor %}

from groups_of_run as s
