{#
about = "1 / rank of the first hit in the top k; NULL without a hit"
needs = ["found", "k if deep"]
#}
1e0 / ({{ found_at_k }})[1].rank
