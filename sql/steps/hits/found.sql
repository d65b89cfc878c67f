{#
row = "one row per list and relevant item in the list, at its best rank"
#}
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
    count(*) as copies
from {{ hits_from }} as r
inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates == "count" }}
