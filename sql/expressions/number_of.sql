{#
about = "the number that a column `x` of slices has for a user `v`; a user without rows in train has 0"
#}
{{ "coalesce(v." ~ x.ours ~ ", 0)" if x.role == "train" else "try_cast(v." ~ x.ours ~ " as double)" }}
