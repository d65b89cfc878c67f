{#
message = "Ranks among {found} sampled items need not order models as the full catalogue does (Krichene and Rendle 2020)."
warning = true
when = "candidates is not none and 'recs' in tables"
#}
select
    {{ sentence(found="case when n.fewest = n.most then " ~ sql.text("n.most") ~ " else n.fewest || ' to ' || n.most end") | indent }} as message
from (
    select min(d.drawn) as fewest, max(d.drawn) as most
    from (
        select c.user_id, count(distinct c.item_id) as drawn
        from given_candidates as c
{% if "truth" in tables %}
        left join given_truth as t on t.user_id = c.user_id and t.item_id = c.item_id
        where t.item_id is null
{% endif %}
        group by c.user_id
    ) as d
) as n
where n.most > 0
