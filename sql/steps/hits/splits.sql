{#
row = "one row per list, cut-off that separates tied items, and possible number of hits: its weight, and the sum of precisions"
#}
select
{% if modelled %}
    w.model,
{% endif %}
    w.user_id,
    w.k,
    w.before,
    w.before + w.hits as hits,
    w.precisions,
    exp(w.weight - max(w.weight) over (partition by {{ model("w") }}w.user_id, w.k)) as weight
from (
    select
{% if modelled %}
        b.model,
{% endif %}
        b.user_id,
        b.k,
        b.before,
        x.i as hits,
{% if ties == "best" %}
        x.i + (b.before - b.first + 1) * (best.harmonic - before.harmonic) as precisions,
{% elif ties == "worst" %}
        x.i + (b.before - b.k + x.i) * (upto.harmonic - worst.harmonic) as precisions,
{% else %}
        x.i / {{ double("b.above") }} * (
            (b.before + 1 - b.first * (x.i - 1) / greatest(b.above - 1e0, 1e0)) * (upto.harmonic - before.harmonic)
            + (x.i - 1) * b.above / greatest(b.above - 1e0, 1e0)
        ) as precisions,
{% endif %}
        sum(
            case
                when x.i > 0 and x.i > b.together + b.above - b.items
                    then ln((b.together - x.i + 1e0) * (b.above - x.i + 1) / (x.i * (b.items - b.together - b.above + x.i)))
                else 0e0
            end
        ) over (partition by {{ model("b") }}b.user_id, b.k order by x.i asc) as weight
    from (
        select
{% if modelled %}
            o.model,
{% endif %}
            o.user_id,
            c.k,
            o.before,
            o.rank as first,
            o.last - o.rank + 1 as items,
            c.k - o.rank + 1 as above,
            count(*) as together
        from (
            select
{% if modelled %}
                f.model,
{% endif %}
                f.user_id,
                f.rank,
                f.last,
                rank() over (partition by {{ model("f") }}f.user_id order by f.rank asc) - 1 as before
            from found as f
        ) as o
        inner join cutoffs as c on c.k >= o.rank and c.k < o.last
        group by {{ model("o") }}o.user_id, c.k, o.before, o.rank, o.last
    ) as b
    inner join {{ sql.whole_numbers(0, deepest) }} as x on x.i between b.together + b.above - b.items and least(b.together, b.above)
    inner join harmonics as before on before.rank = b.first - 1
    inner join harmonics as upto on upto.rank = b.k
    inner join harmonics as best on best.rank = b.first - 1 + x.i
    inner join harmonics as worst on worst.rank = b.k - x.i
) as w
