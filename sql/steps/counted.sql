{#
row = "one row per possibly relevant item of a list with few of them: its rank, which is the number of items that are no worse"
#}
{% set no_later = "r.item_id >= l.item_id" if condition(ties="item_desc").certain else "r.item_id <= l.item_id" %}
select l.model, l.user_id, l.item_id, count(*) as rank
from likely_hits as l
inner join floors as f on f.model is not distinct from l.model and f.user_id = l.user_id
inner join given_recs as r on r.model is not distinct from l.model and r.user_id = l.user_id
where f.few and (r.score > l.score or (r.score = l.score and {{ no_later }}))
group by l.model, l.user_id, l.item_id
