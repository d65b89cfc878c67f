{#
about = "1 / rank of the first hit down to k, NULL without one"
#}
1e0 / ({{ rendering.found_at_k }})[1].rank
