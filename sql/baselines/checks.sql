{#
What no baseline, candidates or fused lists can be made from.
#}

-- name: audience_ids
{#
message = "{users}: `user_id` is NULL in a row; leave such rows out or give them an id"
place = 3
on = ["audience"]
when = "fixed"
#}
select
    {{ sentence() | indent }} as message
from given_users as g
where g.user_id is null
limit 1

-- name: drawn_ids
{#
message = "{truth}: {column} is {kind}, which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same items"
place = 2
on = ["drawn", "given_truth"]
#}
{% set of_user = sql.is_written_differently("t.user_id") %}
select
    {{ sentence(
        column="case when " ~ of_user ~ " then 'user_id' else 'item_id' end",
        kind="case when " ~ of_user ~ " then " ~ sql.type_of("t.user_id") ~ " else " ~ sql.type_of("t.item_id") ~ " end",
    ) | indent }} as message
from given_truth as t
where {{ of_user }} or {{ sql.is_written_differently("t.item_id") }}
limit 1

-- name: few_items
{#
message = "{items}: user {user} has {found} items to draw from that are in neither truth nor train, and n is {n}; lower n=, or give more items"
place = 5
on = ["drawn"]
#}
select
    {{ sentence(user="d.user_id", found="count(o.item_id)", n=n) | indent }} as message
from draws as d
left join drawn as o on o.user_id = d.user_id
group by d.user_id
having count(o.item_id) < {{ n }}
order by d.user_id asc
limit 1

-- name: fused_copies
{#
message = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose how it counts with duplicates="
place = 5
on = ["votes"]
when = "duplicates == 'error'"
#}
select
    {{ sentence(item="r.item_id", user="r.user_id", model="coalesce(' and model ' || r.model, '')") | indent }} as message
from given_recs as r
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > 1
order by r.user_id asc, r.item_id asc
limit 1

-- name: fused_model
{#
message = "{recs}: these are the lists of one model{model}, and fusion needs two or more; give a column model, or a table for each model{files}"
place = 3
on = ["votes"]
#}
select
    {{ sentence(model="coalesce(' (' || max(m.model) || ')', '')", files=per_file) | indent }} as message
from (select distinct {{ "r.model" if modelled else sql.text("null") ~ " as model" }} from given_recs as r) as m
having count(*) = 1

-- name: fused_names
{#
message = "{option}: it {has} model {named}; give each model of {recs} one value: {models}"
place = 4
on = ["votes"]
when = "weights is not none or ends_by_model"
#}
{% set given = ([("weights", weights)] if weights is not none else []) + ([("order", fusion__order)] if ends_by_model else []) %}
select
    {{ sentence(option="n.option", has="n.has", named="n.name", models="n.models") | indent }} as message
from (
    select
        g.option,
        case when max(g.is_named) = 1 then 'names' else 'lacks' end as has,
        g.name,
        (select {{ sql.sorted_texts("m.name") }} from (select distinct {{ named_model("r") }} as name from given_recs as r) as m) as models
    from (
{% for option, one in given %}
{% if not loop.first %}
        union all
{% endif %}
        select distinct '{{ option }}' as option, {{ named_model("r") }} as name, 0 as is_named
        from given_recs as r
{% for name in one.models %}
        union all
        select '{{ option }}' as option, {{ literal(name) }} as name, 1 as is_named
{% endfor %}
{% endfor %}
    ) as g
    group by g.option, g.name
    having count(*) = 1
) as n
order by n.option asc, n.name asc nulls first
limit 1

-- name: no_weights
{#
message = "weights: method='weighted_sum' needs the weight of each model, such as A=0.7,B=0.3; give weights="
place = 1
on = ["votes"]
when = "method == 'weighted_sum' and weights is none"
#}
select
    {{ sentence() | indent }} as message
where true

-- name: no_past
{#
message = "{past} has no rows, so nothing is known of any user or item"
warns = "'past' in tables and 'items' not in tables"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as known from given_past as t) as n
where n.known = 0

-- name: past_ids
{#
message = "{past}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_past"]
#}
{{ null_ids("given_past", alias="t", sentence=sentence) }}
