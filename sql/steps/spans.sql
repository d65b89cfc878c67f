{#
Budgets: what each list has spent up to a row, in a column of the lists such as tokens.

Goes in: recommended, with its column cost, and found. Comes out: spent, one row per recommended item with its place, which
the cut-offs are compared with in place of the rank; reached, the same for the hits.
#}

-- name: spent
{#
row = "one row per recommended item: its place, which is what its list has spent when it counts"

[options.budget]
about = "the column of lists whose sums are compared with the cut-offs in place of ranks, such as tokens"
topic = "budgets"
type = "column"

[options.crossing]
about = "what happens to the row that crosses the budget; no row behind it counts"
topic = "budgets"
default = "out"

[options.crossing.values]
out = "it is left out"
first = "it is left out, unless it is the first row of the list"
in = "it counts"
#}
{% set list = "partition by " ~ model("r") ~ "r.user_id" %}
{% set total = "sum(r.cost) over (" ~ list ~ " order by r.rank asc)" %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    r.rank{{ further("r") }},
{% if crossing == "in" %}
    {{ total }} - r.cost + 1 as place
{% elif crossing == "first" %}
    case when r.rank = min(r.rank) over ({{ list }}) then 0 else {{ total }} end as place
{% else %}
    {{ total }} as place
{% endif %}
from recommended as r

-- name: reached
{#
row = "one row per hit, with its place in its list"
#}
select {{ model("f") }}f.user_id, f.item_id, f.rank, f.gain, f.copies, s.place
from found as f
inner join spent as s on {{ same_model("s", "f") }}s.user_id = f.user_id and s.rank = f.rank

-- name: reached (fast)
{#
buys = "with many lists, only the rows above a hit are added up, and no list is sorted"
#}
select {{ model("f") }}f.user_id, f.item_id, f.rank, f.gain, f.copies, s.place
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
