{#
The hits: recommended items that are relevant, numbered down the list.

Goes in: recommended and relevant. Comes out: hits, one row per hit, and hits_at_k, one row per list and cut-off with
a hit, with the statistics of the hits in the top k. With ties, a hit has a row for each rank that it can have, with
its probability.
#}
{% set hits_from = "possible_hits" if fast and not of_spans else "recommended" %}
{% set ranked_hits = "placed" if bounds else "reached" if budgeted else "found" %}

-- name: possible_hits (fast)
{#
row = "one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST"
buys = "six metrics of 50 million rows take 3.6 CPU seconds instead of 4.0, as few recommended items are joined with the truth; a billion rows do not spill"
inline = true
sized = true
#}
{% if from_lists %}
{# A search in a LIST costs its length for each relevant item. If a user has many, the items of the LIST are looked up instead. #}
{% set few = 20 %}
{% set items = "r.items" if needs.whole_list else sql.first("r.items", depth) %}
select {{ model("o") }}o.user_id, o.item_id, {{ sql.places_of("o.item_id", "o.items", "o.rank", "o.back") }} as rank
from (
    select
{% if modelled %}
        l.model,
{% endif %}
        l.user_id,
        t.item_id,
        l.items,
        {{ sql.place_in("l.items", "t.item_id") }} as rank,
        {{ sql.place_in("l.turned", "t.item_id") }} as back
    from (
        select {{ model("r") }}r.user_id, {{ items }} as items, {{ sql.turned(items) }} as turned
        from given_lists as r
    ) as l
    inner join fingerprints as f on f.user_id = l.user_id and f.stated <= {{ few }}
    inner join relevant as t on t.user_id = l.user_id
) as o
where o.rank is not null
union all
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
from (
    select {{ model("r") }}r.user_id, {{ sql.items_of(items) }}
    from given_lists as r
    inner join fingerprints as f on f.user_id = r.user_id and f.stated > {{ few }}
{% else %}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
from (
    select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
    from recommended as r
{% endif %}
    union all
    select {{ "null as model, " if modelled }}t.user_id, t.item_id, null as rank{{ ", null as last" if unordered }}
    from given_truth as t
    where false
) as r
{{ bits_set() }}

-- name: meetings
{#
row = "one row per row of a list and relevant span that it finds: the span, and the text that they share"
kept = true
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.document,
    t.start as span_start,
    t.stop as span_stop,
    t.gain,
    r.rank{{ ", r.place" if rows_of_lists == "spent" }},
    greatest(r.start, t.start) as start,
    least(r.stop, t.stop) as stop
from {{ rows_of_lists }} as r
{{ meeting() }}

-- name: found
{#
row = "one row per list and relevant item in the list, at its best rank"
#}
{% if of_spans %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    {{ sql.span("r.document", "r.span_start", "r.span_stop") }} as item_id,
    min(r.rank) as rank,
    max(r.gain) as gain,
    1 as copies
from meetings as r
group by {{ model("r") }}r.user_id, r.document, r.span_start, r.span_stop
{% else %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    min(r.rank) as rank,
{% if unordered %}
    min(r.last) as last,
{% endif %}
    {# An item has one gain. max() would also return it, but then DuckDB groups the whole truth by user and item before the join. #}
    {{ sql.of_first("t.gain", "r.rank") }} as gain,
{% if needs.truth_rank %}
    max(t.truth_rank) as truth_rank,
{% endif %}
{% if needs.propensities %}
    {{ sql.of_first("t.weight", "r.rank") }} as weight,
{% endif %}
    count(*) as copies
from {{ hits_from }} as r
inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates == "count" }}
{% endif %}

-- name: reached
{#
row = "one row per hit, with its place in its list"
#}
select {{ model("f") }}f.user_id, f.item_id, f.rank, f.gain, f.copies{{ from_truth("f") }}, s.place
from found as f
inner join spent as s on {{ same_model("s", "f") }}s.user_id = f.user_id and s.rank = f.rank

-- name: reached (fast)
{#
buys = "with many lists, only the rows above a hit are added up, and no list is sorted"
#}
select {{ model("f") }}f.user_id, f.item_id, f.rank, f.gain, f.copies{{ from_truth("f") }}, s.place
from found as f
inner join (
    select
{% if modelled %}
        h.model,
{% endif %}
        h.user_id,
        h.rank,
{% if crossing == "in" %}
        coalesce(sum(case when r.rank < h.rank then r.cost end), 0) + 1 as place
{% elif crossing == "first" %}
        case when count(*) = 1 then 0 else sum(r.cost) end as place
{% else %}
        sum(r.cost) as place
{% endif %}
    from (select distinct {{ model("f") }}f.user_id, f.rank from found as f) as h
    inner join recommended as r on {{ same_model("r", "h") }}r.user_id = h.user_id and r.rank <= h.rank
    group by {{ model("h") }}h.user_id, h.rank
) as s on {{ same_model("s", "f") }}s.user_id = f.user_id and s.rank = f.rank

-- name: placed
{#
row = "one row per list and relevant item in the list; a tied item has its best or worst possible rank"
#}
select
{% if modelled %}
    o.model,
{% endif %}
    o.user_id,
    o.item_id,
    {{ "o.last + 1 - o.place" if ties == "worst" else "o.rank - 1 + o.place" }} as rank,
    o.gain,
    o.copies{{ from_truth("o") }}
from (
    select
{% if modelled %}
        f.model,
{% endif %}
        f.user_id,
        f.item_id,
        f.rank,
        f.last,
        f.gain,
        f.copies{{ from_truth("f") }},
        row_number() over (partition by {{ model("f") }}f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
    from found as f
) as o

-- name: tied_hits
{#
row = "one row per hit and rank that it can have among tied items: the probability of the rank, and the expected values there"
#}
{# McSherry and Najork 2008: each tied item has each of the tied ranks with the same probability. #}
{% set deepest = "(select cast(max(f.last) as bigint) from found as f)" if needs.whole_list or uncut else depth %}
{% set places %}
(
    partition by {{ model("o") }}o.user_id, o.item_id, o.first
    order by o.place asc
    rows between unbounded preceding and 1 preceding
)
{%- endset %}
select
{% if modelled %}
    o.model,
{% endif %}
    o.user_id,
    o.item_id,
    o.gain,
    o.copies{{ from_truth("o") }},
    o.place,
    o.first - 1 + o.place as rank,
    o.before + 1 + (o.place - 1) * (o.together - 1) / {{ double("greatest(o.items - 1, 1)") }} as nth,
    1e0 / o.items as probability,
    case
        when o.before = 0
            then
                coalesce(
                    {{ sql.running_product("(o.items - o.together - o.place + 1e0) / (o.items - o.place + 1)", places) | indent(20) }},
                    1e0
                )
                / (o.items - o.place + 1)
        else 0e0
    end as leads
from (
    select
{% if modelled %}
        b.model,
{% endif %}
        b.user_id,
        b.item_id,
        b.gain,
        b.copies{{ from_truth("b") }},
        b.rank as first,
        b.last - b.rank + 1 as items,
        b.before,
        b.together,
        i.i - b.rank + 1 as place
    from (
        select
{% if modelled %}
            f.model,
{% endif %}
            f.user_id,
            f.item_id,
            f.gain,
            f.copies{{ from_truth("f") }},
            f.rank,
            f.last,
            rank() over (partition by {{ model("f") }}f.user_id order by f.rank asc) - 1 as before,
            count(*) over (partition by {{ model("f") }}f.user_id, f.rank) as together
        from found as f
    ) as b
    inner join {{ sql.whole_numbers(1, deepest) }} as i on i.i between b.rank and b.last
) as o

-- name: hits
{#
row = "one row per hit, numbered in list order"
kept = true
needs = ["truth_rank if truth_window in ['k', 'rank']"]

[options.truth_window]
about = "which part of an ordered truth counts"
topic = "relevance"
default = "all"

[options.truth_window.values]
all = "the whole truth"
k = "the first k entries, for the hits and for the ideal list"
rank = "the first i entries for the item at rank i"
#}
{% if expected %}
select
{% if modelled %}
    t.model,
{% endif %}
    t.user_id,
    t.item_id,
    t.rank,
    t.gain,
    t.copies{{ from_truth("t") }},
    t.place,
    t.probability,
    t.leads,
    t.nth
from tied_hits as t
{% else %}
select
{% if modelled %}
    f.model,
{% endif %}
    f.user_id,
    f.item_id,
    {{ "f.rank" if plain else "try_cast(f.rank as bigint) as rank" }},
{% if budgeted %}
    f.place,
{% endif %}
    f.gain,
    f.copies{{ from_truth("f") }},
    row_number() over (partition by {{ model("f") }}f.user_id order by f.rank asc, f.item_id asc) as nth
from {{ ranked_hits }} as f{% if truth_window == "rank" %}

where f.truth_rank <= f.rank{% endif %}

{% endif %}

-- name: hits_in_force
{#
row = "one row per hit and cut-off at which it counts"
#}
{% if truth_window == "k" %}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    h.item_id,
    c.k,
    h.rank,
    h.gain{{ from_truth("h") }},
    row_number() over (partition by {{ model("h") }}h.user_id, c.k order by h.rank asc, h.nth asc) as nth{{ ", h.probability, h.leads" if expected }}
from hits as h
inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
{% else %}
{# Without their numbers, the hits are what was found. #}
{% set numbered = unordered or truth_window == "rank" or is_read("hits_in_force", "nth") %}
select {{ model("h") }}h.user_id, h.item_id, c.k, h.rank, h.gain{{ from_truth("h") }}{{ ", h.nth" if numbered }}{{ ", h.probability, h.leads" if expected }}
from {{ "hits" if numbered else ranked_hits }} as h
inner join cutoffs as c on c.k >= h.{{ reach }}
{% endif %}

-- name: readings
{#
row = "one row per hit and cut-off at which it counts, with the probability that a reader gets to it"
#}
{% set earlier %}
(
    partition by {{ model("h") }}h.user_id, h.k
    order by h.nth asc
    rows between unbounded preceding and 1 preceding
)
{%- endset %}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    h.item_id,
    h.k,
    h.rank,
    h.gain,
    h.nth,
    coalesce({{ sql.running_product("1 - " ~ stop_chance("h.gain"), earlier) | indent }}, 1e0) as reached
from hits_in_force as h

-- name: harmonics
{#
row = "one row per rank: the sum 1/1 + 1/2 + ... + 1/rank"
#}
select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
from {{ sql.whole_numbers(0, deepest) }} as i

-- name: hits_at_k
{#
row = "one row per model, user with a hit and cut-off: the statistics of the hits in the top k"
sums = { over = "hits", alias = "u", reader = "at_k" }
#}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    h.k{% for one in statistics("hits") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from {{ "readings" if needs.readings else "hits_in_force" }} as h
{% for join in joins("hits") %}
{{ join }}
{% endfor %}
group by {{ model("h") }}h.user_id, h.k

-- name: hit_categories_at_k
{#
row = "one row per model, user and cut-off with a hit that has a category: the number of these categories"
sums = { over = "hit_categories", alias = "g", reader = "at_k" }
#}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    h.k{% for one in statistics("hit_categories") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from hits_in_force as h
inner join item_categories as g on g.item_id = h.item_id
group by {{ model("h") }}h.user_id, h.k

-- name: relevant_categories
{#
row = "one row per user with a relevant item that has a category: the number of these categories"
#}
select t.user_id, count(distinct g.category) as categories
from relevant as t
inner join item_categories as g on g.item_id = t.item_id
group by t.user_id
