{#
about = "relevant items in the top k"
needs = ["found", "k if deep"]
#}
len({{ found_at_k }})
