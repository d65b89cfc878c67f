{#
The tables that are made from train or from several lists: popularity, segments, candidates and fused lists.
#}

-- name: candidates
{# The truth of each user, and n items that are neither in it nor in train. #}
select {{ as_given("c.user_id") }}, {{ as_given("c.item_id") }}
from (
    select k.user_id, k.item_id
    from known_items as k
    where k.judged = 1
    union all
    select d.user_id, d.item_id
    from drawn as d
    where d.place <= {{ n }}
) as c
where {{ measurable() }}

-- name: fuse
{# The lists of all models of each user as one list. #}
select
    {{ as_given("f.user_id") }},
    {{ as_given("f.item_id") }},
    {{ as_given("row_number() over (partition by f.user_id order by f.score desc, f.item_id asc)", "rank") }},
    {{ as_given("f.score") }}
from fused as f
where {{ measurable() }}

-- name: given_past
{# The table in a macro's parameter. #}
select t.user_id, t.item_id
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id
    where false
) as t

-- name: popularity
{# The k most popular items of each user, as the lists of a model. #}
select {{ as_given("'popularity'", "model") }}, {{ as_given("n.user_id") }}, {{ as_given("n.item_id") }}, {{ as_given("n.rank") }}
from offered as n
inner join cutoffs as c on c.k >= n.rank
where {{ measurable() }}

-- name: segments
{# The segments of each user with relevant items. Equal popularities are in one tercile: that of the first of them. #}
select
    {{ as_given("s.user_id") }},
    case{% for one in activity_bands.ranges %}

        when coalesce(a.events, 0) < {{ one.end }} then '{{ one.segment }}'{% endfor %}

        else '{{ activity_bands.labels[-1] }}'
    end as activity,
    case when s.known = s.items then 'all' when s.known > 0 then 'some' else 'none' end as warm,
    'q' || {{ sql.text("cast(floor(3e0 * s.below / s.users) as bigint) + 1") }} as mainstream
from (
    select
        m.user_id,
        m.items,
        m.known,
        rank() over (order by m.popularity asc) - 1 as below,
        count(*) over () as users
    from tastes as m
) as s
left join user_events as a on a.user_id = s.user_id
where {{ measurable() }}
