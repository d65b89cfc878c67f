{#
The test of flipped signs: the share of all flips whose sum is at least as far from 0.

Goes in: sizes, one row per pair and size of a difference. Comes out: turned, the share found with a Fourier
transform; flipped, that of all flips of few differences; drawn_signs, that of drawn flips.
#}

-- name: units
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

-- name: points
{#
row = "one row per pair of models, metric and cut-off with counted sums of flips: the sizes in whole units, and the number of points of their Fourier transform"
grain = "pair"
kept = true
#}
{# Ranks are whole numbers. With few sizes, some flips give exactly the users' sum, so this is rounded as well. #}
{% macro total(x) %}{{ sql.total(sql.ordered_list(x, "m.size")) }}{% endmacro %}
select
    s.*,
    2e0 * ceil((s.sum + 9e0 * sqrt(s.rest)) / 2e0) + 1e0 as points,
    abs(case when s.is_rounded then s.rounded else s.total end) as reached,
    case when s.is_rounded then 1e0 else s.known_step end as step,
    case when s.is_exact or (s.is_rounded and s.is_distinct) then 1e0 else 0e0 end as tied,
    {{ sql.first("s.sizes", 50) }} as largest
from (
    select
        m.pair,
        m.place,
        m.k,
        m.differing,
        m.is_exact,
        m.known_step,
        m.total,
        sum(m.users - m.apart) = 0 and count(*) <= 20 as is_rounded,
        count(distinct m.multiple) = count(*) and min(m.multiple) > 0e0 as is_distinct,
        {{ total("m.ahead * m.multiple") }} as rounded,
        {{ total("m.apart * m.multiple") }} as sum,
        {{ total("m.apart * power(m.quotient - m.multiple, 2)") }} as errors,
        {{ total("(m.users - m.apart) * power(m.quotient, 2)") }} as rest,
        {{ sql.sizes_down("m.multiple", "m.apart", where="m.apart > 0") }} as sizes
    from (
        select
            s.*,
            u.users as differing,
{% if by_flips %}
            u.total / u.unit as total,
            u.is_exact,
            coalesce(u.step / u.unit, 0e0) as known_step,
            s.size / u.unit as quotient,
            round(s.size / u.unit) as multiple,
            case when u.is_exact then s.users else least(s.users, greatest(500 - s.larger, 0)) end as apart
        from sizes as s
        inner join units as u on u.pair = s.pair and u.place = s.place and u.k = s.k and u.users > 20
{% else %}
            u.total,
            true as is_exact,
            1e0 as known_step,
            s.size as quotient,
            s.size as multiple,
            s.users as apart
        from sizes as s
        inner join size_sums as u on u.pair = s.pair and u.place = s.place and u.k = s.k and u.users <= 50
{% endif %}
    ) as m
    group by m.pair, m.place, m.k, m.differing, m.is_exact, m.known_step, m.total
) as s

-- name: turned
{#
row = "one row per pair of models, metric and cut-off: the share of all flips of signs that reach the sum, from the Fourier transform, with its possible error"
grain = "pair"
kept = true
#}
{# A sum of whole numbers with random signs has the product of their cosines as its Fourier transform, and turned back at more points than
   the largest sum, that gives its distribution exactly. The sum beyond the 500 largest sizes is taken as normal. Beyond the 50 largest,
   few of the products are not 0. In doubt are sums within three standard errors of rounding, but for those of the same sizes. #}
{% macro total(x) %}{{ sql.total(sql.ordered_list(x, "w.i")) }}{% endmacro %}
{% macro tail(b) %}1e0 - ({{ b }} + 2e0 * {{ total("w.wave * sin(" ~ b ~ " * w.turn) / sin(w.turn)") }}) / w.points{% endmacro %}
{% set below, above = "least(w.reached - w.step, w.points)", "least(w.reached + w.step, w.points)" %}
select
    t.pair,
    t.place,
    t.k,
    t.is_exact,
    t.doubt,
    greatest(least(t.p, 1e0), power(2e0, {{ "1e0 - t.differing" if alternative == "two_sided" else "-t.differing" }})) as p
from (
    select
        w.pair,
        w.place,
        w.k,
        w.differing,
        w.is_exact,
        (
            2e0 * (w.near - w.tied)
            + 4e0 * {{ total("w.wave * cos(w.reached * w.turn) * (sin(w.near * w.turn) / sin(w.turn) - w.tied)") | indent(12) }}
        ) / w.points as doubt,
{% if alternative == "two_sided" %}
        {{ tail(below) | indent(8) }} as p
{% else %}
        case
            when w.total {{ ">=" if alternative == "greater" else "<=" }} 0e0 then ({{ tail(below) | indent(12) }}) / 2e0
            else 1e0 - ({{ tail(above) | indent(12) }}) / 2e0
        end as p
{% endif %}
    from (
        select
            p.pair,
            p.place,
            p.k,
            p.differing,
            p.is_exact,
            p.points,
            p.total,
            p.reached,
            p.step,
            p.tied,
            3e0 * sqrt(p.errors) + 1e0 as near,
            t.i,
            t.turn,
            exp(-p.rest * t.turn * t.turn / 2e0) * {{ sql.cosines("p.sizes", "t.turn") }} as wave
        from (
            select p.pair, p.place, p.k, p.largest, n.i, 3.141592653589793e0 * n.i / p.points as turn
            from points as p
            inner join {{ sql.whole_numbers(1, 33000) }} as n on 2 * n.i < p.points
        ) as t
        inner join points as p on p.pair = t.pair and p.place = t.place and p.k = t.k
        where abs({{ sql.cosines("t.largest", "t.turn") }}) > 1e-18
    ) as w
    group by w.pair, w.place, w.k, w.differing, w.is_exact, w.points, w.total, w.reached, w.step, w.near, w.tied
) as t

-- name: flipped
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

-- name: drawn_signs
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
