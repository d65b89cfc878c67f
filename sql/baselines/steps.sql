{#
Baselines, segments, candidates and fusion: tables made from train or from the lists of several models.

Goes in: given_past, one row per interaction of train, or given_recs. Comes out: offered, the items of each user by
their popularity; tastes, what the segments of users follow from; drawn, candidates drawn for each user; fused, the fused
lists.
#}
{# Whether the best end of the scores is read by model. #}
{% set ends_by_model = target == "fuse" and fusion__order not in ["desc", "asc"] and (by_score or method != "rrf") %}

-- name: popular
{#
row = "one row per item of train: its number of rows, and its place by this; ties by item id"
grain = "baseline"
#}
select t.item_id, count(*) as events, row_number() over (order by count(*) desc, t.item_id asc) as place
from given_past as t
group by t.item_id

-- name: owned
{#
row = "one row per user and item of train: its number of rows"
grain = "baseline"
#}
select t.user_id, t.item_id, count(*) as events
from given_past as t
group by t.user_id, t.item_id

-- name: audience
{#
row = "one row per user who gets a list: the number of their items in train"
grain = "baseline"
#}
{% if fixed %}
select a.user_id, count(a.item_id) as items
from (
    select o.user_id, o.item_id
    from owned as o
    union all
    select g.user_id, null as item_id
    from given_users as g{{ guard("id_types", left="past", right="users", columns=["user_id"], before="where") | indent(4) }}
) as a
group by a.user_id
{% else %}
select o.user_id, count(*) as items
from owned as o
group by o.user_id
{% endif %}

-- name: offered
{#
row = "one row per user and item, the most popular first, with its rank among the user's items"
grain = "popular"

[options.popularity__seen]
about = "what the popularity baseline does with the items that a user has in train"
topic = "ties"
default = "drop"

[options.popularity__seen.values]
drop = "the user gets only items that they lack"
keep = "they count as any other item, so everybody gets the same list"
first = "they come first, those that the user has in the most rows before the others; then the popular ones (GP-TopFreq of Li et al. 2023)"
#}
{# Among the first k + m items, a user with m items lacks k or more. In a macro, the option is a parameter. #}
{% set seen = popularity__seen %}
{% set own_first = named or seen == "first" %}
select
    n.user_id,
    n.item_id,
    row_number() over (
        partition by n.user_id
        order by {{ "case when " ~ literal(seen) ~ " = 'first' then coalesce(o.events, 0) else 0 end desc, " if named else "coalesce(o.events, 0) desc, " if own_first }}n.place asc
    ) as rank
from (
    select a.user_id, p.item_id, p.place
    from audience as a
    cross join cutoffs as c
    inner join popular as p on p.place <= c.k{{ " + a.items" if named or seen == "drop" }}{% if own_first %}

    union
    select o.user_id, o.item_id, p.place
    from owned as o
    inner join popular as p on p.item_id = o.item_id{% endif %}

) as n{% if own_first or seen == "drop" %}

left join owned as o on o.user_id = n.user_id and o.item_id = n.item_id{% endif %}{% if named or seen == "drop" %}

where o.item_id is null{{ " or " ~ literal(seen) ~ " <> 'drop'" if named }}{% endif %}


-- name: user_events
{#
row = "one row per user in train: the number of their rows"
grain = "baseline"
#}
select t.user_id, count(*) as events
from given_past as t
group by t.user_id

-- name: tastes
{#
row = "one row per user with relevant items: their number, how many of them are in train, and the mean number of rows there"
grain = "baseline"
#}
select
    l.user_id,
    count(*) as items,
    count(p.item_id) as known,
    {{ double("coalesce(sum(p.events), 0)") }} / count(*) as popularity
from (
    select distinct t.user_id, t.item_id
    from given_truth as t
    where t.relevance > 0{{ guard("id_types", left="past", right="truth", columns=["user_id", "item_id"]) | indent(8) }}
) as l
left join popular as p on p.item_id = l.item_id
group by l.user_id

-- name: pool
{#
row = "one row per item that can be drawn, with its weight"
grain = "draw"

[options.n]
about = "how many items are drawn for each user, beside those of the truth"
topic = "duplicates"
default = 100
type = "integer"
at_least = 1

[options.draw]
about = "which items are likely to be drawn"
topic = "duplicates"
default = "uniform"

[options.draw.values]
uniform = "each item alike"
popularity = "an item by its number of rows in train"
#}
select i.item_id, {{ "p.events" if draw == "popularity" else "1" }} as weight
from (
    select distinct i.item_id
    from given_items as i
    where i.item_id is not null{{ guard("id_types", left="truth", right="items", columns=["item_id"]) | indent(8) }}
) as i{% if draw == "popularity" %}

inner join popular as p on p.item_id = i.item_id{% endif %}

-- name: slots
{#
row = "one row per position that a draw can give, with its item"
grain = "baseline"
#}
select p.item_id, row_number() over (order by p.item_id asc) - 1 as position
from pool as p{% if draw == "popularity" %}

inner join given_past as t on t.item_id = p.item_id{% endif %}

-- name: known_items
{#
row = "one row per user of the truth and item that the user already has, in the truth or in train"
grain = "baseline"
#}
select k.user_id, k.item_id, max(k.judged) as judged
from (
    select t.user_id, t.item_id, 1 as judged
    from given_truth as t{{ guard("id_types", left="truth", right="past", columns=["user_id", "item_id"], before="where") | indent(4) }}
    union all
    select p.user_id, p.item_id, 0 as judged
    from given_past as p
    where p.user_id in (select t.user_id from given_truth as t)
) as k
group by k.user_id, k.item_id

-- name: draws
{#
row = "one row per user of the truth: the number of draws that almost certainly gives n new items; NULL if the pool has no more than that"
grain = "baseline"
#}
{# The chance that a draw gives a new item is at least that of an item that is neither the user's nor among the n likeliest. #}
select w.user_id, w.total, case when w.draws < w.items then cast(floor(w.draws) as bigint) end as draws
from (
    select
        u.user_id,
        s.items,
        s.total,
        2e0 * ({{ n }} + 20) * s.total / nullif(greatest(s.total - s.likeliest - coalesce(k.weight, 0), 0), 0) as draws
    from (select distinct t.user_id from given_truth as t) as u
    cross join (
        select
            count(*) as items,
            cast(sum(p.weight) as bigint) as total,
            cast(sum(case when p.place <= {{ n }} then p.weight end) as bigint) as likeliest
        from (select p.weight, row_number() over (order by p.weight desc) as place from pool as p) as p
    ) as s
    left join (
        select k.user_id, cast(sum(p.weight) as bigint) as weight
        from known_items as k
        inner join pool as p on p.item_id = k.item_id
        group by k.user_id
    ) as k on k.user_id = u.user_id
) as w

-- name: drawn
{#
row = "one row per user and item drawn for them, with its place: by the first draw that gave it, or by a hash of each item"
grain = "baseline"
#}
{# Efraimidis and Spirakis 2006: the order by -ln(hash) / weight is that of draws without replacement. #}
{% set numbers = sql.whole_numbers(1, "(select coalesce(max(d.draws), 1) from draws as d)") %}
{% set of_draw = sql.text("d.user_id") ~ " || ':' || " ~ sql.text("i.i") ~ " || ':' || " ~ sql.text(seed) %}
{% set of_item = sql.text("d.user_id") ~ " || ':' || " ~ sql.text("p.item_id") ~ " || ':' || " ~ sql.text(seed) %}
select
    o.user_id,
    o.item_id,
    row_number() over (partition by o.user_id order by o.place asc, o.item_id asc) as place
from (
    select f.user_id, s.item_id, {{ double("min(f.i)") }} as place
    from (
        select d.user_id, i.i, {{ sql.group_of(of_draw, "d.total") }} as position
        from draws as d
        inner join {{ numbers }} as i on i.i <= d.draws
    ) as f
    inner join slots as s on s.position = f.position
    group by f.user_id, s.item_id
    union all
    select d.user_id, p.item_id, -ln(({{ double(sql.group_of(of_item, 2147483648)) }} + 5e-1) / 2147483648e0) / p.weight as place
    from draws as d
    cross join pool as p
    where d.draws is null
) as o
left join known_items as k on k.user_id = o.user_id and k.item_id = o.item_id
where k.item_id is null

-- name: votes
{#
row = "one row per row of recs, with what it adds to the fused score of the item"
grain = "fusion"

[options.method]
about = "how the lists of several models become one: rrf by their ranks, the others by their scores, those of each list scaled to 0..1; a list whose scores are all equal gives 0"
topic = "fusion"
default = "rrf"

[options.method.values]
rrf = "reciprocal rank fusion: the sum of 1 / (k + rank) over the lists with the item (Cormack, Clarke and Buettcher 2009)"
comb_sum = "the sum of the scores (Fox and Shaw 1994, as the following ones)"
comb_mnz = "that sum times the number of lists with the item"
comb_anz = "that sum divided by the number of lists with the item: their mean"
comb_max = "the largest score, of the lists with the item"
comb_min = "the smallest score, of the lists with the item"
comb_med = "the median score, of the lists with the item; of an even number, the mean of the two in the middle"
weighted_sum = "the sum of the scores times the weight of each model; a list without the item adds 0"

[options.fusion__k]
about = "the constant of rrf: the larger it is, the less the first ranks stand out"
topic = "fusion"
default = 60
type = "number"
at_least = 0
at_most = 1000000
where = { method = "rrf" }

[options.weights]
about = "the weight of each model, as bm25=0.7,dense=0.3; with rrf, 1 / (k + rank) is multiplied by it"
topic = "fusion"
type = "weights"
where = { method = "rrf weighted_sum" }

[options.fusion__order]
about = "which end of the column score is the best in fuse: desc, the highest; asc, the lowest, as for distances; or an end for each model, as bm25=desc,dense=asc"
topic = "fusion"
default = "desc"
type = "ends"
#}
{% set list = " over (partition by " ~ model("r") ~ "r.user_id)" %}
{% set weight = weights.of(named_model("r")) if weights is not none %}
{% set down, up = "r.score * r.part - r.low * r.part", "r.high * r.part - r.score * r.part" %}
{% set height = down if fusion__order == "desc" else up if fusion__order == "asc" else "case when " ~ fusion__order.ascend(named_model("r")) ~ " then " ~ up ~ " else " ~ down ~ " end" %}
{% if method == "rrf" %}
select
    {{ model("r") }}r.user_id,
    r.item_id,
    {{ weight or "1e0" }} / {{ double(fusion__k ~ " + r.rank") }} as vote
from ranked as r
{% else %}
{# The range of scores can be larger than any number, half of it can't. #}
select
    {{ model("r") }}r.user_id,
    r.item_id,
    {{ weight ~ " * " if weight }}coalesce(({{ height }}) / nullif(r.high * r.part - r.low * r.part, 0e0), 0e0) as vote
from (
    select
        {{ model("r") }}r.user_id,
        r.item_id,
        r.score,
        r.low,
        r.high,
        case when greatest(abs(r.low), abs(r.high)) > 1e300 then 5e-1 else 1e0 end as part
    from (
        select
            {{ model("r") }}r.user_id,
            r.item_id,
            {{ double("r.score") }} as score,
            min({{ double("r.score") }}){{ list }} as low,
            max({{ double("r.score") }}){{ list }} as high
        from {{ recs }} as r
    ) as r
) as r
{% endif %}

-- name: fused
{#
row = "one row per user and item of a list, with its fused score"
grain = "fusion"
#}
{% set of_copies = { "last": "min", "count": "sum" }.get(duplicates, "max") %}
{% set total = "(" ~ sql.exact_sum("v.vote") ~ ")" %}
{% set scores = {
    "comb_mnz": "count(*) * " ~ total,
    "comb_anz": total ~ " / count(*)",
    "comb_max": "max(v.vote)",
    "comb_min": "min(v.vote)",
    "comb_med": "percentile_cont(5e-1) within group (order by v.vote asc)",
} %}
select v.user_id, v.item_id, {{ scores.get(method, total) }} as score
{% if duplicates == "error" %}
from votes as v
{% else %}
from (
    select {{ model("c") }}c.user_id, c.item_id, {{ of_copies }}(c.vote) as vote
    from votes as c
    group by {{ model("c") }}c.user_id, c.item_id
) as v
{% endif %}
group by v.user_id, v.item_id
