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
