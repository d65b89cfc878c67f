{#
row = "one row per list and rank that several items have"
#}
{# The option duplicates is about copies of one item; they are repeated ranks only if each copy counts. #}
select {{ model("r") }}r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
from {{ repeats_from }} as r
{% if any_order %}
where r.rank_by = 'rank'
{% endif %}
group by {{ model("r") }}r.user_id, r.rank
having min(r.item_id) <> max(r.item_id){{ " or count(*) > 1" if duplicates == "count" }}
