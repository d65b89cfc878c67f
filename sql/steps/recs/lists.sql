{#
row = "one row per model and user with a list"
#}
{% set rank = "case when r.rank_by = 'rank' then r.rank end" if any_order else "r.rank" if by_rank else "null" %}
{% macro rows() %}
{% if closed_up %}
{# A list whose items are all removed is still a list. #}
(
    select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.rank_by" if any_order }}
    from {{ recs }} as r
    union all
    select distinct {{ model("r") }}r.user_id, null as item_id, null as rank{{ ", r.rank_by" if any_order }}
    from given_recs as r
)
{%- else %}
given_recs
{%- endif %}
{% endmacro %}
{% if not (is_read("lists", "returned") or is_read("lists", "last_rank")) %}
select distinct {{ model("r") }}r.user_id
from given_recs as r
{% elif folded %}
select {{ model("i") }}i.user_id, count(i.item_id) as returned{{ ", coalesce(max(i.last_rank), sum(i.copies)) as last_rank" if lengths_count and duplicates == "set" else ", count(i.item_id) + max(i.last_rank) - sum(i.copies) as last_rank" if lengths_count }}
from (
    select {{ model("r") }}r.user_id, r.item_id, {{ "count(r.item_id)" if closed_up else "count(*)" }} as copies, max({{ rank }}) as last_rank
    from {{ rows() | indent }} as r
    group by {{ model("r") }}r.user_id, r.item_id
) as i
group by {{ model("i") }}i.user_id
{% elif closed_up %}
select {{ model("r") }}r.user_id, count(r.item_id) as returned{{ ", max(" ~ rank ~ ") as last_rank" if lengths_count }}
from {{ rows() }} as r
group by {{ model("r") }}r.user_id
{% else %}
select {{ model("r") }}r.user_id, count(*) as returned{{ ", max(" ~ rank ~ ") as last_rank" if lengths_count }}
from given_recs as r
group by {{ model("r") }}r.user_id
{% endif %}
