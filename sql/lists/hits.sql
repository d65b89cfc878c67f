{#
about = "relevant items among the first k"
#}
len({{ rendering.found_at_k }})
