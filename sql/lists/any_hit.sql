{#
about = "1 if there is a hit down to k, else 0"
#}
case when len({{ rendering.found_at_k }}) > 0 then 1e0 else 0e0 end
