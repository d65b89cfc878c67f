{#
about = "the joins of the users `x` with the slices `s`, and with the user's segments `g` in each"
#}
cross join slices as s
left join user_segments as g on g.user_id = {{ x }}.user_id and g.slice = s.slice
