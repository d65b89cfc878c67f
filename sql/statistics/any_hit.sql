{#
about = "1 if the top k has a hit, else 0"
over = "hits"
empty = "0e0"
#}
{{ summed("h.leads") if expected else "1e0" }}
{# over two lists #}
case when len({{ hits }}) > 0 then 1e0 else 0e0 end
