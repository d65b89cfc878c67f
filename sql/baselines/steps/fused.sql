{#
row = "one row per user and item of a list, with its fused score"
grain = "fusion"
#}
{% set of_copies = { "last": "min", "count": "sum" }.get(duplicates, "max") %}
select v.user_id, v.item_id, {{ "count(*) * " if method == "comb_mnz" }}({{ sql.exact_sum("v.vote") }}) as score
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
