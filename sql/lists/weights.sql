{#
about = "the discounts of the ranks 1, 2, ... up to the length of the list or the ideal list"
#}
{% set longest = choose("ideal", constant="l.k", truth_uncut="len(l.truth)", otherwise="least(len(l.truth), l.k)") %}
list_transform(range(1, greatest(len(l.items), {{ longest }}) + 1), lambda r: {{ discount("r") }})
