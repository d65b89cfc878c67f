{#
about = "relevant items in the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]
#}
{# bpref, which alone reads it, is refused with ties = expected. #}
count(*)
