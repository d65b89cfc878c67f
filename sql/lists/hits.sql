{#
about = "relevant items in the top k"
#}
len({{ rendering.found_at_k }})
