{#
What nobody judged: how much the unjudged items of the top k could change, for one model and between two.

Goes in: the lists, the truth with its items of relevance 0, the pairs of models and the metric of each user. Comes out:
moves, one row per pair of models and unjudged item of either list; at_stake, one row per pair; completions, the ways in
which the unjudged items of a list can turn out.
#}
{% set judged_metric = shown_columns | first if judging %}

-- name: unjudged
{#
row = "one row per model, user in the mean and item of the top k without a row in the user's truth, with its rank"
grain = "judge"
kept = true
#}
select {{ model("r") }}r.user_id, r.item_id, min(r.rank) as rank
from recommended as r
inner join population as u on {{ same_model("u", "r") }}u.user_id = r.user_id
left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where r.rank <= {{ depth }} and j.item_id is null
group by {{ model("r") }}r.user_id, r.item_id

-- name: judged_pairs
{#
row = "one row per pair of models and user with a value of both: these values"
grain = "judge"
kept = true
#}
select p.pair, a.user_id, a.{{ judged_metric.name }} as value, b.{{ judged_metric.name }} as base_value
from model_pairs as p
inner join per_user as a on a.model is not distinct from p.model
inner join per_user as b on b.model is not distinct from p.baseline and b.user_id = a.user_id

-- name: moves
{#
row = "one row per pair of models and unjudged item of either list: its ranks, and what it adds to the difference if it is relevant"
grain = "judge"
kept = true

[options.judge__grade]
about = "the relevance that an unjudged item would have"
topic = "judging"
default = 1
type = "number"
above = 0
#}
{% macro ranks_in(name, ranks) %}
select p.pair, n.user_id, n.item_id, {{ ranks }}
from model_pairs as p
inner join unjudged as n on n.model is not distinct from p.{{ name }}
{% endmacro %}
{% macro credit(rank) %}case when {{ rank }} is null then 0e0 else {{ judged_metric.credit(rank) }} end{% endmacro %}
select
    m.pair,
    m.user_id,
    m.item_id,
    m.rank,
    m.base_rank,
    (
        {{ credit("m.rank") }}
        - {{ credit("m.base_rank") }}
    ) / n.users as moves
from (
    select m.pair, m.user_id, m.item_id, max(m.rank) as rank, max(m.base_rank) as base_rank
    from (
        {{ ranks_in("model", "n.rank, null as base_rank") | trim | indent(8) }}
        union all
        {{ ranks_in("baseline", "null as rank, n.rank as base_rank") | trim | indent(8) }}
    ) as m
    group by m.pair, m.user_id, m.item_id
) as m
inner join judged_pairs as p on p.pair = m.pair and p.user_id = m.user_id
inner join (
    select j.pair, {{ double("count(*)") }} as users
    from judged_pairs as j
    group by j.pair
) as n on n.pair = m.pair

-- name: first_moves
{#
row = "one row per unjudged item, with the pair of models that it can move most, the largest move first"
grain = "judge"

[options.judge__n]
about = "the number of items to judge next"
topic = "judging"
default = 20
type = "integer"
at_least = 1
#}
select m.pair, m.user_id, m.item_id, m.rank, m.base_rank, m.moves
from (
    select
        m.*,
        row_number() over (partition by m.user_id, m.item_id order by round(abs(m.moves), 15) desc, m.pair asc) as nth
    from moves as m
) as m
where m.nth = 1
order by round(abs(m.moves), 15) desc, m.user_id asc, m.item_id asc
limit {{ judge__n }}

-- name: at_stake
{#
row = "one row per pair of models: the difference, its bounds, and how many of the largest moves have to be judged before the rest can't change its sign"
grain = "judge"
#}
{# The sums of the moves from each one on: what is left to judge once those above it turned out not relevant. #}
{% macro left(x) %}
sum({{ sql.in_units(x ~ "(m.moves, 0e0)") }}) over (partition by m.pair order by round(abs(m.moves), 15) asc, m.user_id desc, m.item_id desc)
{%- endmacro %}
select
    d.pair,
    d.difference,
    d.difference + coalesce(min(m.falls), 0e0) as lowest,
    d.difference + coalesce(max(m.rises), 0e0) as highest,
    count(m.pair) as unjudged,
    case
        when d.difference <> 0e0
            then count(case when round(d.difference + m.falls, 12) <= 0e0 and round(d.difference + m.rises, 12) >= 0e0 then 1 end)
    end as enough
from (
    select p.pair, {{ sql.exact_sum("p.value - p.base_value") }} / count(*) as difference
    from judged_pairs as p
    group by p.pair
) as d
left join (
    select
        m.pair,
        {{ left("least") }} / 1e18 as falls,
        {{ left("greatest") }} / 1e18 as rises
    from moves as m
) as m on m.pair = d.pair
group by d.pair, d.difference

-- name: completions
{#
row = "one row per way in which the unjudged items of a list can turn out: the first ones are relevant, as many as `relevant`, or if it is below 0 the last ones"
grain = "judge"
kept = true
#}
select
    row_number() over (order by {{ "n.model asc nulls first, " if modelled }}n.user_id asc, i.i asc) as number,
{% if modelled %}
    n.model,
{% endif %}
    n.user_id,
    n.unjudged,
    i.i as relevant
from (
    select {{ model("p") }}p.user_id, count(n.item_id) as unjudged
    from population as p
    left join unjudged as n on {{ same_model("n", "p") }}n.user_id = p.user_id
    group by {{ model("p") }}p.user_id
) as n
inner join {{ sql.whole_numbers("-" ~ depth, depth) }} as i
    on {{ "i.i in (0, n.unjudged)" if judged_metric.further == "higher" else "abs(i.i) <= n.unjudged" }}
