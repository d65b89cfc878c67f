{#
about = "the rows of `rows` for which the condition `kept` holds, with their ranks among these; `others` is joined with each row `r`, and `gone` is the opposite of `kept`"
#}
{% set left_out = "count(case when " ~ gone ~ " then 1 end)" %}
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
        -- rows with the same rank do not come before this one
        {{ left_out }} over (partition by {{ model("r") }}r.user_id order by r.rank asc)
        - {{ left_out }} over (
            partition by {{ model("r") }}r.user_id
            order by r.rank asc
            range between current row and current row
        ) as dropped
    from {{ rows }} as r
    left join {{ others }}
) as o
where o.{{ named_as }}
