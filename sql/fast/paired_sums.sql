{#
row = "one row per pair of models and cut-off: over the users who have both values, the sums, squares and products, in units of 1e-18"
buys = "three models compared with a fourth, 20 million rows, six metrics at four cut-offs: 1.6 CPU seconds instead of 2.3"
when = "sparse"
#}
{# Every model has the same users, and each has a value. #}
select
    p.pair,
    c.k{% for column in user_columns %}{% set name = column.name %},
    n.users as {{ name }}_users,
    cast(0 as bigint) as {{ name }}_unpaired,
    coalesce(a.{{ name }}_others, 0) - coalesce(s.{{ name }}_others, 0) + coalesce(s.{{ name }}_wins, 0) as {{ name }}_wins,
    coalesce(b.{{ name }}_others, 0) - coalesce(s.{{ name }}_base_others, 0) + coalesce(s.{{ name }}_losses, 0) as {{ name }}_losses,
    coalesce(a.{{ name }}, 0) as {{ name }},
    coalesce(b.{{ name }}, 0) as {{ name }}_base,
    coalesce(a.{{ name }}_squares, 0) as {{ name }}_squares,
    coalesce(b.{{ name }}_squares, 0) as {{ name }}_base_squares,
    coalesce(s.{{ name }}_products, 0) as {{ name }}_products{% endfor %}

from model_pairs as p
cross join cutoffs as c
inner join census as n on n.model is not distinct from p.model
left join totals as a on a.model is not distinct from p.model and a.k = c.k
left join totals as b on b.model is not distinct from p.baseline and b.k = c.k
left join shared as s on s.pair = p.pair and s.k = c.k
