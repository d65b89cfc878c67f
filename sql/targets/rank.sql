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
    v.model,
    v.metric,
    {{ as_k("v.k") }},
    v.value,
    i.low,
    i.high,
    i.std_error,
    r.rank,
    r.rank_low,
    r.rank_high,
    (select max(s.tier) from tiers as s where s.place = r.place and s.k = r.k and s.turn <= r.turn) as tier,
    case when r.rank_high = 1 then 'yes' when r.rank_low = 1 then 'possibly' end as best,
    v.borda,
    rank() over (partition by v.place, v.k order by v.borda desc) as borda_rank,
    v.mean_rank,
    v.firsts,
    v.datasets,
    v.users,
    coalesce(r.few, false) as few{% if not named %},
    v.definition,
    r.untested,
    v.unpaired,
    v.behind,
    v.place,
    r.turn,
    r.first,
    r.last,
    (
        select {{ sql.sorted_texts("d.dataset") }}
        from (select distinct {{ sql.text("w.dataset") }} as dataset from dataset_values as w where not w.is_kept) as d
    ) as dropped{% if pairs_reported %},
    (select w.message from warnings as w) as warning{% endif %}{% endif %}

from model_values as v
left join ranked_models as r on {{ same("r", "v") }}
left join (
    select s.model, s.metric, coalesce(s.k, {{ whole }}) as k, s.definition, j.low, j.high, j.std_error
    from {{ spread_rows }} as s
    inner join intervals as j on j.place = s.place
) as i on i.model is not distinct from v.model and i.metric = v.metric and i.k = v.k and i.definition = v.definition
order by v.place asc, v.k asc, r.rank asc nulls last, v.model asc nulls first

-- name: rank_pairs
{# The pairs of models that the ranks are from. A pair without a p-value is not told apart, however its users differ. Without df, p is normal, or needs no t. #}
select
    c.model,
    c.baseline,
    c.metric,
    {{ as_k("c.k") }},
    v.datasets,
    c.users,
    c.difference,
    c.low,
    c.high,
    case when c.p is not null then c.std_error end as std_error,
    {{ "c.df" if vary == "datasets" else "case when c.std_error > 0e0 and c.df < 1e15 then c.df end as df" }},
    c.p,
    c.p_adjusted,
    case when c.p is not null then c.tests end as tests,
    case
        when c.users > 0 and c.wins + c.losses = 0 then 'same'
        when c.p is null then 'untested'
        when not c.p_adjusted < round(1e0 - {{ interval }}, 12) then 'inconclusive'
        when c.difference > 0e0 then 'higher'
        else 'lower'
    end as verdict,
    c.wins,
    c.users - c.wins - c.losses as ties,
    c.losses
from paired_intervals as c
inner join model_values as v on {{ same("v", "c") }}
where c.model is distinct from c.baseline -- as the only model is
order by c.place asc, c.k asc, c.number asc
