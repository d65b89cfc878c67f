{#
about = "the last place by popularity in train"
over = "user"
needs = ["popularity_places"]
#}
(select max(q.place) from popularity_places as q)
