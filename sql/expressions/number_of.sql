{#
about = "the number that a column `x` of slices has for a user `v`; a user without rows in train has 0"
#}
{{ "coalesce(v." ~ x.ours ~ ", 0)" if x.is_activity else "try_cast(v." ~ x.ours ~ " as double)" }}
