{# A comparison: a row per pair of models, metric and cut-off. #}
select
    c.model,
    c.baseline,
    c.metric,
    {{ as_k("c.k") }},
    c.users,
    c.unpaired,
    c.value,
    c.baseline_value,
    c.difference,
    c.low,
    c.high,
    c.std_error,
    c.p,
    c.p_adjusted,
    c.wins,
    c.users - c.wins - c.losses as ties,
    c.losses,
    c.effect,
    c.detectable,
    c.relative,
    c.relative_low,
    c.relative_high,
    {{ "c.clusters < 40" if clustered else "c.users < 50" }} or c.wins + c.losses < 20 as few
from paired_intervals as c
order by c.number asc
