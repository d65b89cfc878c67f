{#
about = "sum over the bins of |sum of label - prediction|"
over = "pairs"
needs = ["labels", "probabilities", "bins"]
#}
{{ sql.any_sum("p.sign_of_bin * (" ~ label_of("p.rating") ~ " - p.prediction)") }}
