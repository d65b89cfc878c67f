{# The relevant items that the lists of a model miss most often. #}
select
    {{ sql.text("t.item_id") }} as item_id,
    count(*) as users,
    count(h.item_id) as hits,
    coalesce(max(l.lists), 0) as lists
from relevant as t
left join hits_in_force as h on h.user_id = t.user_id and h.item_id = t.item_id and {{ of_model("h") }}
left join (
    select r.item_id, count(*) as lists
    from recommended as r
    where {{ of_model("r") }}
    group by r.item_id
) as l on l.item_id = t.item_id
group by t.item_id
order by count(*) - count(h.item_id) desc, count(*) desc, {{ sql.text("t.item_id") }} asc
limit {{ most }}
