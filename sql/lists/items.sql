{#
about = "the recommended items that are read, in order"
needs = ["closed if selective", "recommended if not selective", "cutoff"]
#}
{% set counting = "l.closed" if selective else "l.recommended" %}
{% set length = "len(" ~ counting ~ ")" %}
{{ counting }}[:{{ length if deep else "coalesce(l.cutoff, " ~ length ~ ")" }}]
