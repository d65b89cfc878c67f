{#
What lists hold besides hits: judged items, items judged not relevant, and all orders of ties.

Goes in: recommended, judged and hits. Comes out: judgements, rejections and preferences for bpref and judged;
hits_of_list, the statistics of the hits in the whole list; splits_at_k, the statistics under each way in which the
cut-off can divide tied items.
#}

-- name: judgements
{#
row = "one row per list and cut-off with judged items in the top k: the number of these, or its expected value"
#}
{# A tied item has each of its ranks with the same probability: the sum over these is that of a geometric series. #}
{% set p = double(rbp_p) %}
{% set spread = "(power(" ~ p ~ ", o.rank - 1) - power(" ~ p ~ ", least(o.last, c.k))) / nullif((1 - " ~ p ~ ") * (o.last - o.rank + 1), 0e0)" %}
{% set persistence = spread if expected else "power(" ~ p ~ ", o.rank - 1)" %}
select
{% if modelled %}
    o.model,
{% endif %}
    o.user_id,
    c.k,
    {{ sql.exact_sum("least((c.k - o.rank + 1) / " ~ double("o.last - o.rank + 1") ~ ", 1e0)") if expected else "count(*)" }} as items{% if needs.judged_persistence %},
    {{ sql.exact_sum(persistence) }} as persistence{% endif %}

from (
    select {{ model("r") }}r.user_id, min(r.rank) as rank{{ ", min(r.last) as last" if expected }}
    from recommended as r
    inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates == "count" }}
) as o
inner join cutoffs as c on c.k >= o.rank
group by {{ model("o") }}o.user_id, c.k

-- name: rejected
{#
row = "one row per list and item in the list that is judged not relevant, at its best rank"
#}
{# With ties = best, the hits come first: an item that is tied with a hit has the last of their ranks. #}
select {{ model("r") }}r.user_id, r.item_id, min({{ "r.last" if ties == "best" else "r.rank" }}) as rank
from recommended as r
inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where not ({{ is_relevant("j.relevance") }})
group by {{ model("r") }}r.user_id, r.item_id

-- name: rejections
{#
row = "one row per user: the number of items that are judged not relevant"
#}
select j.user_id, count(*) as items
from judged as j
where not ({{ is_relevant("j.relevance") }})
group by j.user_id

-- name: preferences
{#
row = "one row per hit: the number of items above it that are judged not relevant"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    p.nth,
    p.above
from (
    select
{% if modelled %}
        o.model,
{% endif %}
        o.user_id,
        o.nth,
        count(case when o.nth is null then 1 end) over (partition by {{ model("o") }}o.user_id order by o.rank asc) as above
    from (
        select {{ model("h") }}h.user_id, h.rank, h.nth
        from hits as h
        union all
        select {{ model("r") }}r.user_id, r.rank, null as nth
        from rejected as r
    ) as o
) as p
where p.nth is not null

-- name: hits_of_list
{#
row = "one row per model, user with a hit and cut-off: the statistics of the hits in the whole list"
sums = { over = "list", alias = "w", reader = "at_k" }
#}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    c.k{% for one in statistics("list") %},
    {{ text_of(one) }} as {{ one }}{% endfor %}

from hits as h
cross join cutoffs as c
{% for join in joins("list") %}
{{ join }}
{% endfor %}
{% if truth_window == "k" %}
where h.truth_rank <= c.k
{% endif %}
group by {{ model("h") }}h.user_id, c.k

-- name: splits
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

-- name: splits_at_k
{#
row = "one row per model, user and cut-off that separates tied items: the statistics of the splits"
sums = { over = "splits", alias = "x", reader = "at_k" }
#}
select
{% if modelled %}
    y.model,
{% endif %}
    y.user_id,
    y.k{% for one in statistics("splits") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from (
    select
{% if modelled %}
        x.model,
{% endif %}
        x.user_id,
        x.k,
        x.weight,
        (coalesce({{ summed("h.nth / " ~ double("h.rank")) }}, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
    from splits as x
    left join hits_in_force as h on {{ same_model("h", "x") }}h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
    group by {{ model("x") }}x.user_id, x.k, x.hits, x.weight, x.precisions
) as y
group by {{ model("y") }}y.user_id, y.k
