{#
Ranks of models: the sums of values per user, then the ranks.
#}

-- name: value_sums
{# The sums behind a comparison, as those of lists, from values of users that the call gives. #}
select
    p.model, p.baseline, c.dataset, c.place, c.metric, c.metric as definition, c.k,
    s.users, s.unpaired, s.wins, s.losses, s.sum, s.base_sum, s.squares, s.base_squares, s.products,
    min(s.least) over (partition by c.place) as least, max(s.most) over (partition by c.place) as most
from paired_sums as s
inner join model_pairs as p on p.pair = s.pair
inner join (select distinct v.cell, v.place, v.metric, v.k, v.dataset from score_rows as v) as c on c.cell = s.place
where s.users > 0

-- name: rank
{# A row per model, metric and cut-off, in the order of rank. What follows the definition is for sentences. #}
select
    v.model, v.metric, {{ as_k("v.k") }}, v.value, i.low, i.high, i.std_error,
    r.rank, r.rank_low, r.rank_high, (select max(s.tier) from tiers as s where s.place = r.place and s.k = r.k and s.turn <= r.turn) as tier,
    case when r.rank_high = 1 then 'yes' when r.rank_low = 1 then 'possibly' end as best,
    v.borda, rank() over (partition by v.place, v.k order by v.borda desc) as borda_rank, v.mean_rank, v.firsts,
    v.datasets, v.users, coalesce(r.few, false) as few, v.definition,
    r.untested, v.unpaired, v.behind, v.place, r.turn, r.first, r.last,
    (select {{ sql.sorted_texts("d.dataset") }} from (select distinct {{ sql.text("w.dataset") }} as dataset from dataset_values as w where not w.is_kept) as d) as dropped
from model_values as v
left join ranked_models as r on {{ same("r", "v") }}
left join (
    select s.model, s.metric, coalesce(s.k, {{ whole }}) as k, s.definition, j.low, j.high, j.std_error
    from {{ spread_rows }} as s
    inner join intervals as j on j.place = s.place
) as i on i.model is not distinct from v.model and i.metric = v.metric and i.k = v.k and i.definition = v.definition
order by v.place asc, v.k asc, r.rank asc nulls last, v.model asc nulls first
