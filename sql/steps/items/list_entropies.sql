{#
row = "one row per model, user and cut-off: the mean information of the items in the list"
grain = "item"
when = "needs.lists_at_k and target == 'evaluate'"
#}
select {{ keys("r") }}r.user_id, i.k, {{ sql.exact_mean("i.information") }} as information
from listed as r
inner join item_information as i on {{ same_keys("i", "r") }}i.item_id = r.item_id and i.k >= r.rank
group by {{ keys("r") }}r.user_id, i.k
