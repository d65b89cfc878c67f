{#
row = "one row per pair of models, metric and cut-off with 20 users or fewer who differ: the share of all flips of signs that reach the sum"
grain = "pair"
#}
{# The users are split into two halves, so that 2 x 1024 sums give the sums of a million flips. #}
with numbered as (
    select
        s.pair,
        s.place,
        s.k,
        s.size,
        row_number() over (partition by s.pair, s.place, s.k order by s.size asc) - 1 as number
    from sizes as s
    inner join units as u on u.pair = s.pair and u.place = s.place and u.k = s.k and u.users <= 20
    inner join {{ sql.whole_numbers(1, 20) }} as n on n.i <= s.users
),

halves as (
    select n.pair, n.place, n.k, h.i as half, sum(case when floor(n.number / 10) = h.i then 1 else 0 end) as users
    from numbered as n
    cross join {{ sql.whole_numbers(0, 1) }} as h
    group by n.pair, n.place, n.k, h.i
),

sums as (
    select
        h.pair,
        h.place,
        h.k,
        h.half,
        f.i as flip,
        {{ sql.total(sql.ordered_list("case when floor(f.i / power(2e0, n.number % 10)) % 2 = 1 then -n.size else n.size end", "n.number")) }} as total
    from halves as h
    inner join {{ sql.whole_numbers(0, 1023) }} as f on f.i < power(2, h.users)
    left join numbered as n on n.pair = h.pair and n.place = h.place and n.k = h.k and floor(n.number / 10) = h.half
    group by h.pair, h.place, h.k, h.half, f.i
)

select
    a.pair,
    a.place,
    a.k,
    count({{ reaches("(coalesce(a.total, 0e0) + coalesce(b.total, 0e0))") }}) / cast(count(*) as double) as p
from sums as a
inner join sums as b on b.pair = a.pair and b.place = a.place and b.k = a.k
inner join units as u on u.pair = a.pair and u.place = a.place and u.k = a.k
where a.half = 0 and b.half = 1
group by a.pair, a.place, a.k
