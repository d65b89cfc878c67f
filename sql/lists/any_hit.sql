{#
about = "1 if the top k has a hit, else 0"
#}
case when len({{ hits }}) > 0 then 1e0 else 0e0 end
