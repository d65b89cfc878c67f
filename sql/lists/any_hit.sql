{#
about = "1 if the top k has a hit, else 0"
needs = ["found", "k if deep"]
#}
case when len({{ found_at_k }}) > 0 then 1e0 else 0e0 end
