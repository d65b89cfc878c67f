{#
row = "one row per scored item, ranked by its score"
inline = true

[options.ties]
about = "which of two items with the same score comes first"
default = "item_asc"

[options.ties.values]
item_asc = "the smaller item id"
item_desc = "the larger item id"
error = "neither: a tie is an error"
#}
{% set down = condition(ties="item_desc") %}
select
    r.model,
    r.user_id,
    r.item_id,
    r.score,
    row_number() over (
        partition by r.model, r.user_id
        order by r.score desc{{ ", " ~ down.then("r.item_id") ~ " desc" if down.possible }}{{ ", r.item_id" if not down.certain }}
    ) as rank
from given_recs as r
{{ condition(rank_by="score").where }}
