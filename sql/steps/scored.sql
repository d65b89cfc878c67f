{#
row = "one row per scored item, ranked by its score"
inline = true
also = "item"

[options.ties]
about = "the order of items with the same score in a list"
topic = "ties"
default = "item_asc"
unordered = ["expected", "best", "worst"]

[options.ties.values]
item_asc = "the smaller item id comes first"
item_desc = "the larger item id comes first"
input = "the smaller value in the column rank comes first"
expected = "all orders are equally likely: each metric is its mean over them"
best = "relevant items come first, the best order for the list"
worst = "relevant items come last, the worst order for the list"
error = "an error"
#}
{% set tied = unordered() %}
{% set down = condition(ties="item_desc") %}
{% set as_given = condition(ties="input") %}
{% set closed = condition(duplicates="first last") %}
{% set by_score = condition(rank_by="score") %}
{% set above_floor = "inner join floors as f on f.model is not distinct from r.model and f.user_id = r.user_id and r.score >= f.score" ~ (" and not f.few" if rendering.ranks_counted else "") if rendering.ranks_of_hits %}
{% set list = "partition by r.model, r.user_id" %}
{% set keys = ["r.score desc", down.then("r.item_id") ~ " desc" if down.possible, as_given.then("r.rank") ~ " asc" if as_given.possible, "r.item_id asc" if not down.certain] %}
{% if not tied.certain %}
select
    r.model,
    r.user_id,
    r.item_id,
    r.score,
{% if tied.possible %}
    null as last,
{% endif %}
    row_number() over (
        {{ list }}
        order by {{ keys | select | join(", ") }}
    ) as rank
from {{ rendering.recs }} as r
{{ above_floor }}
{{ (by_score | both(tied.negated)).where }}
{% endif %}
{{ tied.union_all }}
{% if tied.possible %}
select
    r.model,
    r.user_id,
    r.item_id,
    r.score,
    count(*) over ({{ list }} order by r.score desc) as last,
    rank() over ({{ list }} order by r.score desc) as rank
from (
{% if not closed.certain %}
    select r.model, r.user_id, r.item_id, r.score
    from {{ rendering.recs }} as r
    {{ above_floor }}
    {{ (by_score | both(tied) | both(closed.negated)).where }}
{% endif %}
    {{ closed.union_all }}
{% if closed.possible %}
    select r.model, r.user_id, r.item_id, {{ choose("duplicates", last="min(r.score)", otherwise="max(r.score)") }} as score
    from {{ rendering.recs }} as r
    {{ above_floor }}
    {{ (by_score | both(tied) | both(closed)).where }}
    group by r.model, r.user_id, r.item_id
{% endif %}
) as r
{% endif %}
