{#
about = "sum over the categories of the user's train of p ln(p / q); p = their share in train, q = their share in the list, with a part of p"
over = "list_tastes"
needs = ["category_shares"]
#}
{{ sql.exact_sum("t.wanted * ln(t.wanted / ((1e0 - " ~ double(calibration_alpha) ~ ") * t.listed + " ~ double(calibration_alpha) ~ " * t.wanted))") }}
