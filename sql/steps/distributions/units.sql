{#
row = "one row per pair of models, metric and cut-off: the unit in which the sizes are whole numbers but for rounding, and the step of which all are multiples"
grain = "pair"
kept = true
#}
{# The unit is a 65,000th of the largest sum, or the step if that is no smaller. Beyond the 500 largest sizes, the rest has a largest sum of
   nine standard deviations. #}
select
    u.pair,
    u.place,
    u.k,
    u.users,
    u.total,
    u.sum,
    u.step,
    u.is_exact,
    case when u.is_exact or u.reach / u.step <= 65e3 then u.step else u.reach / 65e3 end as unit
from (
    select m.*, t.step, coalesce(m.sum / t.step <= 65e3, false) as is_exact
    from size_sums as m
    left join (
        select t.pair, t.place, t.k, max(t.step) as step
        from (
            select c.pair, c.place, c.k, c.step
            from (
                select m.pair, m.place, m.k, m.largest / round(m.largest * n.i / m.smallest) as step
                from size_sums as m
                inner join {{ sql.whole_numbers(1, 60) }} as n on m.sizes <= 300
            ) as c
            inner join sizes as s on s.pair = c.pair and s.place = c.place and s.k = c.k
            group by c.pair, c.place, c.k, c.step
            having max(abs(s.size / c.step - round(s.size / c.step))) < 1e-6
        ) as t
        group by t.pair, t.place, t.k
    ) as t on t.pair = m.pair and t.place = m.place and t.k = m.k
) as u
