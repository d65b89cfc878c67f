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
