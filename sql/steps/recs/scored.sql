{#
row = "one row per scored item, ranked by its score"
inline = true
also = "item fusion"

[options.ties]
about = "the order of items with the same score in a list"
topic = "ties"
default = "item_asc"

[options.ties.values]
item_asc = "the smaller item id comes first"
item_desc = "the larger item id comes first"
input = "the smaller value in the column rank comes first"
expected = "all orders are equally likely: each metric is its mean over them"
best = "relevant items come first, the best order for the list"
worst = "relevant items come last, the worst order for the list"
error = "an error"

[options.order]
about = "which end of the column score is the best"
topic = "ties"
default = "desc"

[options.order.values]
desc = "the highest score comes first"
asc = "the lowest score comes first, as for distances"
#}
{% set list = "partition by " ~ model("r") ~ "r.user_id" %}
{% macro rows() %}
from {{ "contenders" if ranks_of_hits else recs }} as r{% if any_order %}

where r.rank_by = 'score'{% endif %}
{% endmacro %}
{% if not unordered %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
{% if is_read("scored", "score") %}
    r.score,
{% endif %}
    row_number() over (
        {{ list }}
        order by r.score {{ order }}, {{ "r.item_id desc" if ties == "item_desc" else "r.rank asc, r.item_id asc" if ties == "input" else "r.item_id asc" }}
    ) as rank
{{ rows() }}
{% else %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
{% if is_read("scored", "score") %}
    r.score,
{% endif %}
    count(*) over ({{ list }} order by r.score {{ order }}) as last,
    rank() over ({{ list }} order by r.score {{ order }}) as rank
from (
{% if closed %}
    select {{ model("r") }}r.user_id, r.item_id, {{ "min" if (duplicates == "last") == (order == "desc") else "max" }}(r.score) as score
    {{ rows() | indent }}
    group by {{ model("r") }}r.user_id, r.item_id
{% else %}
    select {{ model("r") }}r.user_id, r.item_id, r.score
    {{ rows() | indent }}
{% endif %}
) as r
{% endif %}
