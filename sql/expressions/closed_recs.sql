{#
about = "the rows of `rows` that meet the condition `kept`, with their ranks among these; `others` is the join of a row `r`, and `gone` the opposite of `kept`"
#}
select {{ model("o") }}o.user_id, o.item_id, o.rank - o.dropped as rank, o.score{{ ", o.rank_by" if any_order }}
from (
    select
{% if modelled %}
        r.model,
{% endif %}
        r.user_id,
        r.item_id,
        r.rank,
        r.score,
{% if any_order %}
        r.rank_by,
{% endif %}
        {{ kept }} as {{ named_as }},
        {{ lower_ranks(r="r", counted="case when " ~ gone ~ " then 1 end") | indent(8) }} as dropped
    from {{ rows }} as r
    left join {{ others }}
) as o
where o.{{ named_as }}
