{#
about = "|rating - prediction|, summed"
over = "pairs"
#}
sum(abs(p.rating - p.prediction))
