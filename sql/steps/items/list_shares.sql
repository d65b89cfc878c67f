{#
row = "one row per model, user, cut-off and recommended item: its share of the top k of the list"
grain = "item"
inline = true
#}
select {{ model("r") }}r.user_id, n.k, r.item_id, 1e0 / n.items as weight{{ ", 1e0 / sqrt(n.items) as root_weight" if needs.root_weights }}
from listed as r
inner join list_sizes as n on {{ same_model("n", "r") }}n.user_id = r.user_id and n.k >= r.rank
