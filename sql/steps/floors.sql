{#
row = "one row per list with an item that may be relevant: the lowest score of such items; what is below it needs no rank"
#}
{# Few, and none of them twice, as their bits prove: for these it is enough to count what is no worse. #}
select
    r.model,
    r.user_id,
{% if rendering.reads("f.few") %}
    count(*) <= 3 and {{ sql.bit_count("bit_or(" ~ sql.bit("r.item_id", 1) ~ ")") }} = count(*) as few,
{% endif %}
    min(r.score) as score
from likely_hits as r
group by r.model, r.user_id
