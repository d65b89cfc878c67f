{#
All lists together: how often each item is recommended.

Goes in: listed, one row per item of a list. Comes out: item_counts, one row per model, item and cut-off, and
item_frequencies, how many items are recommended how often, which is all that coverage, entropy and gini need. With
intervals, item_changes has how these numbers change without each group of users.
#}

-- name: list_counts
{#
row = "one row per model (segment, for slices, and group of users, for intervals): the number of lists"
grain = "item"
#}
{% if parts %}
select
    {{ key_columns("p") }}cast(sum(p.lists_of_users) as bigint) as lists
from given_parts as p
where p.lists_of_users is not null
group by {{ keys("p") | trim(", ") }}
{% else %}
select
{% if modelled %}
    l.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
{% if item_groups %}
    o.part,
{% endif %}
    count(*) as lists
from lists as l
{% if owners_of_lists %}
inner join {{ owners_of_lists }} as u on u.user_id = l.user_id
{% endif %}
{% if item_groups %}
inner join list_groups as o on {{ same_model("o", "l") }}o.user_id = l.user_id
{% endif %}
{% if sliced %}
{{ with_segments("l") }}
{% endif %}
group by {{ model("l") }}{{ "s.slice, " ~ segment_joined() if sliced }}{{ ", " if sliced and item_groups }}{{ "o.part" if item_groups }}
{% endif %}

-- name: list_segments
{#
row = "one row per model, slice and segment: the number of lists, and their share of all"
grain = "item"
#}
select
    {{ key_columns("n") }}n.lists,
    {{ double("n.lists") }} / max(case when n.slice = 0 then n.lists end) over ({{ "partition by n.model" if modelled }}) as share
{% if item_groups %}
from (
    select {{ keys("c") }}cast(sum(c.lists) as bigint) as lists
    from list_counts as c
    group by {{ keys("c") | trim(", ") }}
) as n
{% else %}
from list_counts as n
{% endif %}

-- name: segments_of_lists
{#
row = "one row per slice and segment with lists of a model"
grain = "item"
#}
select distinct l.slice, l.segment
from list_segments as l

-- name: left_out
{#
row = "one row per model (and segment, for slices) and group of users with lists that is left out; NULL if none is"
grain = "item"
#}
{# A segment has the groups of its own users. Models that are compared have the same groups. #}
{% set by_model = modelled and not of_pairs %}
{% macro keys_of(of, segment) %}{{ of ~ ".model, " if by_model }}{{ segment ~ ".slice, " ~ segment ~ ".segment, " if sliced }}{% endmacro %}
select distinct {{ keys_of("c", "c") }}c.part
from list_counts as c
union all
select {{ keys_of("m", "n") }}null as part{% if by_model %}

from models as m{% endif %}{% if sliced %}

{{ "cross join" if by_model else "from" }} segments_of_lists as n{% endif %}

-- name: served_users
{#
row = "one row per model: the number of users with a list"
grain = "item"
#}
{% if sliced %}
select {{ keys("l") }}l.lists as users
from list_segments as l
{% else %}
select {{ model("c") }}cast(sum(c.lists) as bigint) as users
from list_counts as c{% if modelled %}

group by c.model{% endif %}
{% endif %}

-- name: bands
{#
row = "a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off"
grain = "item"
#}
select {{ sql.ordered_list("n.k", "n.rank") }} as cutoffs
from (
    select i.i as rank, min(c.k) as k
    from {{ sql.whole_numbers(1, deepest) }} as i
    inner join cutoffs as c on c.k >= i.i
    group by i.i
) as n

-- name: item_bands
{#
row = "one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off"
plain_row = "one row per model, item and cut-off: how often the item is in the top k, but below the next smaller cut-off"
grain = "item"
#}
{# Exposures are in units of 1e-18, which add up exactly. #}
{% if parts %}
select
    {{ key_columns("p") }}p.item_id,
    p.k,
{% if needs.exposures %}
    sum(p.exposure) as exposure,
{% endif %}
    sum(p.times) as times
from given_parts as p
where p.times is not null
group by {{ keys("p") }}p.item_id, p.k
{% else %}
select
{% if modelled %}
    r.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    r.item_id,
{% if item_groups %}
    u.part,
{% endif %}
    {{ band_of_rank() }} as k,
{% if needs.exposures %}
    {{ sql.exact_units("1e0") if discount == "none" else sql.exact_units(discount_at("r.rank")) }} as exposure,
{% endif %}
    count(*) as times
from listed as r
{% if sliced %}
{{ with_segments("r") }}
{% endif %}
{% if item_groups %}
inner join list_groups as u on {{ same_model("u", "r") }}u.user_id = r.user_id
{% endif %}
cross join bands as b
group by {{ model("r") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}r.item_id, {{ "u.part, " if item_groups }}{{ band_of_rank() }}
{% endif %}

-- name: item_bands (fast)
{#
row = "one row per model, item and cut-off: how often the item is in the top k, but below the next smaller cut-off"
buys = "entropy at three cut-offs, 3 million rows, by one column: 0.40 CPU seconds instead of 0.45; by three: 0.67 instead of 0.82"
when = "sliced and of_items and not named and not item_groups and not by_score and duplicates in ['error', 'count'] and not closed_up and not sampled"
#}
{# Each slice is counted by itself: all users need no join, and a slice joins by user alone. #}
{% macro counted(slice, segment) %}
select
{% if modelled %}
    r.model,
{% endif %}
    {{ slice }} as slice,
    {{ segment }}{{ " as segment" if segment != "g.segment" }},
    r.item_id,
    {{ band_of_rank() }} as k,
{% if needs.exposures %}
    {{ sql.exact_units("1e0") if discount == "none" else sql.exact_units(discount_at("r.rank")) }} as exposure,
{% endif %}
    count(*) as times
from listed as r
{% if slice %}
left join user_segments as g on g.user_id = r.user_id and g.slice = {{ slice }}
{% endif %}
cross join bands as b
group by {{ model("r") }}{{ segment ~ ", " if slice }}r.item_id, {{ band_of_rank() }}
{% endmacro %}
{{ counted(0, sql.text("null")) | trim }}
{% for one in slices %}
union all
{{ counted(one.place, "coalesce(g.segment, " ~ literal(one.otherwise) ~ ")" if one.otherwise else "g.segment") | trim }}
{% endfor %}

-- name: item_counts
{#
row = "one row per model, cut-off and recommended item: how often it is in the top k"
grain = "item"
#}
select
    {{ key_columns("b") }}c.k,
    b.item_id,
{% if needs.exposures %}
    sum(b.exposure) as exposure,
{% endif %}
    cast(sum(b.times) as bigint) as times
from item_bands as b
inner join cutoffs as c on c.k >= b.k
group by {{ keys("b") }}c.k, b.item_id

-- name: catalog
{#
row = "one row per item of the catalogue"
grain = "item"

[options.items]
input = true
about = "a table of the items that can be recommended; by default, the items in train"
also = "user"
topic = "catalogue"
type = "table"
#}
{% if named %}
select distinct i.item_id
from given_items as i
where i.item_id is not null{{ guard("id_types", left="recs", right="items", columns=["item_id"]) | indent }}
union all
select t.item_id
from train_items as t
where «items» is null
union all
select distinct r.item_id
from listed as r
where «items» is null and «train» is null
{% elif items is not none %}
select distinct i.item_id
from given_items as i
where i.item_id is not null{{ guard("id_types", left="recs", right="items", columns=["item_id"]) | indent }}
{% else %}
select t.item_id
from train_items as t
{% endif %}

-- name: list_sizes
{#
row = "one row per model, user and cut-off: the number of items in the top k of the list"
grain = "item"
#}
select {{ model("r") }}r.user_id, c.k, count(*) as items
from listed as r
inner join cutoffs as c on c.k >= r.rank
group by {{ model("r") }}r.user_id, c.k

-- name: list_shares
{#
row = "one row per model, user, cut-off and recommended item: its share of the top k of the list"
grain = "item"
inline = true
#}
select {{ model("r") }}r.user_id, n.k, r.item_id, 1e0 / n.items as weight
from listed as r
inner join list_sizes as n on {{ same_model("n", "r") }}n.user_id = r.user_id and n.k >= r.rank

-- name: group_weights
{#
row = "one row per model, cut-off, recommended item and group of users: the sum of its shares of their lists, in units of 1e-18"
plain_row = "one row per model, cut-off, recommended item and group of users: the sum of its shares of their lists"
grain = "item"
#}
{{ shares_added("list_shares", columns=["weight"], group="u") }}

-- name: item_weights
{#
row = "one row per model, cut-off and recommended item: the sum of its shares of the lists, in units of 1e-18"
plain_row = "one row per model, cut-off and recommended item: the sum of its shares of the lists"
grain = "item"
#}
{% if item_groups %}
select
    {{ key_columns("g") }}g.k,
    g.item_id,
    sum(g.weight) as weight
from group_weights as g
group by {{ keys("g") }}g.k, g.item_id
{% else %}
{{ shares_added("list_shares", columns=["weight"]) }}
{% endif %}

-- name: group_counts
{#
row = "one row per model, cut-off, recommended item and group of users: how often it is in the top k of the group"
grain = "item"
#}
select
    {{ key_columns("b") }}c.k,
    b.item_id,
    b.part,
{% if needs.exposures %}
    sum(b.exposure) as exposure,
{% endif %}
    cast(sum(b.times) as bigint) as times
from item_bands as b
inner join cutoffs as c on c.k >= b.k
group by {{ keys("b") }}c.k, b.item_id, b.part

-- name: item_changes
{#
row = "one row per number of times: how many items are recommended that often to all users, and how the number changes without a group"
grain = "item"
#}
{# Without the group, an item has fewer times: its number of times over all users loses one item, and the lower number gains one. #}
{% macro changes(times, item, weight, further="") %}
select
    {{ key_columns("i") }}i.k,
    p.part,
    {{ times }},
{% if needs.catalog %}
    {{ "case when g.item_id is not null then " ~ item ~ " else 0 end" if with_catalog else item }} as catalog_items,
{% endif %}
{% if needs.train %}
    case when t.item_id is not null then {{ item }} else 0 end as train_items,
{% endif %}
{% if needs.weights %}
    {{ weight }} as weight,
{% endif %}
    {{ item }} as items
from group_counts as p
inner join item_counts as i on {{ same_keys("i", "p") }}i.k = p.k and i.item_id = p.item_id{{ further }}
{% if needs.weights %}
inner join item_weights as w on {{ same_keys("w", "i") }}w.k = i.k and w.item_id = i.item_id
inner join group_weights as v on {{ same_keys("v", "p") }}v.k = p.k and v.item_id = p.item_id and v.part = p.part
{% endif %}
{% if needs.catalog and with_catalog %}
left join catalog as g on g.item_id = i.item_id
{% endif %}
{% if needs.train %}
left join train_items as t on t.item_id = i.item_id
{% endif %}
{% endmacro %}
select
    {{ key_columns("n") }}n.k,
    o.part,
    n.times,
{% if needs.catalog %}
    n.catalog_items,
{% endif %}
{% if needs.train %}
    n.train_items,
{% endif %}
{% if needs.weights %}
    n.weight,
{% endif %}
    n.items
from (
    {{ items_by_times() | indent }}
) as n
{{ with_left_out("n") }}
union all
{{ changes("i.times", item="-1", weight="-w.weight") | trim }}
union all
{{ changes("i.times - p.times as times", item="1", weight="w.weight - v.weight", further=" and i.times > p.times") | trim }}

-- name: item_frequencies
{#
row = "one row per model, cut-off and number of times (and group of users that is left out): how many items are recommended that often"
plain_row = "one row per model, cut-off and number of times: how many items are recommended that often"
grain = "item"
#}
select
    {{ key_columns("n") }}n.k,
{% if item_groups %}
    n.part,
{% endif %}
    n.times,
    n.items,
{% if needs.weights %}
    {{ sql.of_units("n.weight") }}{{ " as weight" if not plain }},
{% endif %}
{% if needs.catalog %}
    n.catalog_items,
    sum(n.catalog_items) over (partition by {{ keys("n") }}n.k{{ ", n.part" if item_groups }} order by n.times asc) - n.catalog_items as catalog_below,
    {{ double("sum(n.times * n.catalog_items) over (partition by " ~ keys("n") ~ "n.k" ~ (", n.part" if item_groups else "") ~ ")") }} as catalog_total,
{% endif %}
{% if needs.train %}
    n.train_items,
{% endif %}
    sum(n.items) over (partition by {{ keys("n") }}n.k{{ ", n.part" if item_groups }} order by n.times asc) - n.items as below,
    {{ double("sum(n.times * n.items) over (partition by " ~ keys("n") ~ "n.k" ~ (", n.part" if item_groups else "") ~ ")") }} as total
from (
{% if item_groups %}
    select
        {{ key_columns("i") | indent(4) }}i.k,
        i.part,
        i.times,
{% if needs.catalog %}
        sum(i.catalog_items) as catalog_items,
{% endif %}
{% if needs.train %}
        sum(i.train_items) as train_items,
{% endif %}
{% if needs.weights %}
        sum(i.weight) as weight,
{% endif %}
        sum(i.items) as items
    from item_changes as i
    group by {{ keys("i") }}i.k, i.part, i.times
    having sum(i.items) > 0
{% else %}
    {{ items_by_times() | indent }}
{% endif %}
) as n

-- name: items_at_k
{#
row = "one row per model and cut-off: the statistics of the counts of the recommended items"
grain = "item"
sums = { over = "items", alias = "i", reader = "run_at_k" }
#}
select
    {{ key_columns("f") }}f.k{% if item_groups %},
    f.part{% endif %}{% for one in statistics("items") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from item_frequencies as f
group by {{ keys("f") }}f.k{{ ", f.part" if item_groups }}
