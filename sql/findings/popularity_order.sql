{#
about = "neighbours in the lists are in the order of their popularity in train"
matters = "the lists are hardly personal, whatever the model is called"
advice = "compare with the lists of recsql.popularity(train), and look at what the score is made of"
severity = {warning = 0.9}
unit = "pairs"
table = "recs"
needs = ["train"]
level = "full"
unless = "the model has pop in its name, or there are fewer than 20 pairs of neighbours that differ in popularity"
#}
{% set ordered %}
select
    {{ model("r") }}r.user_id,
    r.item_id,
    r.place,
    i.train_rows as events,
    lag(i.train_rows) over (partition by {{ model("r") }}r.user_id order by r.place asc) as before
from list_items as r
inner join item_rows as i on i.id = r.item_id
where r.place <= {{ depth }}{{ " and coalesce(lower(r.model), '') not like '%pop%'" if modelled }}
{% endset %}
select
    {{ model_of("n") }},
    case when count(*) >= 20 then count(case when n.before > n.events then 1 end) end as found,
    count(*) as total,
    min(case when n.before > n.events then {{ sql.text("n.user_id") }} end) as example
from (
    {{ ordered | trim | indent }}
) as n
where n.before <> n.events
{{ group_by_model("n") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.place, i.train_rows
from list_items as r
inner join item_rows as i on i.id = r.item_id
where r.place <= {{ depth }}
