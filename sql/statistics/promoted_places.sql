{#
about = "sum over the hits of the places that they stand above their place by popularity in train; 1 - rank for items that are not in train"
over = "hits"
empty = "0e0"
needs = ["popularity_places"]

[joins]
popularity_places = "left join popularity_places as q on q.item_id = h.item_id"
#}
{{ summed("case when q.place is null then 1 - h.rank else greatest(q.place - h.rank, 0) end") }}
