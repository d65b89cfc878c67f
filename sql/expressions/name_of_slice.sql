{#
about = "the name of the slice with the number `x`; NULL for all users"
#}
case {{ x }}{% for one in slices %} when {{ one.place }} then {{ literal_of(one.name) }}{% endfor %} end
