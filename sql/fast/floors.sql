{#
row = "one row per list with a possibly relevant item: the worst score of such items; items with a worse one need no rank"
before = "counted"
when = "ranks_of_hits"
#}
{# few: the list has at most 3 such items, and their bits prove that they are distinct. For these, counting the items that are no worse is enough. #}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
{% if ranks_counted %}
    count(*) <= 3 and {{ sql.bit_count("bit_or(" ~ sql.bit("r.item_id", 1) ~ ")") }} = count(*) as few,
{% endif %}
    {{ "min" if order == "desc" else "max" }}(r.score) as score
from likely_hits as r
group by {{ model("r") }}r.user_id
