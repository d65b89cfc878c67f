{#
about = "relevant items in the top k"
over = "hits"
empty = "0"
#}
{{ summed("1") }}
{# over two lists #}
len({{ hits }})
