{#
row = "one row per list that has an item several times in the top k: the first such item that is relevant, and the first other one"
#}
{# A join finds relevant items, so that only these are grouped. If it is last, it can find one of the few copies twice. #}
{% set relevant = "(select " ~ ("distinct " if not full) ~ "t.user_id, t.item_id from given_truth as t where " ~ is_relevant() ~ ") as t on t.user_id = r.user_id and t.item_id = r.item_id" %}
{% set keys = model("r") ~ "r.user_id, r.item_id" %}
select
    {{ model("r") }}r.user_id,
    min(case when r.is_relevant = 1 then r.item_id end) as relevant,
    min(case when r.is_relevant = 0 then r.item_id end) as other
from (
{% if full %}
    select {{ keys }}, case when t.user_id is null then 0 else 1 end as is_relevant
    from (
        select {{ keys }}
        from list_items as r
        where r.place <= {{ depth }}
        group by {{ keys }}
        having count(*) > 1
    ) as r
    left join {{ relevant }}
{% else %}
    select {{ keys }}, 1 as is_relevant
    from given_recs as r
    inner join {{ relevant }}
{% if by_rank %}
    where r.rank <= {{ depth }}
{% else %}
    inner join list_facts as f on {{ same_model("f", "r") }}f.user_id = r.user_id
    where f.score_at_k is null or {{ score_down("r.score") }} >= {{ score_down("f.score_at_k") }}
{% endif %}
    group by {{ keys }}
    having count(*) > 1
{% endif %}
) as r
group by {{ model("r") }}r.user_id
