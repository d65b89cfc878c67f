{#
about = "1 / rank of the first hit in the top k; NULL without a hit"
#}
1e0 / ({{ rendering.found_at_k }})[1].rank
