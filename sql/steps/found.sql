{#
row = "one row per list and relevant item in the list, at its best rank"
#}
{% set each = condition(duplicates="count") %}
select
    r.model,
    r.user_id,
    r.item_id,
    min(r.rank) as rank,
{% if unordered().possible %}
    min(r.last) as last,
{% endif %}
    {# An item has one gain. max() would also return it, but then DuckDB groups the whole truth by user and item before the join. #}
    {{ sql.of_first("t.gain", "r.rank") }} as gain,
{% if rendering.reads("f.truth_rank") %}
    max(t.truth_rank) as truth_rank,
{% endif %}
    count(*) as copies
from possible_hits as r
inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
group by r.model, r.user_id, r.item_id{{ ", " ~ each.then("r.rank") if each.possible }}
