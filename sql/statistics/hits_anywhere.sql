{#
about = "relevant items in the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]
#}
{{ summed("1") }}
{# over two lists #}
len(l.hits)
