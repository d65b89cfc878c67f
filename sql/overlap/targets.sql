{#
How alike the lists of two models are: the means of each pair of models, and the values of each user.
#}

-- name: overlap
{# The means over the users with a list of both. #}
select
    {{ as_given("m.model") }},
    m.baseline,
    {{ as_k("c.k") }},
    count(o.overlap) as users,
    count(o.user_id) - count(o.overlap) as unpaired,
    {{ sql.mean("o.overlap") }} as overlap,
    {{ sql.mean("o.rbo") }} as rbo
from model_pairs as m
cross join cutoffs as c
left join pair_overlaps as o on o.pair = m.pair
where {{ measurable() }}
group by m.pair, m.model, m.baseline, c.k
order by m.pair asc

-- name: user_overlaps
{# The values of each user. #}
select
    {{ as_given("m.model") }},
    m.baseline,
    {{ as_given("o.user_id") }},
    {{ as_k("c.k") }},
    o.overlap,
    o.rbo,
    cast(o.returned as bigint) as list_length,
    cast(o.base_returned as bigint) as baseline_list_length
from pair_overlaps as o
inner join model_pairs as m on m.pair = o.pair
cross join cutoffs as c
where {{ measurable() }}
order by m.pair asc, o.user_id asc
