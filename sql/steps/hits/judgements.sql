{#
row = "one row per list and cut-off with judged items in the top k: the number of these, or its expected value"
#}
select
{% if modelled %}
    o.model,
{% endif %}
    o.user_id,
    c.k,
    {{ sql.exact_sum("least((c.k - o.rank + 1) / " ~ double("o.last - o.rank + 1") ~ ", 1e0)") if expected else "count(*)" }} as items
from (
    select {{ model("r") }}r.user_id, min(r.rank) as rank{{ ", min(r.last) as last" if expected }}
    from recommended as r
    inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates == "count" }}
) as o
inner join cutoffs as c on c.k >= o.rank
group by {{ model("o") }}o.user_id, c.k
