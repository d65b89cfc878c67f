{#
Budgets: what each list has spent up to a row, in a column such as tokens.

Goes in: recommended, with its column cost. Comes out: spent, one row per recommended item with its place, which the cut-offs
are compared with in place of the rank.
#}

-- name: spent
{#
row = "one row per recommended item: its place, which is what its list has spent when it counts"

[options.budget]
about = "the column of lists whose sums are compared with the cut-offs in place of ranks, such as tokens"
topic = "spans"
type = "column"

[options.crossing]
about = "what happens to the row that crosses the budget; no row behind it counts"
topic = "spans"
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
