{#
row = "one row per pair of models, metric and cut-off with an uncertain share of flips: the share among 20,000 flips drawn by md5"
grain = "pair"
#}
with numbered as (
    select
        s.pair,
        s.place,
        s.k,
        s.size,
        row_number() over (partition by s.pair, s.place, s.k order by s.size desc) - 1 as number
    from sizes as s
    inner join turned as t on t.pair = s.pair and t.place = s.place and t.k = s.k and t.doubt > 1e-2
    inner join units as u on u.pair = s.pair and u.place = s.place and u.k = s.k and u.users <= 10000
    inner join {{ sql.whole_numbers(1, 10000) }} as n on n.i <= s.users
),

{# A draw gives the signs of 32 users. #}
sign_draws as (
    select f.i as flip, c.chunk, {{ sql.draw(sql.text("f.i") ~ " || ' ' || " ~ sql.text("c.chunk")) }} as signs
    from {{ sql.whole_numbers(1, 20000) }} as f
    cross join (select distinct cast(floor(n.number / 32e0) as bigint) as chunk from numbered as n) as c
),

sums as (
    select
        n.pair,
        n.place,
        n.k,
        d.flip,
        sum(case when floor(d.signs / power(2e0, n.number % 32)) % 2 = 1 then -n.size else n.size end) as total
    from numbered as n
    inner join sign_draws as d on d.chunk = cast(floor(n.number / 32e0) as bigint)
    group by n.pair, n.place, n.k, d.flip
)

select
    a.pair,
    a.place,
    a.k,
    (1e0 + count({{ reaches("a.total") }})) / (count(*) + 1e0) as p
from sums as a
inner join units as u on u.pair = a.pair and u.place = a.place and u.k = a.k
group by a.pair, a.place, a.k
