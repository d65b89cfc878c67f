{#
What to judge next, what judgements could change about a comparison, and the lists under each outcome of the judgements.
#}

-- name: judge
{# The items whose judgements could move a difference most. #}
select
    {{ as_given("m.user_id") }},
    {{ as_given("m.item_id") }},
    {{ as_given("c.model") }},
    c.baseline,
    cast(m.rank as bigint) as rank,
    cast(m.base_rank as bigint) as baseline_rank,
    m.moves
from first_moves as m
inner join model_pairs as c on c.pair = m.pair
where {{ measurable() }}
order by round(abs(m.moves), 15) desc, m.user_id asc, m.item_id asc

-- name: judgement
{# What the unjudged items could change: a row per pair of models. #}
select
    {{ as_given("p.model") }},
    p.baseline,
    {{ literal(judged_metric.heading) }} as metric,
    {{ depth }} as k,
    o.difference,
    o.lowest,
    o.highest,
    o.unjudged,
    o.enough
from at_stake as o
inner join model_pairs as p on p.pair = o.pair
order by p.pair asc

-- name: completions
{# The ways in which the unjudged items can turn out. #}
select c.number, {{ model_of("c") }}, c.user_id, c.unjudged, c.relevant
from completions as c
where {{ measurable() }}

-- name: completed_recs
{# The lists, one for each way in which their unjudged items can turn out. #}
select c.number as user_id, r.item_id, r.rank
from completions as c
inner join recommended as r on {{ same_model("r", "c") }}r.user_id = c.user_id

-- name: completed_truth
{# The truth of each of these lists: the judged items, and the unjudged ones that turn out relevant. #}
select c.number as user_id, j.item_id, j.relevance
from completions as c
inner join judged as j on j.user_id = c.user_id
union all
select c.number as user_id, n.item_id, {{ double(judge__grade) }} as relevance
from completions as c
inner join (
    select
        n.*,
        row_number() over (partition by {{ model("n") }}n.user_id order by n.rank asc) as first,
        row_number() over (partition by {{ model("n") }}n.user_id order by n.rank desc) as last
    from unjudged as n
) as n on {{ same_model("n", "c") }}n.user_id = c.user_id and (n.first <= c.relevant or n.last <= -c.relevant)
