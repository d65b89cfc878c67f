{#
row = "one row per model, user and cut-off: the mean information of the items in the list"
grain = "item"
#}
select r.model, r.user_id, i.k, {{ sql.exact_mean("i.information") }} as information
from listed as r
inner join item_information as i on i.model is not distinct from r.model and i.item_id = r.item_id and i.k >= r.rank
group by r.model, r.user_id, i.k
