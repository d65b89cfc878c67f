{#
about = "ratings with a prediction"
over = "pairs"
#}
count(p.prediction)
