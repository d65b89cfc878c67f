{#
row = "one row per list and relevant item in the list, at its best rank"
#}
{# An item has one gain. max() would also return it, but then DuckDB groups the whole truth by user and item before the join. #}
{% set columns = ["min(r.rank) as rank"] + (["min(r.last) as last"] if unordered else []) + [sql.of_first("t.gain", "r.rank") ~ " as gain"]
    + (["max(t.truth_rank) as truth_rank"] if needs.truth_rank else []) + ["count(*) as copies"] %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    {{ read_of("found", columns) }}
from {{ hits_from }} as r
inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates == "count" }}
