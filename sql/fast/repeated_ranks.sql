{#
buys = "six metrics of 10 million rows take 0.9 CPU seconds instead of 3.0, as only lists whose ranks are not 1, 2, ... are grouped by rank"
#}
{# Copies of one item are for the option duplicates to judge, unless each of them counts. #}
select {{ model("r") }}r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
from {{ "unproven_recs" if listed else "given_recs" }} as r
inner join rank_bands as b
    on {{ same_model("b", "r") }}b.user_id = r.user_id and b.band = {{ sql.band_of("try_cast(r.rank as bigint)") }}
{% if any_order %}
where r.rank_by = 'rank'
{% endif %}
group by {{ model("r") }}r.user_id, r.rank
having min(r.item_id) <> max(r.item_id){{ " or count(*) > 1" if duplicates == "count" }}
