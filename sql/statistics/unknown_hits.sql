{#
about = "hits in the top k that are not in train"
over = "hits"
empty = "0"
needs = ["popularity_places"]

[joins]
popularity_places = "left join popularity_places as q on q.item_id = h.item_id"
#}
{{ summed("1", where="q.place is null") }}
