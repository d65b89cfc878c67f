{#
about = "1 / rank of the first hit in the top k; NULL without a hit"
#}
1e0 / list_min({{ hits }})
