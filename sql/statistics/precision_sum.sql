{#
about = "sum of precision at the rank of each hit"
over = "hits"
empty = "0e0"
#}
{{ summed("h.nth / nullif(" ~ double("h.rank") ~ ", 0)") }}
