{#
row = "one row per model, user and cut-off: the number of items in the top k of the list"
grain = "item"
#}
select {{ model("r") }}r.user_id, c.k, count(*) as items
from listed as r
inner join cutoffs as c on c.k >= r.rank
group by {{ model("r") }}r.user_id, c.k
