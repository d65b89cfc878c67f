{#
about = "recommended rows whose item has a novelty"
over = "popularities"
needs = ["novelties"]
#}
sum(y.novelty_items)
